"""What a seat remembers: hands it passed on or was shown, until their cards are played, and how many decisions it saw."""

import numpy as np

from cardgames.core.events import ACTION
from cardgames.kernels.bits import ONE
from cardgames.kernels.jit import njit
from cardgames.uno.cards import DRAW, NUM_CARDS, WILD
from cardgames.uno.events import DEALT, DREW, JUMPED, LAID, RECEIVED, ROTATED, SHOWN, SWAPPED
from cardgames.uno.piles import wild_index


@njit
def write_known_cards(record, events, viewer):
    """Add the cards the viewer knows to be in other hands to his observation's record, and the number of decisions he saw:
    all but those that others made in private, and those before the history begins.

    `events` (int32 [n, 3]) is the history as he saw it (`core.events`).
    """
    record.decisions = np.count_nonzero(events[:, 0] == ACTION)
    if not _reveals_hands(events):
        return
    hands, counts = np.empty((record.players, NUM_CARDS), np.int64), np.zeros(record.players, np.int64)
    _track_known_hands(events, viewer, hands, counts)
    for seat in range(record.players):
        for k in range(counts[seat] if seat != viewer else 0):
            _add_to_known_hand(record, seat, hands[seat, k])


@njit
def _reveals_hands(events):
    """Return whether any hand was shown, swapped or passed on."""
    for row in range(len(events)):
        if SHOWN <= events[row, 0] <= ROTATED:
            return True
    return False


@njit
def _track_known_hands(events, viewer, hands, counts):
    """Make the first `counts` of each of the `hands` the cards the viewer knows to be in it, as they were received."""
    previous = np.int64(-1)
    for row in range(len(events)):
        kind, seat, value = np.int64(events[row, 0]), np.int64(events[row, 1]), np.int64(events[row, 2])
        if kind == SHOWN and previous != SHOWN and value >= 0:
            counts[seat] = 0
        if (kind == DEALT or kind == DREW or kind == RECEIVED or kind == SHOWN) and value >= 0:
            hands[seat, counts[seat]] = value
            counts[seat] += 1
        elif kind == LAID:
            counts[seat] -= 1  # the card drawn in the row before
        elif kind == JUMPED or (kind == ACTION and value < DRAW):
            _remove_played(hands, counts, seat, value)
        elif kind == SWAPPED:
            _swap(hands, counts, seat, value)
            if viewer == seat or viewer == value:
                counts[viewer] = 0  # the hand he received is told card by card
        elif kind == ROTATED:
            _rotate(hands, counts, value)
            counts[viewer] = 0
        previous = kind


@njit
def _remove_played(hands, counts, seat, action):
    """Take the card laid by `action`, or jumped in with, out of what is known of the hand of `seat`.

    The history tells of a wild its face alone, but the one received first is laid; wilds not known came after those that
    are.
    """
    num_kept, face = 0, action % 15
    for k in range(counts[seat]):
        card = hands[seat, k]
        laid = card == action or (face >= WILD and card % 15 == face)
        if laid and num_kept == k:
            continue
        hands[seat, num_kept] = card
        num_kept += 1
    counts[seat] = num_kept


@njit
def _swap(hands, counts, seat, other):
    for k in range(max(counts[seat], counts[other])):
        hands[seat, k], hands[other, k] = hands[other, k], hands[seat, k]
    counts[seat], counts[other] = counts[other], counts[seat]


@njit
def _rotate(hands, counts, direction):
    """Pass every hand on to the next seat in this direction."""
    last = len(counts) - 1
    for k in range(last):
        seat = k if direction < 0 else last - 1 - k
        _swap(hands, counts, seat, seat + 1)


@njit
def _add_to_known_hand(record, seat, card):
    """Add a card known to be in a hand; wilds are written in the order in which it received them."""
    if card % 15 >= WILD:
        record.clock += 1
        record.received[wild_index(card)] = record.clock
    bit = ONE << np.uint64(card)
    record.twice[seat] |= record.once[seat] & bit
    record.once[seat] |= bit
