"""Probability that a policy of `uno.policies.rule_policies` takes an action: Uno's kernel for `ops.likelihood`."""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import NONE, ONE, popcount
from cardgames.kernels.jit import njit
from cardgames.uno import cards
from cardgames.uno.cards import (
    COLOR_MASK,
    COLORED,
    DRAW_BIT,
    NUMBERS,
    SYMBOLS,
    WILD_FOURS,
    WILDS,
    color_of,
    count_of,
    face_of,
)
from cardgames.uno.legal import card_actions, closing_action, is_card_decision
from cardgames.uno.policies.linear_policy import softmax_probability
from cardgames.uno.policies.rule_policies import (
    EXPECTIMAX,
    HUMAN_RULE,
    LINEAR,
    RANDOM,
    RANDOM_BY_CARD,
    REFLEX,
    REFLEX_RANDOM_COLOR,
    RLCARD_RULE,
    rule_based_answer,
    write_action_distribution,
)
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.challenge import may_challenge
from cardgames.uno.state import ANSWER, CALL, JUMP_IN, OPENER_COLOR, PLAY, SWAP_HANDS


@njit
def _uniform_probability(actions, bit):
    """Return the probability of one action, given as the mask `bit`, under a uniform choice from the mask `actions`."""
    return 1.0 / popcount(actions) if actions & bit else 0.0


@njit
def _by_card_probability(state, actions, action):
    """Return the probability of `action` under a random choice from the mask `actions` of playable cards.

    A card that the mover holds twice is twice as likely as one that it holds once.
    """
    bit = ONE << np.uint64(action)
    doubled = actions & state.twice[state.to_move]
    copies = np.int64(actions & bit != NONE) + np.int64(doubled & bit != NONE)
    return copies / (popcount(actions) + popcount(doubled))


@njit
def _count_of_color(state, color):
    """Return the number of cards of `color` in the hand of the seat to move, without wilds."""
    return count_of(state.once[state.to_move], state.twice[state.to_move], COLOR_MASK[color])


@njit
def _most_held_color_action_probability(state, actions, action):
    """Return the probability of `action`, a wild with a color named, if the mover names the color it holds most of.

    Ties between colors are broken uniformly at random. `actions` is the mask of legal actions with wilds of that face;
    if the color chosen may not be named, each of them is equally likely.
    """
    face = face_of(action)
    most, ties, num_forbidden, own_count = -1, 0, 0, 0
    for color in range(4):
        held = _count_of_color(state, color)
        own_count = held if color == color_of(action) else own_count
        if held > most:
            most, ties, num_forbidden = held, 0, 0
        if held == most:
            ties += 1
            num_forbidden += actions >> np.uint64(15 * color + face) & ONE == NONE
    return (
        ((own_count == most) + num_forbidden / popcount(actions)) / ties if actions >> np.uint64(action) & ONE else 0.0
    )


@njit
def _reflex_probability(state, actions, action, random_color):
    """Return the probability of `action` under paper 001's reflex policy.

    It plays a random number card if it can, else a symbol card, else a wild, else a wild draw four, else it draws. For
    a wild it names a random color if `random_color`, else the color that it holds most of.
    """
    bit = ONE << np.uint64(action)
    for group in (NUMBERS, SYMBOLS):
        if actions & group:
            return _uniform_probability(actions & group, bit)
    for group in (WILDS, WILD_FOURS):
        if actions & group:
            return (
                _uniform_probability(actions & group, bit)
                if random_color
                else _most_held_color_action_probability(state, actions & group, action)
            )
    return _uniform_probability(actions & DRAW_BIT, bit)


@njit
def _rlcard_rule_probability(state, actions, action):
    """Return the probability of `action` under RLCard's agent uno-rule-v1.

    It plays a wild draw four if it can, else a random colored card, else any legal action.
    """
    plays = actions & ~DRAW_BIT
    bit = ONE << np.uint64(action)
    if plays == NONE:
        return _uniform_probability(actions, bit)
    if plays & WILD_FOURS:
        return _most_held_color_action_probability(state, plays & WILD_FOURS, action)
    colored = plays & COLORED
    if colored == NONE:
        return _uniform_probability(plays, bit)
    return _by_card_probability(state, colored, action)


@njit
def _distribution_probability(rules, state, action, policy_id, weights):
    """Return the probability of `action` under the policy of expectimax or a network.

    The result is -1 if that policy does not cover the decision.
    """
    candidates, probabilities = np.empty(cards.NUM_ACTIONS, np.int32), np.empty(cards.NUM_ACTIONS)
    n = write_action_distribution(rules, state, policy_id, weights, candidates, probabilities)
    for i in range(n):
        if candidates[i] == action:
            return probabilities[i]
    return 0.0 if n > 0 else -1.0


@njit
def _num_answers(state, action):
    """Return the number of actions to choose from in a phase without card play; 0 if `action` is not one of them."""
    phase = state.phase
    if phase == OPENER_COLOR:
        return 4 if cards.COLOR <= action < cards.COLOR + 4 else 0
    if phase == SWAP_HANDS:
        num_others = state.players - 1
        return (
            num_others
            if cards.SWAP <= action <= cards.SWAP + num_others and action != cards.SWAP + state.to_move
            else 0
        )
    if phase == CALL:
        return 2 if action == cards.UNO or action == cards.QUIET else 0
    if phase == JUMP_IN:
        return 2 if action == cards.JUMP or action == cards.NO_JUMP else 0
    return 2 if action == cards.CATCH + state.uncalled or action == cards.LET_GO else 0


@njit
def _most_held_color_probability(state, color):
    """Return the probability that the mover chooses `color` if it chooses the color of which it holds most cards.

    Ties between colors are broken uniformly at random.
    """
    most, ties = -1, 0
    for other in range(4):
        held = _count_of_color(state, other)
        if held > most:
            most, ties = held, 0
        ties += held == most
    return 1.0 / ties if _count_of_color(state, color) == most else 0.0


@njit
def _answer_probability(state, action, policy_id):
    """Return the probability of `action` in a phase without card play, such as an uno call.

    `policy_id` is a random or rule-based policy.
    """
    num_answers = _num_answers(state, action)
    if num_answers == 0:
        return 0.0
    if policy_id <= RANDOM_BY_CARD:
        return 1.0 / num_answers
    if state.phase == OPENER_COLOR:
        return _most_held_color_probability(state, action - cards.COLOR)
    return 1.0 if action == rule_based_answer(state) else 0.0


@njit
def _rule_based_probability(state, actions, closing, num_legal, action, policy_id, weights):
    """Return the probability of the legal `action` in a phase with card play, under a policy without search or network.

    `actions` is the bit mask of legal ids up to 60, `closing` the id of the action that ends the turn or takes the
    penalty (-1 if none), and `num_legal` the number of all legal actions.
    """
    if policy_id == RANDOM:
        return 1.0 / num_legal
    if (policy_id == RANDOM_BY_CARD and state.phase != PLAY) or (policy_id == HUMAN_RULE and not actions & WILD_FOURS):
        return 1.0 / num_legal
    if policy_id == RANDOM_BY_CARD:
        return _by_card_probability(state, actions, action)
    if action == cards.CHALLENGE:
        return 0.0
    if policy_id >= LINEAR:
        return softmax_probability(state, actions, closing, weights, action)
    if action > cards.DRAW:
        return 1.0 if actions == NONE else 0.0
    if policy_id == HUMAN_RULE:
        return _most_held_color_action_probability(state, actions & WILD_FOURS, action)
    if policy_id == RLCARD_RULE:
        return _rlcard_rule_probability(state, actions, action)
    return _reflex_probability(state, actions, action, policy_id == REFLEX_RANDOM_COLOR)


@ops.likelihood.register(UNO_RULES)
@njit
def likelihood(rules, state, action, policy_id, weights):
    """Implement `ops.likelihood` for Uno: return the probability that the policy `policy_id` chooses `action`."""
    if not is_card_decision(state):
        probability = (
            _distribution_probability(rules, state, action, policy_id, weights) if policy_id >= EXPECTIMAX else -1.0
        )
        return probability if probability >= 0.0 else _answer_probability(state, action, policy_id)
    actions, closing = card_actions(rules, state), closing_action(rules, state)
    challengeable = state.phase == ANSWER and may_challenge(rules, state)
    is_challenge = action == cards.CHALLENGE and challengeable
    if not is_challenge and action != closing and (action > cards.DRAW or actions >> np.uint64(action) & ONE == NONE):
        return 0.0
    if policy_id >= EXPECTIMAX:
        probability = _distribution_probability(rules, state, action, policy_id, weights)
        if probability >= 0.0:
            return probability
        policy_id = REFLEX
    n = popcount(actions) + np.int64(closing >= 0) + np.int64(challengeable)
    return _rule_based_probability(state, actions, closing, n, action, policy_id, weights)
