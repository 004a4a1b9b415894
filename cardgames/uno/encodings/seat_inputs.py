"""The encoding `seat`: the hand of a seat and the table as it sees it, as zeros and ones for a network.

A count is a *thermometer*: input i is 1 if the count has reached (for the sizes of other hands: is at most) threshold
i. Seats come in the order of play. Besides the mover's cards and the table, the inputs show which kinds of card are
used up (all copies discarded or in the hand), and the number of idle turns in a row, without a card played or drawn,
which says something about what others lack.
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
_WILD_COPIES = 4  # of each kind of wild
_OWN_THRESHOLDS = np.arange(2, 14)  # cards in the player's own hand
_COLOR_THRESHOLDS = np.arange(1, 6)  # cards of one color in the own hand
_OTHERS_THRESHOLDS = np.array([14, 10, 7, 5, 4, 3, 2, 1])  # an input is 1 if another seat has at most this many cards
NUM_NEXT_SEATS = 3  # with more opponents, the last row shows the smallest hand of the remaining ones
_VISIBLE_THRESHOLDS = np.arange(3, 25, 3)  # visible cards of one color
_IDLE_THRESHOLDS = np.arange(1, 4)
_PENDING_THRESHOLDS = np.array([1, 3, 5])

LAYOUT = (
    (4, 13),  # held
    (4, 13),  # held twice
    (1, 2 * _WILD_COPIES),  # wilds held, wild draw fours held
    (1, len(_OWN_THRESHOLDS)),
    (4, len(_COLOR_THRESHOLDS)),
    (4, 13),  # may be played now
    (1, 2),  # wild, wild draw four may be played now
    (1, 1),  # may draw
    (1, OVER),  # phase
    (4, 1),  # color in force
    (1, 15),  # face of the top card
    (1, NUM_NEXT_SEATS * (1 + len(_OTHERS_THRESHOLDS))),
    (4, len(_VISIBLE_THRESHOLDS)),
    (4, 13),  # kinds used up
    (1, 2 * _WILD_COPIES),  # wilds used up, wild draw fours used up
    (1, len(_IDLE_THRESHOLDS)),
    (1, len(_PENDING_THRESHOLDS)),
)
"""Groups of the inputs in order: `(4, n)` is a row of n inputs for each color, `(1, n)` is n inputs without colors."""

NUM_INPUTS = sum(rows * width for rows, width in LAYOUT)


@njit
def _write_at_least(count, thresholds, out, offset):
    """Write 1 to `out[offset + i]` for each i for which `count` is at least `thresholds[i]`, else 0.

    Returns:
        The offset after these inputs.
    """
    for i in range(len(thresholds)):
        out[offset + i] = count >= thresholds[i]
    return offset + len(thresholds)


@njit
def write_at_most(count, thresholds, out, offset):
    """Write 1 or 0 to `out[offset + i]` for each i: whether `count` is at most `thresholds[i]`."""
    for i in range(len(thresholds)):
        out[offset + i] = count <= thresholds[i]


@njit
def _write_wild_copies(count, out, offset):
    """Write four inputs from `out[offset]` on, the first `count` of them 1, and return the offset after them.

    `count` is a number of wilds with one face, of which the deck has four.
    """
    for i in range(_WILD_COPIES):
        out[offset + i] = count > i
    return offset + _WILD_COPIES


@njit
def _write_kinds(cards, out, offset):
    """Set `out[offset + kind]` to 1 for the kind (`KIND_OF_CARD`) of each card in the bit mask `cards`.

    The mask has card ids or ids of actions that play cards.
    """
    while cards != NONE:
        out[offset + KIND_OF_CARD[lowest_bit(cards)]] = 1
        cards &= cards - ONE


@njit
def _write_hand(state, player, out, offset):
    """Write the inputs about the hand of `player` from `out[offset]` on, and return the offset after them.

    These are the kinds of card held and held twice, the wilds, the hand size and the number of cards of each color.
    """
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
    """Write the legal card plays, `draw` and the phase, and return the offset after these inputs.

    The inputs stay 0 if `player` is not to move.
    """
    if state.to_move == player:
        actions = card_actions(rules, state)
        _write_kinds(actions & ~DRAW_BIT, out, offset)
        out[offset + NUM_KINDS] = (actions & DRAW_BIT) != NONE
        if state.phase < OVER:
            out[offset + NUM_KINDS + 1 + state.phase] = 1
    return offset + NUM_KINDS + 1 + OVER


@njit
def _write_top_card(state, out, offset):
    """Write the color in force and the face of the top card, one-hot, and return the offset after these inputs."""
    if state.color >= 0:
        out[offset + state.color] = 1
    out[offset + 4 + face_of(np.int64(state.top))] = 1
    return offset + 19


@njit
def seat_ahead(state, player, step):
    """Return the seat `step` places after `player` in the order of play."""
    return (player + step * state.direction + state.players) % state.players


@njit
def _write_other_seats(state, player, out, offset):
    """Write the hand sizes of the next three seats as thermometers, and return the offset after these inputs.

    With more than three other seats, the third thermometer shows the smallest of the remaining hands.
    """
    num_others = state.players - 1
    for row in range(min(num_others, NUM_NEXT_SEATS)):
        smallest_hand = np.int64(108)
        last = num_others if row == NUM_NEXT_SEATS - 1 else row + 1
        for step in range(row + 1, last + 1):
            seat = seat_ahead(state, player, step)
            smallest_hand = min(smallest_hand, np.int64(state.counts[seat]))
        first = offset + row * (1 + len(_OTHERS_THRESHOLDS))
        out[first] = 1
        write_at_most(smallest_hand, _OTHERS_THRESHOLDS, out, first + 1)
    return offset + NUM_NEXT_SEATS * (1 + len(_OTHERS_THRESHOLDS))


@njit
def _write_visible_cards(state, player, out, offset):
    """Write the number of visible cards of each color and which kinds of card are used up; return the next offset.

    Visible cards are those on the discard pile or in the hand of `player`. A kind is used up if all its copies are
    visible.
    """
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
    """Write the encoding `seat` of what `player` sees into `out` (`int8`, all 0 before).

    Returns:
        The offset after these `NUM_INPUTS` inputs.
    """
    offset = _write_hand(state, player, out, 0)
    offset = _write_decision(rules, state, player, out, offset)
    offset = _write_top_card(state, out, offset)
    offset = _write_other_seats(state, player, out, offset)
    offset = _write_visible_cards(state, player, out, offset)
    offset = _write_at_least(state.idle, _IDLE_THRESHOLDS, out, offset)
    return _write_at_least(state.pending, _PENDING_THRESHOLDS, out, offset)
