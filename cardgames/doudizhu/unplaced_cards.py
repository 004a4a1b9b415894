"""The cards that a position leaves to find a place for."""

import numpy as np

from cardgames.doudizhu.cards import DECK, NUM_RANKS, RANKS, copies_of_rank, ranks_of, subtract_cards
from cardgames.doudizhu.state import PLAYERS
from cardgames.support.errors import InvalidInput


class UnplacedCards:
    """The cards of the deck not placed yet, some of which can be one seat's alone."""

    def __init__(self) -> None:
        self.left = ranks_of(DECK)
        self.reserved = [0] * PLAYERS
        """Hands [players] that each seat was dealt; whether it still holds them is open."""

    def take(self, hand: int) -> int:
        """Take the cards of a hand out of the box and return it. Raises `InvalidInput` if one is not there."""
        for rank in ranks_of(hand):
            if rank not in self.left:
                raise InvalidInput(f"there are not that many cards {RANKS[rank]} in the deck")
            self.left.remove(rank)
        return hand

    def has_cards_for(self, seat: int, hand: int) -> bool:
        """Return whether a seat may have the cards of a hand."""
        rest = subtract_cards(hand, self.reserved[seat])
        return all(self.left.count(rank) >= copies_of_rank(rest, rank) for rank in range(NUM_RANKS))

    def take_reserved(self, seat: int, hand: int) -> int:
        """Take the cards of a hand, first those that are the seat's own, and return it. Raises `InvalidInput` likewise."""
        rest = subtract_cards(hand, self.reserved[seat])
        self.reserved[seat] = subtract_cards(self.reserved[seat], hand)
        self.take(rest)
        return hand

    def divide_reserved(self, seat: int, held: int, shed: int, random: np.random.Generator) -> tuple[int, int]:
        """Return a seat's own cards in two hands: those that it holds among so many, and those it has shed among so many."""
        cards, self.reserved[seat] = ranks_of(self.reserved[seat]), 0
        parts = [0, 0]
        for rank, place in zip(cards, random.choice(held + shed, len(cards), replace=False), strict=True):
            parts[int(place >= held)] += 1 << 4 * rank
        return parts[0], parts[1]

    def draw(self, n: int, random: np.random.Generator) -> int:
        """Take `n` random cards and return them as a hand. Raises `InvalidInput` if there are fewer."""
        if n > len(self.left):
            raise InvalidInput(f"the position needs {n} more cards, but only {len(self.left)} of the deck are left")
        random.shuffle(self.left)
        taken, self.left = self.left[:n], self.left[n:]
        return sum(1 << 4 * rank for rank in taken)
