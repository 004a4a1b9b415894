"""Softmax policy that is linear in hand-made features, with one weight for each type of action and feature.

The score of an action is the sum of `weights[type, feature] * feature`; its probability is the softmax of the scores.
The features depend on the mover's hand after the action, the color in force then, the hand sizes of the others and the
discard pile, nothing else.
"""

import math

import numpy as np

from cardgames.kernels.bits import NONE, ONE, lowest_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import uniform
from cardgames.uno.cards import ALL_WILDS, COLOR_MASK, DRAW, FACE_MASK, WILD, color_of, count_of, face_of, without
from cardgames.uno.turn import next_seat

ACTION_TYPES = ("number", "skip", "reverse", "draw-two", "wild", "wild-four", "draw", "close")
"""Types of action, each with weights of its own: what card is played, `draw`, or `close` (nothing played or drawn)."""
FEATURES = (
    "bias",
    "cards-left",  # number of cards in the mover's hand after the action, divided by 7
    "same-color",  # number of these with the color then in force, divided by 3
    "matching",  # number of these, except wilds, that could be played on the new top card, divided by 3
    "wilds",  # number of these that are wilds, divided by 2
    "stuck",  # 1 if none of these could be played on the new top card
    "short",  # 1 / cards left if three or fewer are left, else 0
    "next-short",  # 1 / cards of the next player if it has three or fewer, else 0
    "others-short",  # the same for the smallest hand of the other players
    "unseen-color",  # share of the color then in force among the colored cards that the mover does not see
)
NUM_WEIGHTS = len(ACTION_TYPES) * len(FEATURES)
_NUM_FEATURES = len(FEATURES)
_DRAW_TYPE, _CLOSE_TYPE = 6, 7
_WINNING_SCORE = 40.0
"""Score of an action that wins the round. Scores of other actions are clipped to plus or minus this value."""


@njit
def action_type(action):
    """Return the type of the action id `action`, such as `skip` or `draw`, as an index of `ACTION_TYPES`."""
    if action < DRAW:
        face = face_of(action)
        return face - 9 if face > 9 else 0
    return _DRAW_TYPE if action == DRAW else _CLOSE_TYPE


@njit
def visible_color_counts(state):
    """Return the number of cards of each color in the mover's hand and on the discard pile, packed into one integer.

    Each color has 16 bits, red the lowest.
    """
    seat, visible_counts = np.int64(state.to_move), 0
    for i in range(state.n_discard):
        card = np.int64(state.discard[i])
        if face_of(card) < WILD:
            visible_counts += 1 << (16 * color_of(card))
    for color in range(4):
        held = count_of(state.once[seat], state.twice[seat], COLOR_MASK[color])
        visible_counts += held << (16 * color)
    return visible_counts


@njit
def _unseen_color_fraction(visible_counts, color):
    """Return the share of `color` among the colored cards that the mover does not see.

    `visible_counts` is the result of `visible_color_counts`.
    """
    total = 100
    for c in range(4):
        total -= visible_counts >> (16 * c) & 0xFFFF
    return (25 - (visible_counts >> (16 * color) & 0xFFFF)) / total if total > 0 else 0.25


@njit
def _shortness(cards):
    """Return 1 / `cards` for a hand of one to three cards, else 0."""
    return 1.0 / cards if 0 < cards <= 3 else 0.0


@njit
def _others_shortness(state, seat):
    """Return 1 / size of the smallest hand other than that of `seat` if it has one to three cards, else 0."""
    smallest_hand = 108
    for other in range(state.players):
        if other != seat and state.counts[other] < smallest_hand:
            smallest_hand = state.counts[other]
    return _shortness(smallest_hand)


@njit
def action_features(state, visible_counts, action):
    """Return the features of an action of the seat to move, as a tuple of floats in the order of `FEATURES`.

    `visible_counts` is the result of `visible_color_counts`.
    """
    seat = np.int64(state.to_move)
    once, twice, cards_left = state.once[seat], state.twice[seat], np.int64(state.counts[seat])
    color, face = np.int64(max(state.color, 0)), face_of(np.int64(state.top))
    if action < DRAW:
        color, face, cards_left = color_of(action), face_of(action), cards_left - 1
        if face < WILD:
            once, twice = without(once, twice, action)
    elif action == DRAW:
        cards_left += 1
    same = count_of(once, twice, COLOR_MASK[color])
    matching = count_of(once, twice, COLOR_MASK[color] | FACE_MASK[face])
    wilds = popcount(once & ALL_WILDS) - (face >= WILD and action < DRAW)
    return (
        1.0,
        cards_left / 7,
        same / 3,
        matching / 3,
        wilds / 2,
        1.0 if matching + wilds == 0 else 0.0,
        _shortness(cards_left),
        _shortness(np.int64(state.counts[next_seat(state, seat)])),
        _others_shortness(state, seat),
        _unseen_color_fraction(visible_counts, color),
    )


@njit
def score(state, visible_counts, action, weights):
    """Return the score of `action`: the weighted sum of its features, or `_WINNING_SCORE` if it wins the round.

    The sum is clipped to plus or minus `_WINNING_SCORE`. `weights` is `[NUM_WEIGHTS] float32`, with all features of the
    first action type first. `visible_counts` is the result of `visible_color_counts`.
    """
    if action < DRAW and state.counts[state.to_move] == 1:
        return _WINNING_SCORE
    first = action_type(action) * _NUM_FEATURES
    total, i = 0.0, 0
    for value in action_features(state, visible_counts, action):
        total += weights[first + i] * value
        i += 1
    return min(max(total, -_WINNING_SCORE), _WINNING_SCORE)


@njit
def choose_action(state, actions, closing, weights, greedy, rng):
    """Return the action of greatest score, if `greedy`, else a sample from the softmax of the scores.

    The choice is among the ids in the bit mask `actions` and the id `closing`, if that is not -1.
    """
    visible_counts = visible_color_counts(state)
    best, total, best_score = np.int64(-1), 0.0, -math.inf
    n = popcount(actions)
    for i in range(n + (closing >= 0)):
        action = np.int64(closing if i == n else lowest_bit(actions))
        actions &= actions - ONE
        action_score = score(state, visible_counts, action, weights)
        if greedy:
            if action_score > best_score:
                best, best_score = action, action_score
        else:
            exp_score = math.exp(action_score)
            total += exp_score
            if uniform(rng) * total < exp_score:
                best = action
    return best


@njit
def softmax_probability(state, actions, closing, weights, action):
    """Return the probability of `action` under the softmax of the scores.

    The choice is among the ids in the bit mask `actions` and the id `closing`, if that is not -1.
    """
    visible_counts = visible_color_counts(state)
    total = math.exp(score(state, visible_counts, np.int64(closing), weights)) if closing >= 0 else 0.0
    while actions != NONE:
        total += math.exp(score(state, visible_counts, lowest_bit(actions), weights))
        actions &= actions - ONE
    return math.exp(score(state, visible_counts, np.int64(action), weights)) / total
