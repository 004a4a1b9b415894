"""Left and right keys that move the focus between the cards of a hand, for the hand widgets of all games."""

from collections.abc import Sequence
from typing import TypeVar

from textual.binding import Binding
from textual.widget import Widget

Card = TypeVar("Card", bound=Widget)

ARROW_KEYS = [
    Binding("left", "move_focus(-1)", "previous card", show=False, priority=True),
    Binding("right", "move_focus(1)", "next card", show=False, priority=True),
]
"""Bindings of the left and right keys to a hand's action `move_focus`; they take priority over the screen's bindings."""


def focused(cards: Sequence[Card]) -> Card | None:
    """Return the card in `cards` that has the focus; None if none has it."""
    return next((card for card in cards if card is card.screen.focused), None)


def move_focus(cards: Sequence[Card], step: int) -> None:
    """Move the focus by `step` cards, from the last to the first and back; without a focused card, to the first."""
    if cards:
        at = focused(cards)
        target = cards[0 if at is None else (cards.index(at) + step) % len(cards)]
        target.screen.set_focus(target)
