"""A softmax policy linear in hand-made features: for each type of action one weight an input.

Score of an action: the sum over inputs of `weights[type, input] * input`; the probability of an action is the softmax
of the scores. The inputs look at the mover's hand after the action, the colour the action leaves, the other players'
card counts and the cards discarded so far, nothing else.
"""

import math

import numpy as np

from cardgames.kernels.bits import NONE, ONE, lowest_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import uniform
from cardgames.uno.cards import ALL_WILDS, COLOR_MASK, DRAW, FACE_MASK, WILD, color_of, count_of, face_of, without
from cardgames.uno.turn import next_seat

ACTION_TYPES = ("number", "skip", "reverse", "draw-two", "wild", "wild-four", "draw", "close")
"""The types of action: what kind of card is laid, or none."""
FEATURES = (
    "bias",
    "cards-left",  # in the mover's hand after the action, in sevenths
    "same-color",  # of these, cards of the colour then in force, in thirds
    "matching",  # of these, cards that could be laid on the new top card, wilds apart, in thirds
    "wilds",  # of these, wilds, in halves
    "stuck",  # 1 if none of these could be laid on the new top card
    "short",  # 1 over the cards left, if these are three or fewer
    "next-short",  # 1 over the cards of the next player, if these are three or fewer
    "others-short",  # the same for whoever of the others has the fewest
    "unseen-color",  # share of the colour then in force among the coloured cards the mover does not see
)
NUM_WEIGHTS = len(ACTION_TYPES) * len(FEATURES)
_NUM_FEATURES = len(FEATURES)
_DRAW_TYPE, _CLOSE_TYPE = 6, 7
_WINNING_SCORE = 40.0
"""Score of going out, never to be missed; no other score is greater, or less than its negative."""


@njit
def action_type(action):
    """Return the type of an action, by its place in `ACTION_TYPES`."""
    if action < DRAW:
        face = face_of(action)
        return face - 9 if face > 9 else 0
    return _DRAW_TYPE if action == DRAW else _CLOSE_TYPE


@njit
def visible_color_counts(state):
    """Return how many cards of each colour the seat to move sees in its hand and on the discard pile, 16 bits a colour."""
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
    total = 100
    for c in range(4):
        total -= visible_counts >> (16 * c) & 0xFFFF
    return (25 - (visible_counts >> (16 * color) & 0xFFFF)) / total if total > 0 else 0.25


@njit
def _shortness(cards):
    return 1.0 / cards if 0 < cards <= 3 else 0.0


@njit
def _others_shortness(state, seat):
    fewest = 108
    for other in range(state.players):
        if other != seat and state.counts[other] < fewest:
            fewest = state.counts[other]
    return _shortness(fewest)


@njit
def action_features(state, visible_counts, action):
    """Return the inputs of an action of the seat to move (float64, as many as `FEATURES`)."""
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
    """Return the score of an action; `weights` is float32 [NUM_WEIGHTS], type by type."""
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
    """Return one of the action ids of the mask `actions` or `closing` (if it is not -1): the best, or by the softmax."""
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
    """Return the probability of `action` by the softmax over the mask `actions` and `closing` (if it is not -1)."""
    visible_counts = visible_color_counts(state)
    total = math.exp(score(state, visible_counts, np.int64(closing), weights)) if closing >= 0 else 0.0
    while actions != NONE:
        total += math.exp(score(state, visible_counts, lowest_bit(actions), weights))
        actions &= actions - ONE
    return math.exp(score(state, visible_counts, np.int64(action), weights)) / total
