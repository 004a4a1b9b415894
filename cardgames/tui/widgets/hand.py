"""Cursor keys of a hand of cards, shared by all games."""

from collections.abc import Sequence
from typing import TypeVar

from textual.binding import Binding
from textual.widget import Widget

Card = TypeVar("Card", bound=Widget)

ARROW_KEYS = [
    Binding("left", "move_focus(-1)", "previous card", show=False, priority=True),
    Binding("right", "move_focus(1)", "next card", show=False, priority=True),
]
"""Bindings of a hand's action `move_focus`; they take priority over those of the screen."""


def focused(cards: Sequence[Card]) -> Card | None:
    """Return the focused card, None if no card has the focus."""
    return next((card for card in cards if card is card.screen.focused), None)


def move_focus(cards: Sequence[Card], step: int) -> None:
    """Move the focus by `step` cards."""
    if cards:
        at = focused(cards)
        target = cards[0 if at is None else (cards.index(at) + step) % len(cards)]
        target.screen.set_focus(target)
