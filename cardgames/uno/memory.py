"""What a seat remembers of hidden hands: hands it passed on or was shown, until their cards are played."""

from typing import Any

import numpy as np

from cardgames.core.events import ACTION
from cardgames.uno.cards import DRAW, JUMP, WILD
from cardgames.uno.events import (
    DEALT,
    DREW,
    LAID,
    RECEIVED,
    ROTATED,
    SHOWN,
    SWAPPED,
    TURNED,
)
from cardgames.uno.piles import wild_index


def _forget(hand: list[int], action: int) -> None:
    """Take the card laid by `action` out of what is known of a hand (in the order in which it was received).

    The history tells of a wild its face alone, but the one received first is laid; wilds not known came after those that
    are.
    """
    if action % 15 < WILD:
        if action in hand:
            hand.remove(action)
        return
    alike = next((card for card in hand if card % 15 == action % 15), None)
    if alike is not None:
        hand.remove(alike)


class Memory:
    """What one seat knows of every hand, its own included, following the events it sees."""

    def __init__(self, players: int, viewer: int):
        self.viewer = viewer
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.top = -1
        self._previous = -1

    def follow(self, kind: int, seat: int, value: int) -> None:
        """Take in one row of the viewer's view of the history."""
        if kind == SHOWN and self._previous != SHOWN and value >= 0:
            self.hands[seat] = []
        if kind in (DEALT, DREW, RECEIVED, SHOWN) and value >= 0:
            self.hands[seat].append(value)
        elif kind == TURNED:
            self.top = value
        elif kind == LAID:
            self.hands[seat].pop()  # the card drawn in the row before
            self.top = value
        elif kind == ACTION and (value < DRAW or value == JUMP):
            self._lay(seat, self.top if value == JUMP else value)
        elif kind == SWAPPED:
            self.hands[seat], self.hands[value] = self.hands[value], self.hands[seat]
            self._look_anew(self.viewer in (seat, value))
        elif kind == ROTATED:
            n = len(self.hands)
            self.hands = [self.hands[(i - value) % n] for i in range(n)]
            self._look_anew(True)
        self._previous = kind

    def _lay(self, seat: int, card: int) -> None:
        _forget(self.hands[seat], card)
        self.top = card

    def _look_anew(self, moved: bool) -> None:
        if moved:
            self.hands[self.viewer] = []


def recall(record: Any, events: Any, viewer: int) -> None:
    """Add the cards the viewer knows to be in other hands to his observation's record."""
    if not len(events) or events[:, 0].max() < SHOWN:
        return
    memory = Memory(int(record.players), viewer)
    for kind, seat, value in _telling(events).tolist():
        memory.follow(kind, seat, value)
    for seat, hand in enumerate(memory.hands):
        if seat != viewer:
            _write(record, seat, hand)


def _telling(events: Any) -> Any:
    """Return the rows that move known cards: neither draws of hidden ones nor decisions that lay none."""
    kind, value = events[:, 0], events[:, 2]
    idle = (kind == ACTION) & (value >= DRAW) & (value != JUMP)
    hidden = (value < 0) & ((kind == DREW) | (kind == DEALT))
    return events[~(idle | hidden)]


def _write(record: Any, seat: int, hand: list[int]) -> None:
    """Add cards known to be in a hand, in the order in which it received them."""
    for card in hand:
        if card % 15 >= WILD:
            record.clock += 1
            record.received[wild_index(card)] = record.clock
        bit = np.uint64(1 << card)
        if record.once[seat] & bit:
            record.twice[seat] |= bit
        record.once[seat] |= bit
