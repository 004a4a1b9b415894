"""Class `UnplacedCards`: the cards of the deck that a position being set up has not placed in a hand or elsewhere yet."""

import numpy as np

from cardgames.doudizhu.cards import DECK, NUM_RANKS, RANKS, copies_of_rank, ranks_of, subtract_cards
from cardgames.doudizhu.state import PLAYERS
from cardgames.support.errors import InvalidInput


class UnplacedCards:
    """Cards of the deck that are not placed yet while a position is set up by hand.

    Cards can also be reserved for a seat: they are the seat's, but whether it holds them or has played them is open.
    """

    def __init__(self) -> None:
        self.left = ranks_of(DECK)
        self.reserved = [0] * PLAYERS
        """[seats] the cards, as a hand, that each seat is known to have had and may still hold or have played."""

    def take(self, hand: int) -> int:
        """Remove the cards of `hand` from the unplaced cards and return `hand`.

        Raises:
            InvalidInput: If one of the cards is already placed.
        """
        for rank in ranks_of(hand):
            if rank not in self.left:
                raise InvalidInput(f"the position has more cards of rank {RANKS[rank]} than the deck")
            self.left.remove(rank)
        return hand

    def has_cards_for(self, seat: int, hand: int) -> bool:
        """Return whether the cards of `hand` are all unplaced or reserved for `seat`."""
        rest = subtract_cards(hand, self.reserved[seat])
        return all(self.left.count(rank) >= copies_of_rank(rest, rank) for rank in range(NUM_RANKS))

    def take_reserved(self, seat: int, hand: int) -> int:
        """Remove the cards of `hand` from the reserved cards of `seat` or, where it has none, from the unplaced cards.

        Returns `hand`.

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
            seat: Seat whose reserved cards are split; it has none afterwards.
            held: Number of cards in the seat's hand.
            shed: Number of cards that the seat has played and that have no rank yet.
            random: Random generator.
        """
        cards, self.reserved[seat] = ranks_of(self.reserved[seat]), 0
        parts = [0, 0]
        for rank, place in zip(cards, random.choice(held + shed, len(cards), replace=False), strict=True):
            parts[int(place >= held)] += 1 << 4 * rank
        return parts[0], parts[1]

    def draw(self, n: int, random: np.random.Generator) -> int:
        """Remove `n` random cards from the unplaced cards and return them as a hand.

        Raises:
            InvalidInput: If fewer than `n` cards are unplaced.
        """
        if n > len(self.left):
            raise InvalidInput(f"the position needs {n} more cards, but only {len(self.left)} are left in the deck")
        random.shuffle(self.left)
        taken, self.left = self.left[:n], self.left[n:]
        return sum(1 << 4 * rank for rank in taken)
