"""The encoding `seat`: the hand of a seat and the table as it lies before it, as zeros and ones for a network.

Counts are *thermometers*: the i-th input of a row says whether the count has reached the i-th threshold. Seats are told
in the order of play. Beyond the cards of the mover and the table the inputs know what is gone (on the discard pile or
in hand) and how many turns nobody could play, which tells what the others lack.
"""

import numpy as np

from cardgames.kernels.bits import NONE, ONE, lowest_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.uno.cards import (
    COLOR_MASK,
    COLORED,
    COPIES_OF_KIND,
    DRAW_BIT,
    KIND_OF_CARD,
    NUM_KINDS,
    WILD_FOURS,
    WILDS,
    count_of,
    face_of,
)
from cardgames.uno.legal import card_actions
from cardgames.uno.state import OVER

_COLORED_KINDS = NUM_KINDS - 2
_COPIES = 4  # of either wild
_OWN = np.arange(2, 14)  # cards in one's own hand
_OF_COLOR = np.arange(1, 6)  # of one colour in it
_OTHERS = np.array([14, 10, 7, 5, 4, 3, 2, 1])  # cards of another seat, told by "at most"
SEATS = 3  # the next ones; of more others the last row tells the fewest cards
_SEEN = np.arange(3, 25, 3)  # cards seen of one colour
_IDLE = np.arange(1, 4)
_PENDING = np.array([1, 3, 5])

LAYOUT = (
    (4, 13),  # held
    (4, 13),  # held twice
    (1, 2 * _COPIES),  # wilds held, wild draw fours held
    (1, len(_OWN)),
    (4, len(_OF_COLOR)),
    (4, 13),  # may be laid now
    (1, 2),  # wilds that may be
    (1, 1),  # may draw
    (1, OVER),  # what is being decided
    (4, 1),  # the colour in force
    (1, 15),  # the face of the top card
    (1, SEATS * (1 + len(_OTHERS))),
    (4, len(_SEEN)),
    (4, 13),  # gone
    (1, 2 * _COPIES),  # wilds gone, wild draw fours gone
    (1, len(_IDLE)),
    (1, len(_PENDING)),
)
"""The inputs in order, as blocks: (4, n) has n for each colour, (1, n) n in which colours play no part."""

NUM_INPUTS = sum(rows * width for rows, width in LAYOUT)


@njit
def _reached(count, thresholds, out, at):
    """Write a thermometer and return where the next input goes."""
    for i in range(len(thresholds)):
        out[at + i] = count >= thresholds[i]
    return at + len(thresholds)


@njit
def at_most(count, thresholds, out, at):
    """Write a thermometer of a count that tells the more the smaller it is."""
    for i in range(len(thresholds)):
        out[at + i] = count <= thresholds[i]


@njit
def _copies(count, out, at):
    for i in range(_COPIES):
        out[at + i] = count > i
    return at + _COPIES


@njit
def _kinds(cards, out, at):
    """Mark the kinds of a mask of cards or of actions that lay cards."""
    while cards != NONE:
        out[at + KIND_OF_CARD[lowest_bit(cards)]] = 1
        cards &= cards - ONE


@njit
def _hand(state, player, out, at):
    once, twice = state.once[player], state.twice[player]
    _kinds(once & COLORED, out, at)
    _kinds(twice, out, at + _COLORED_KINDS)
    at = _copies(popcount(once & WILDS), out, at + 2 * _COLORED_KINDS)
    at = _copies(popcount(once & WILD_FOURS), out, at)
    at = _reached(state.counts[player], _OWN, out, at)
    for color in range(4):
        held = count_of(once, twice, COLOR_MASK[color])
        at = _reached(held, _OF_COLOR, out, at)
    return at


@njit
def _choice(rules, state, player, out, at):
    """Write what is being decided, if it is `player` who decides, and what he may lay."""
    if state.to_move == player:
        actions = card_actions(rules, state)
        _kinds(actions & ~DRAW_BIT, out, at)
        out[at + NUM_KINDS] = (actions & DRAW_BIT) != NONE
        if state.phase < OVER:
            out[at + NUM_KINDS + 1 + state.phase] = 1
    return at + NUM_KINDS + 1 + OVER


@njit
def _top(state, out, at):
    if state.color >= 0:
        out[at + state.color] = 1
    out[at + 4 + face_of(np.int64(state.top))] = 1
    return at + 19


@njit
def seat_on(state, player, step):
    """Return the seat so many places after `player` in the order of play."""
    return (player + step * state.direction + state.players) % state.players


@njit
def _others(state, player, out, at):
    others = state.players - 1
    for row in range(min(others, SEATS)):
        fewest = np.int64(108)
        last = others if row == SEATS - 1 else row + 1
        for step in range(row + 1, last + 1):
            seat = seat_on(state, player, step)
            fewest = min(fewest, np.int64(state.counts[seat]))
        first = at + row * (1 + len(_OTHERS))
        out[first] = 1
        at_most(fewest, _OTHERS, out, first + 1)
    return at + SEATS * (1 + len(_OTHERS))


@njit
def _gone(state, player, out, at):
    """Write how many cards of each colour are on the discard pile or in hand, and the kinds of which no more are out."""
    seen = np.zeros(NUM_KINDS, np.int64)
    for i in range(state.n_discard):
        seen[KIND_OF_CARD[state.discard[i]]] += 1
    for plane in (state.once[player], state.twice[player]):
        cards = plane
        while cards != NONE:
            seen[KIND_OF_CARD[lowest_bit(cards)]] += 1
            cards &= cards - ONE
    for color in range(4):
        at = _reached(seen[13 * color : 13 * color + 13].sum(), _SEEN, out, at)
    for kind in range(_COLORED_KINDS):
        out[at + kind] = seen[kind] >= COPIES_OF_KIND[kind]
    at = _copies(seen[NUM_KINDS - 2], out, at + _COLORED_KINDS)
    return _copies(seen[NUM_KINDS - 1], out, at)


@njit
def write(rules, state, player, out):
    """Write the inputs (int8 [NUM_INPUTS], all 0 before) and return where further ones go."""
    at = _hand(state, player, out, 0)
    at = _choice(rules, state, player, out, at)
    at = _top(state, out, at)
    at = _others(state, player, out, at)
    at = _gone(state, player, out, at)
    at = _reached(state.idle, _IDLE, out, at)
    return _reached(state.pending, _PENDING, out, at)
