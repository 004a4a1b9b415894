"""Widget for one card of the person's hand in Dou Di Zhu; a card chosen to be played is raised by one line."""

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import Static


class HeldCard(Static, can_focus=True):
    """Widget for one card of the hand. A raised card is chosen to be played; a click sends `Clicked`."""

    ALLOW_SELECT = False

    @dataclass
    class Clicked(Message):
        """Message that is sent when the card is clicked."""

        card: "HeldCard"

    def __init__(self, card: str) -> None:
        """Create the widget, lowered, for a card given as its rank letter."""
        super().__init__(card, classes="joker" if card in "BR" else "")
        self.card = card
        self.chosen = False
        self.choose(False)

    def choose(self, chosen: bool) -> None:
        """Raise the card (`chosen` True) or lower it."""
        self.chosen = chosen
        self.set_class(chosen, "-chosen")
        self.update(f"{self.card}\n " if chosen else f" \n{self.card}")

    def on_click(self, event: events.Click) -> None:
        """Send `Clicked` to the hand."""
        event.stop()
        self.post_message(self.Clicked(self))
