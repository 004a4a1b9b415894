"""The rule-based ways to play, as one kernel: agents of their own and the playouts of every search.

The rule-based ones choose a card by the mover's hand, the top card and the colour in force, nothing else. In the
questions beside the play they call uno, catch, never challenge, stack what they can, jump in, keep the colour they hold
most of and swap with the smallest hand; but paper 002's Human answers a penalty at random where he may lay no wild draw
four on it.
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
) = range(10)
"""Uniform over legal action ids; over legal cards (a card held twice counts twice); number, symbol, wild, wild draw
four, draw, pass (paper 001, 3.4.2); the same naming colours blindly; RLCard's uno-rule-v1; paper 002's Human as
its text has it; a softmax over linear scores (`uno.policies.linear_policy`); the best of these scores; paper 001's expectimax
(`uno.expectimax.expectimax_policy`); a network's greatest Q or softmax (`networks.network_policy`)."""

POLICIES = {
    "random": RANDOM,
    "reflex": REFLEX,
    "rlcard-rule": RLCARD_RULE,
    "human-rule": HUMAN_RULE,
    "linear": LINEAR,
    "expectimax": EXPECTIMAX,
}
"""The policies that can play a simulation out, by name."""


@njit
def _random_bit(mask, rng):
    """Return a random set bit of `mask`."""
    n = popcount(mask)
    return lowest_bit(mask) if n == 1 else nth_bit(mask, below(rng, n))


@njit
def _most_held_color(state, rng):
    """Return the colour of which the seat to move has the most cards, ties at random."""
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
    """Return that of the wilds' action ids which names the colour most held, or any if it may not be named."""
    action = 15 * _most_held_color(state, rng) + face_of(lowest_bit(actions))
    return action if actions >> np.uint64(action) & ONE else _random_bit(actions, rng)


@njit
def _random_card_action(rules, state, rng):
    """Return a uniformly random legal action of a phase in which cards may be played."""
    actions = card_actions(rules, state)
    n = popcount(actions)
    closing = closing_action(rules, state)
    challenge = state.phase == ANSWER and may_challenge(rules, state)
    pick = below(rng, n + (closing >= 0) + challenge)
    if pick < n:
        return nth_bit(actions, pick)
    return closing if pick == n else cards.CHALLENGE


@njit
def _random_answer(state, rng):
    """Return a uniformly random answer to a question that is not about which card to play."""
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
    """Return a random action of `actions` where one with two copies in hand is twice as likely."""
    doubled = actions & state.twice[state.to_move]
    pick = below(rng, popcount(actions) + popcount(doubled))
    return nth_bit(actions, pick) if pick < popcount(actions) else nth_bit(doubled, pick - popcount(actions))


@njit
def _reflex(state, actions, random_color, rng):
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
    if actions & DRAW_BIT:
        plays = actions & ~DRAW_BIT
        # RLCard offers `draw` alone; where it is offered beside cards, playing is what the rule means
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
    """Return the other seat with the fewest cards, the next in seat order among equals."""
    best = -1
    for step in range(1, state.players):
        seat = (state.to_move + step) % state.players
        if best < 0 or state.counts[seat] < state.counts[best]:
            best = seat
    return best


@njit
def rule_based_answer(state):
    """Return the rule-based answer to a question about neither a card nor a colour."""
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
    """Return the rule-based answer to a question that is not about which card to play."""
    if state.phase != OPENER_COLOR:
        return rule_based_answer(state)
    return cards.COLOR + _most_held_color(state, rng)


@njit
def write_action_distribution(rules, state, policy_id, weights, actions, probabilities):
    """Write what expectimax or a network would do into `actions` (int32 [NUM_ACTIONS]), how likely into `probabilities` (float64,
    as long), and return how many; 0 where it has no answer.
    """
    if policy_id == NETWORK:
        return indirect_network_actions(rules, state, weights, actions, probabilities)
    n = indirect_expectimax_actions(rules, state, actions)
    for i in range(n):
        probabilities[i] = 1.0 / n
    return n


@njit
def _sample_index(probabilities, n, rng):
    """Return one of `n` places, each as likely as its chance."""
    remainder = uniform(rng)
    for i in range(n - 1):
        remainder -= probabilities[i]
        if remainder < 0.0:
            return i
    return n - 1


@ops.policy.register(UNO_RULES)
@njit
def policy(rules, state, policy_id, weights, rng):
    """Uno's verb `policy`; `policy_id` is one of this module's constants."""
    phase = state.phase
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
