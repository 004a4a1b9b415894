"""What the hands of all games share: cards that the arrows walk over."""

from typing import ClassVar, Generic, TypeVar

from textual.binding import Binding
from textual.widget import Widget

CardT = TypeVar("CardT", bound=Widget)


class WalkedHand(Widget, Generic[CardT]):
    """A hand of cards, which are widgets of one class; a game's own is a container too."""

    BINDINGS = [
        Binding("left", "walk(-1)", "previous card", show=False, priority=True),
        Binding("right", "walk(1)", "next card", show=False, priority=True),
    ]

    CARD: ClassVar[type[Widget]]

    @property
    def cards(self) -> list[CardT]:
        """The cards in the order shown."""
        return list(self.query(self.CARD))  # type: ignore[arg-type]

    @property
    def focused_card(self) -> CardT | None:
        """The card under the cursor."""
        return next((card for card in self.cards if card is self.screen.focused), None)

    def action_walk(self, step: int) -> None:
        """Move the focus to the next or previous card."""
        cards, at = self.cards, self.focused_card
        if cards:
            self.screen.set_focus(cards[0 if at is None else (cards.index(at) + step) % len(cards)])
