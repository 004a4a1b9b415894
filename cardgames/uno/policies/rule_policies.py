"""Policies of Uno as one kernel for `ops.policy`: used by agents and for rollouts in every search.

The rule-based policies choose a card by the mover's hand, the top card and the color in force, nothing else. In
decisions without card play they call uno, catch, jump in, name the color they hold most of and swap with the smallest
hand. They never challenge, and stack if they can. One exception: paper 002's Human answers a penalty at random unless
it can stack a wild draw four.
"""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import NONE, ONE, lowest_bit, nth_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below, uniform
from cardgames.uno import cards
from cardgames.uno.cards import COLOR_MASK, COLORED, DRAW_BIT, NUMBERS, SYMBOLS, WILD_FOURS, WILDS, count_of, face_of
from cardgames.uno.legal import card_actions, closing_action, is_card_decision
from cardgames.uno.policies.compiled_policies import indirect_expectimax_actions, indirect_network_actions
from cardgames.uno.policies.habits import FORGETS_TO_CATCH, FORGETS_UNO, NAMES_BLINDLY
from cardgames.uno.policies.linear_policy import choose_action
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.challenge import may_challenge
from cardgames.uno.state import (
    ANSWER,
    CALL,
    CATCH_OUT,
    JUMP_IN,
    OPENER_COLOR,
    PLAY,
    SWAP_HANDS,
)

(
    RANDOM,
    RANDOM_BY_CARD,
    REFLEX,
    REFLEX_RANDOM_COLOR,
    RLCARD_RULE,
    HUMAN_RULE,
    LINEAR,
    LINEAR_BEST,
    EXPECTIMAX,
    NETWORK,
    HABITS,
) = range(11)
"""Ids of the policies:

- `RANDOM`: uniform over legal action ids.
- `RANDOM_BY_CARD`: uniform over legal cards; a card held twice counts twice.
- `REFLEX`: number, symbol, wild, wild draw four, draw, pass, in this order (paper 001, section 3.4.2).
- `REFLEX_RANDOM_COLOR`: `REFLEX` with random colors for wilds, not the color held most.
- `RLCARD_RULE`: RLCard's uno-rule-v1.
- `HUMAN_RULE`: paper 002's Human, as its text describes it.
- `LINEAR`: softmax over linear scores (`uno.policies.linear_policy`).
- `LINEAR_BEST`: the greatest linear score.
- `EXPECTIMAX`: paper 001's expectimax (`uno.expectimax.expectimax_policy`).
- `NETWORK`: the greatest Q value or the softmax of a network (`networks.network_policy`).
- `HABITS`: the habits of a beginner or a casual player (`uno.policies.habits`).
"""

POLICIES = {
    "random": RANDOM,
    "reflex": REFLEX,
    "rlcard-rule": RLCARD_RULE,
    "human-rule": HUMAN_RULE,
    "linear": LINEAR,
    "expectimax": EXPECTIMAX,
}
"""Ids of the policies that searches can use for rollouts, by name."""


@njit
def _random_bit(mask, rng):
    """Return the index of a random set bit of the bit mask `mask`."""
    n = popcount(mask)
    return lowest_bit(mask) if n == 1 else nth_bit(mask, below(rng, n))


@njit
def _most_held_color(state, rng):
    """Return the index of the color that the seat to move holds most of, with ties broken uniformly at random."""
    seat = state.to_move
    best, most, ties = 0, -1, 0
    for color in range(4):
        held = count_of(state.once[seat], state.twice[seat], COLOR_MASK[color])
        if held > most:
            best, most, ties = color, held, 1
        elif held == most:
            ties += 1
            if below(rng, ties) == 0:
                best = color
    return best


@njit
def _most_held_color_action(state, actions, rng):
    """Return the action id in the mask `actions` of a wild that names the color the mover holds most of.

    If that color may not be named, a random id of the mask is returned. All ids of the mask play wilds with the same
    face.
    """
    action = 15 * _most_held_color(state, rng) + face_of(lowest_bit(actions))
    return action if actions >> np.uint64(action) & ONE else _random_bit(actions, rng)


@njit
def _random_card_action(rules, state, rng):
    """Return a uniformly random legal action in a phase with card play, drawing, passing and challenging included."""
    actions = card_actions(rules, state)
    n = popcount(actions)
    closing = closing_action(rules, state)
    challenge = state.phase == ANSWER and may_challenge(rules, state)
    index = below(rng, n + (closing >= 0) + challenge)
    if index < n:
        return nth_bit(actions, index)
    return closing if index == n else cards.CHALLENGE


@njit
def _random_answer(state, rng):
    """Return a uniformly random legal action in a phase without card play, such as an uno call."""
    phase = state.phase
    if phase == SWAP_HANDS:
        return cards.SWAP + (state.to_move + 1 + below(rng, state.players - 1)) % state.players
    if phase == OPENER_COLOR:
        return cards.COLOR + below(rng, 4)
    first = below(rng, 2) == 0
    if phase == CALL:
        return cards.UNO if first else cards.QUIET
    if phase == JUMP_IN:
        return cards.JUMP if first else cards.NO_JUMP
    return cards.CATCH + state.uncalled if first else cards.LET_GO


@njit
def _random_by_card(state, actions, rng):
    """Return a random action of the mask `actions`, where a card that the mover holds twice is twice as likely."""
    doubled = actions & state.twice[state.to_move]
    index = below(rng, popcount(actions) + popcount(doubled))
    return nth_bit(actions, index) if index < popcount(actions) else nth_bit(doubled, index - popcount(actions))


@njit
def _reflex(state, actions, random_color, rng):
    """Return the action of paper 001's reflex policy among the mask `actions`; -1 if it has neither a card nor `draw`.

    It plays a random number card if it can, else a symbol card, else a wild, else a wild draw four, else it draws. For
    a wild it names a random color if `random_color`, else the color that it holds most of.
    """
    for group in (NUMBERS, SYMBOLS):
        if actions & group:
            return _random_bit(actions & group, rng)
    for group in (WILDS, WILD_FOURS):
        if actions & group:
            return (
                _random_bit(actions & group, rng)
                if random_color
                else _most_held_color_action(state, actions & group, rng)
            )
    return cards.DRAW if actions & DRAW_BIT else -1


@njit
def _rlcard_rule(state, actions, rng):
    """Return the action of RLCard's uno-rule-v1 among the mask `actions`; -1 if it has neither a card nor `draw`.

    It plays a wild draw four if it can, else a random colored card, else any wild, else it draws.
    """
    if actions & DRAW_BIT:
        plays = actions & ~DRAW_BIT
        # in RLCard `draw` is legal only without playable cards; where both are legal, the rule plays a card
        if plays == NONE:
            return cards.DRAW
        actions = plays
    if actions & WILD_FOURS:
        return _most_held_color_action(state, actions & WILD_FOURS, rng)
    colored = actions & COLORED
    if colored:
        return _random_by_card(state, colored, rng)
    return _random_bit(actions, rng) if actions else -1


@njit
def _smallest_hand(state):
    """Return the seat other than the mover's that holds the fewest cards; of several, the first after the mover.

    Seats after the mover are counted clockwise.
    """
    best = -1
    for step in range(1, state.players):
        seat = (state.to_move + step) % state.players
        if best < 0 or state.counts[seat] < state.counts[best]:
            best = seat
    return best


@njit
def rule_based_answer(state):
    """Return the action of a rule-based policy in a phase in which neither a card nor a color is chosen.

    It calls uno, catches, jumps in, or swaps with the smallest hand.
    """
    phase = state.phase
    if phase == CALL:
        return cards.UNO
    if phase == CATCH_OUT:
        return cards.CATCH + state.uncalled
    if phase == JUMP_IN:
        return cards.JUMP
    return cards.SWAP + _smallest_hand(state)


@njit
def _rule_based_side_answer(state, rng):
    """Return the action of a rule-based policy in a phase without card play.

    It names the color that it holds most of, calls uno, catches, jumps in, or swaps with the smallest hand.
    """
    if state.phase != OPENER_COLOR:
        return rule_based_answer(state)
    return cards.COLOR + _most_held_color(state, rng)


@njit
def write_action_distribution(rules, state, policy_id, weights, actions, probabilities):
    """Write the actions that expectimax or a network may choose, and their probabilities; return the number of actions.

    The number is 0 if the policy does not cover the decision. `actions` is `[NUM_ACTIONS] int32`, `probabilities`
    `[NUM_ACTIONS] float64`.
    """
    if policy_id == NETWORK:
        return indirect_network_actions(rules, state, weights, actions, probabilities)
    n = indirect_expectimax_actions(rules, state, actions)
    for i in range(n):
        probabilities[i] = 1.0 / n
    return n


@njit
def _sample_index(probabilities, n, rng):
    """Return a random index below `n`, drawn with the probabilities `probabilities[:n]`."""
    remainder = uniform(rng)
    for i in range(n - 1):
        remainder -= probabilities[i]
        if remainder < 0.0:
            return i
    return n - 1


@njit
def _habitual_action(rules, state, habits, rng):
    """Return the action of a style of `uno.policies.habits`, whose parameters are `habits`."""
    phase = state.phase
    if is_card_decision(state):
        actions = card_actions(rules, state)
        action = choose_action(state, actions, closing_action(rules, state), habits, True, rng)
        if habits[NAMES_BLINDLY] > 0.0 and action < cards.DRAW and face_of(action) >= cards.WILD:
            return _random_bit(actions & (WILD_FOURS if face_of(action) == cards.WILD_FOUR else WILDS), rng)
        return action
    if phase == CALL and uniform(rng) < habits[FORGETS_UNO]:
        return cards.QUIET
    if phase == CATCH_OUT and uniform(rng) < habits[FORGETS_TO_CATCH]:
        return cards.LET_GO
    if phase == OPENER_COLOR and habits[NAMES_BLINDLY] > 0.0:
        return cards.COLOR + below(rng, 4)
    return _rule_based_side_answer(state, rng)


@ops.policy.register(UNO_RULES)
@njit
def policy(rules, state, policy_id, weights, rng):
    """Implement `ops.policy` for Uno: return the action that the policy `policy_id` chooses for the seat to move.

    `policy_id` is one of this module's constants, such as `REFLEX`.
    """
    phase = state.phase
    if policy_id == HABITS:
        return np.int64(_habitual_action(rules, state, weights, rng))
    if policy_id >= EXPECTIMAX:
        candidates, probabilities = np.empty(cards.NUM_ACTIONS, np.int32), np.empty(cards.NUM_ACTIONS)
        n = write_action_distribution(rules, state, policy_id, weights, candidates, probabilities)
        if n > 0:
            return np.int64(candidates[_sample_index(probabilities, n, rng)])
        policy_id = REFLEX
    if not is_card_decision(state):
        return np.int64(
            _random_answer(state, rng) if policy_id <= RANDOM_BY_CARD else _rule_based_side_answer(state, rng)
        )
    if policy_id == RANDOM:
        return np.int64(_random_card_action(rules, state, rng))
    actions = card_actions(rules, state)
    if policy_id >= LINEAR:
        return choose_action(state, actions, closing_action(rules, state), weights, policy_id == LINEAR_BEST, rng)
    if policy_id == HUMAN_RULE and actions & WILD_FOURS:
        return np.int64(_most_held_color_action(state, actions & WILD_FOURS, rng))
    if policy_id == HUMAN_RULE or (policy_id == RANDOM_BY_CARD and phase != PLAY):
        return np.int64(_random_card_action(rules, state, rng))
    if policy_id == RANDOM_BY_CARD:
        action = _random_by_card(state, actions, rng)
    elif policy_id == RLCARD_RULE:
        action = _rlcard_rule(state, actions, rng)
    else:
        action = _reflex(state, actions, policy_id == REFLEX_RANDOM_COLOR, rng)
    return np.int64(action if action >= 0 else closing_action(rules, state))
