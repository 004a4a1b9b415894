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

TYPES = ("number", "skip", "reverse", "draw-two", "wild", "wild-four", "draw", "close")
"""The types of action: what kind of card is laid, or none."""
INPUTS = (
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
NUM_WEIGHTS = len(TYPES) * len(INPUTS)
_N = len(INPUTS)
_DRAW_TYPE, _CLOSE_TYPE = 6, 7
_OUT = 40.0
"""Score of going out, never to be missed; no other score is greater, or less than its negative."""


@njit
def action_type(action):
    """Return the type of an action, by its place in `TYPES`."""
    if action < DRAW:
        face = face_of(action)
        return face - 9 if face > 9 else 0
    return _DRAW_TYPE if action == DRAW else _CLOSE_TYPE


@njit
def seen_colors(state):
    """Return how many cards of each colour the seat to move sees in its hand and on the discard pile, 16 bits a colour."""
    seat, seen = np.int64(state.to_move), 0
    for i in range(state.n_discard):
        card = np.int64(state.discard[i])
        if face_of(card) < WILD:
            seen += 1 << (16 * color_of(card))
    for color in range(4):
        held = count_of(state.once[seat], state.twice[seat], COLOR_MASK[color])
        seen += held << (16 * color)
    return seen


@njit
def _unseen_share(seen, color):
    total = 100
    for c in range(4):
        total -= seen >> (16 * c) & 0xFFFF
    return (25 - (seen >> (16 * color) & 0xFFFF)) / total if total > 0 else 0.25


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
def inputs(state, seen, action):
    """Return the inputs of an action of the seat to move (float64, as many as `INPUTS`)."""
    seat = np.int64(state.to_move)
    once, twice, left = state.once[seat], state.twice[seat], np.int64(state.counts[seat])
    color, face = np.int64(max(state.color, 0)), face_of(np.int64(state.top))
    if action < DRAW:
        color, face, left = color_of(action), face_of(action), left - 1
        if face < WILD:
            once, twice = without(once, twice, action)
    elif action == DRAW:
        left += 1
    same = count_of(once, twice, COLOR_MASK[color])
    matching = count_of(once, twice, COLOR_MASK[color] | FACE_MASK[face])
    wilds = popcount(once & ALL_WILDS) - (face >= WILD and action < DRAW)
    return (
        1.0,
        left / 7,
        same / 3,
        matching / 3,
        wilds / 2,
        1.0 if matching + wilds == 0 else 0.0,
        _shortness(left),
        _shortness(np.int64(state.counts[next_seat(state, seat)])),
        _others_shortness(state, seat),
        _unseen_share(seen, color),
    )


@njit
def score(state, seen, action, weights):
    """Return the score of an action; `weights` is float32 [NUM_WEIGHTS], type by type."""
    if action < DRAW and state.counts[state.to_move] == 1:
        return _OUT
    first = action_type(action) * _N
    total, i = 0.0, 0
    for value in inputs(state, seen, action):
        total += weights[first + i] * value
        i += 1
    return min(max(total, -_OUT), _OUT)


@njit
def choose(state, actions, closing, weights, greedy, rng):
    """Return one of the action ids of the mask `actions` or `closing` (if it is not -1): the best, or by the softmax."""
    seen = seen_colors(state)
    best, total, top = np.int64(-1), 0.0, -math.inf
    n = popcount(actions)
    for i in range(n + (closing >= 0)):
        action = np.int64(closing if i == n else lowest_bit(actions))
        actions &= actions - ONE
        worth = score(state, seen, action, weights)
        if greedy:
            if worth > top:
                best, top = action, worth
        else:
            chance = math.exp(worth)
            total += chance
            if uniform(rng) * total < chance:
                best = action
    return best


@njit
def softmax_share(state, actions, closing, weights, action):
    """Return the probability of `action` by the softmax over the mask `actions` and `closing` (if it is not -1)."""
    seen = seen_colors(state)
    total = math.exp(score(state, seen, np.int64(closing), weights)) if closing >= 0 else 0.0
    while actions != NONE:
        total += math.exp(score(state, seen, lowest_bit(actions), weights))
        actions &= actions - ONE
    return math.exp(score(state, seen, np.int64(action), weights)) / total
