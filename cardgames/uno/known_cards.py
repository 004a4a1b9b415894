"""Cards that a seat knows to be in other hands: it saw or passed on the hand, and they have not been played since."""

import numpy as np

from cardgames.core.events import ACTION
from cardgames.kernels.bits import ONE
from cardgames.kernels.jit import njit
from cardgames.uno.cards import DRAW, NUM_CARDS, WILD
from cardgames.uno.events import DEALT, DREW, JUMPED, LAID, RECEIVED, ROTATED, SHOWN, SWAPPED
from cardgames.uno.piles import wild_index


@njit
def write_known_cards(record, events, viewer):
    """Add to an observation's `record` what its `viewer` remembers of the round.

    These are the cards that the viewer knows to be in other hands, and the number of decisions that it saw. Private
    decisions of others, and those before the history begins, are not counted. `events` (`[n, 3] int32`) is the history
    as the viewer saw it (`core.events`).
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
    """Return whether the event rows `events` contain a hand shown, received, swapped or rotated."""
    for row in range(len(events)):
        if SHOWN <= events[row, 0] <= ROTATED:
            return True
    return False


@njit
def _track_known_hands(events, viewer, hands, counts):
    """Replay the event rows `events` and write the cards that `viewer` knows to be in each hand into `hands`.

    `hands[seat, : counts[seat]]` are the card ids known to be in the hand of `seat`, in the order received.
    """
    previous = np.int64(-1)
    for row in range(len(events)):
        kind, seat, value = np.int64(events[row, 0]), np.int64(events[row, 1]), np.int64(events[row, 2])
        if kind == SHOWN and previous != SHOWN and value >= 0:
            counts[seat] = 0
        if (kind == DEALT or kind == DREW or kind == RECEIVED or kind == SHOWN) and value >= 0:
            hands[seat, counts[seat]] = value
            counts[seat] += 1
        elif kind == LAID:
            counts[seat] -= 1  # the card drawn in the previous row
        elif kind == JUMPED or (kind == ACTION and value < DRAW):
            _remove_played(hands, counts, seat, value)
        elif kind == SWAPPED:
            _swap(hands, counts, seat, value)
            if viewer == seat or viewer == value:
                counts[viewer] = 0  # the events that follow list the hand received card by card
        elif kind == ROTATED:
            _rotate(hands, counts, value)
            counts[viewer] = 0
        previous = kind


@njit
def _remove_played(hands, counts, seat, action):
    """Remove the card that `seat` played from its known cards, if it is among them.

    `action` is the action id of the play, or the card id of a jump-in. The history records only the face of a wild, but
    the wild received first is the one played; wilds that are not known came after those that are.
    """
    num_remaining, face = 0, action % 15
    for k in range(counts[seat]):
        card = hands[seat, k]
        is_played = card == action or (face >= WILD and card % 15 == face)
        if is_played and num_remaining == k:
            continue
        hands[seat, num_remaining] = card
        num_remaining += 1
    counts[seat] = num_remaining


@njit
def _swap(hands, counts, seat, other):
    """Exchange the known cards (`hands`, `counts`) of the seats `seat` and `other`."""
    for k in range(max(counts[seat], counts[other])):
        hands[seat, k], hands[other, k] = hands[other, k], hands[seat, k]
    counts[seat], counts[other] = counts[other], counts[seat]


@njit
def _rotate(hands, counts, direction):
    """Pass the known cards of every seat on to the next seat in `direction` (1 or -1), as all hands were passed on."""
    last = len(counts) - 1
    for k in range(last):
        seat = k if direction < 0 else last - 1 - k
        _swap(hands, counts, seat, seat + 1)


@njit
def _add_to_known_hand(record, seat, card):
    """Add the card id `card` to the known hand of `seat` in an observation's `record`.

    A wild is recorded as received after all wilds added before.
    """
    if card % 15 >= WILD:
        record.clock += 1
        record.received[wild_index(card)] = record.clock
    bit = ONE << np.uint64(card)
    record.twice[seat] |= record.once[seat] & bit
    record.once[seat] |= bit
