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
_WILD_COPIES = 4  # of either wild
_OWN_THRESHOLDS = np.arange(2, 14)  # cards in one's own hand
_COLOR_THRESHOLDS = np.arange(1, 6)  # of one colour in it
_OTHERS_THRESHOLDS = np.array([14, 10, 7, 5, 4, 3, 2, 1])  # cards of another seat, told by "at most"
NUM_NEXT_SEATS = 3  # the next ones; of more others the last row tells the fewest cards
_VISIBLE_THRESHOLDS = np.arange(3, 25, 3)  # cards seen of one colour
_IDLE_THRESHOLDS = np.arange(1, 4)
_PENDING_THRESHOLDS = np.array([1, 3, 5])

LAYOUT = (
    (4, 13),  # held
    (4, 13),  # held twice
    (1, 2 * _WILD_COPIES),  # wilds held, wild draw fours held
    (1, len(_OWN_THRESHOLDS)),
    (4, len(_COLOR_THRESHOLDS)),
    (4, 13),  # may be laid now
    (1, 2),  # wilds that may be
    (1, 1),  # may draw
    (1, OVER),  # what is being decided
    (4, 1),  # the colour in force
    (1, 15),  # the face of the top card
    (1, NUM_NEXT_SEATS * (1 + len(_OTHERS_THRESHOLDS))),
    (4, len(_VISIBLE_THRESHOLDS)),
    (4, 13),  # gone
    (1, 2 * _WILD_COPIES),  # wilds gone, wild draw fours gone
    (1, len(_IDLE_THRESHOLDS)),
    (1, len(_PENDING_THRESHOLDS)),
)
"""The inputs in order, as blocks: (4, n) has n for each colour, (1, n) n in which colours play no part."""

NUM_INPUTS = sum(rows * width for rows, width in LAYOUT)


@njit
def _write_at_least(count, thresholds, out, offset):
    """Write a thermometer and return where the next input goes."""
    for i in range(len(thresholds)):
        out[offset + i] = count >= thresholds[i]
    return offset + len(thresholds)


@njit
def write_at_most(count, thresholds, out, offset):
    """Write a thermometer of a count that tells the more the smaller it is."""
    for i in range(len(thresholds)):
        out[offset + i] = count <= thresholds[i]


@njit
def _write_wild_copies(count, out, offset):
    for i in range(_WILD_COPIES):
        out[offset + i] = count > i
    return offset + _WILD_COPIES


@njit
def _write_kinds(cards, out, offset):
    """Mark the kinds of a mask of cards or of actions that lay cards."""
    while cards != NONE:
        out[offset + KIND_OF_CARD[lowest_bit(cards)]] = 1
        cards &= cards - ONE


@njit
def _write_hand(state, player, out, offset):
    once, twice = state.once[player], state.twice[player]
    _write_kinds(once & COLORED, out, offset)
    _write_kinds(twice, out, offset + _COLORED_KINDS)
    offset = _write_wild_copies(popcount(once & WILDS), out, offset + 2 * _COLORED_KINDS)
    offset = _write_wild_copies(popcount(once & WILD_FOURS), out, offset)
    offset = _write_at_least(state.counts[player], _OWN_THRESHOLDS, out, offset)
    for color in range(4):
        held = count_of(once, twice, COLOR_MASK[color])
        offset = _write_at_least(held, _COLOR_THRESHOLDS, out, offset)
    return offset


@njit
def _write_decision(rules, state, player, out, offset):
    """Write what is being decided, if it is `player` who decides, and what he may lay."""
    if state.to_move == player:
        actions = card_actions(rules, state)
        _write_kinds(actions & ~DRAW_BIT, out, offset)
        out[offset + NUM_KINDS] = (actions & DRAW_BIT) != NONE
        if state.phase < OVER:
            out[offset + NUM_KINDS + 1 + state.phase] = 1
    return offset + NUM_KINDS + 1 + OVER


@njit
def _write_top_card(state, out, offset):
    if state.color >= 0:
        out[offset + state.color] = 1
    out[offset + 4 + face_of(np.int64(state.top))] = 1
    return offset + 19


@njit
def seat_ahead(state, player, step):
    """Return the seat so many places after `player` in the order of play."""
    return (player + step * state.direction + state.players) % state.players


@njit
def _write_other_seats(state, player, out, offset):
    others = state.players - 1
    for row in range(min(others, NUM_NEXT_SEATS)):
        fewest = np.int64(108)
        last = others if row == NUM_NEXT_SEATS - 1 else row + 1
        for step in range(row + 1, last + 1):
            seat = seat_ahead(state, player, step)
            fewest = min(fewest, np.int64(state.counts[seat]))
        first = offset + row * (1 + len(_OTHERS_THRESHOLDS))
        out[first] = 1
        write_at_most(fewest, _OTHERS_THRESHOLDS, out, first + 1)
    return offset + NUM_NEXT_SEATS * (1 + len(_OTHERS_THRESHOLDS))


@njit
def _write_visible_cards(state, player, out, offset):
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
        offset = _write_at_least(seen[13 * color : 13 * color + 13].sum(), _VISIBLE_THRESHOLDS, out, offset)
    for kind in range(_COLORED_KINDS):
        out[offset + kind] = seen[kind] >= COPIES_OF_KIND[kind]
    offset = _write_wild_copies(seen[NUM_KINDS - 2], out, offset + _COLORED_KINDS)
    return _write_wild_copies(seen[NUM_KINDS - 1], out, offset)


@njit
def write_inputs(rules, state, player, out):
    """Write the inputs (int8 [NUM_INPUTS], all 0 before) and return where further ones go."""
    offset = _write_hand(state, player, out, 0)
    offset = _write_decision(rules, state, player, out, offset)
    offset = _write_top_card(state, out, offset)
    offset = _write_other_seats(state, player, out, offset)
    offset = _write_visible_cards(state, player, out, offset)
    offset = _write_at_least(state.idle, _IDLE_THRESHOLDS, out, offset)
    return _write_at_least(state.pending, _PENDING_THRESHOLDS, out, offset)
