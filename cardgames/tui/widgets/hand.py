"""What the hands of all games share: cards that the arrows walk over."""

from collections.abc import Sequence
from typing import TypeVar

from textual.binding import Binding
from textual.widget import Widget

Card = TypeVar("Card", bound=Widget)

WALK = [
    Binding("left", "walk(-1)", "previous card", show=False, priority=True),
    Binding("right", "walk(1)", "next card", show=False, priority=True),
]
"""The keys of a hand's action `position_history`; they go before those of the screen behind it."""


def focused(cards: Sequence[Card]) -> Card | None:
    """Return the card under the cursor."""
    return next((card for card in cards if card is card.screen.focused), None)


def position_history(cards: Sequence[Card], step: int) -> None:
    """Move the cursor to the next or previous card."""
    if cards:
        at = focused(cards)
        target = cards[0 if at is None else (cards.index(at) + step) % len(cards)]
        target.screen.set_focus(target)
