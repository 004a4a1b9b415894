"""Cards of the deck that a position being set up has not placed yet."""

import numpy as np

from cardgames.doudizhu.cards import DECK, NUM_RANKS, RANKS, copies_of_rank, ranks_of, subtract_cards
from cardgames.doudizhu.state import PLAYERS
from cardgames.support.errors import InvalidInput


class UnplacedCards:
    """Cards not placed yet; some of them may be reserved for one seat."""

    def __init__(self) -> None:
        self.left = ranks_of(DECK)
        self.reserved = [0] * PLAYERS
        """Hands [players] of cards that the seat was dealt and that it may still hold or have played."""

    def take(self, hand: int) -> int:
        """Remove the cards of `hand` and return it.

        Raises:
            InvalidInput: If one of the cards is already placed.
        """
        for rank in ranks_of(hand):
            if rank not in self.left:
                raise InvalidInput(f"the position has more cards of rank {RANKS[rank]} than the deck")
            self.left.remove(rank)
        return hand

    def has_cards_for(self, seat: int, hand: int) -> bool:
        """Return whether a seat can be given the cards of `hand`, its reserved cards included."""
        rest = subtract_cards(hand, self.reserved[seat])
        return all(self.left.count(rank) >= copies_of_rank(rest, rank) for rank in range(NUM_RANKS))

    def take_reserved(self, seat: int, hand: int) -> int:
        """Remove the cards of `hand`, taking the seat's reserved cards first, and return it.

        Raises:
            InvalidInput: If one of the cards is already placed.
        """
        rest = subtract_cards(hand, self.reserved[seat])
        self.reserved[seat] = subtract_cards(self.reserved[seat], hand)
        self.take(rest)
        return hand

    def divide_reserved(self, seat: int, held: int, shed: int, random: np.random.Generator) -> tuple[int, int]:
        """Split a seat's reserved cards at random into two hands: those it still holds and those it has played.

        Args:
            seat: The seat.
            held: Number of cards in its hand.
            shed: Number of cards it has played that are not placed yet.
            random: Source of randomness.
        """
        cards, self.reserved[seat] = ranks_of(self.reserved[seat]), 0
        parts = [0, 0]
        for rank, place in zip(cards, random.choice(held + shed, len(cards), replace=False), strict=True):
            parts[int(place >= held)] += 1 << 4 * rank
        return parts[0], parts[1]

    def draw(self, n: int, random: np.random.Generator) -> int:
        """Remove `n` random cards and return them as a hand. Raises `InvalidInput` if fewer are left."""
        if n > len(self.left):
            raise InvalidInput(f"the position needs {n} more cards, but only {len(self.left)} are left in the deck")
        random.shuffle(self.left)
        taken, self.left = self.left[:n], self.left[n:]
        return sum(1 << 4 * rank for rank in taken)
