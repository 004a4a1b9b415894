"""Widget for one card of the person's hand in Dou Di Zhu; a chosen card is raised by one line."""

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import Static


class HeldCard(Static, can_focus=True):
    """One card; a click raises or lowers it."""

    ALLOW_SELECT = False

    @dataclass
    class Clicked(Message):
        """Sent when a card is clicked."""

        card: "HeldCard"

    def __init__(self, card: str) -> None:
        super().__init__(card, classes="joker" if card in "BR" else "")
        self.card = card
        self.chosen = False
        self.choose(False)

    def choose(self, chosen: bool) -> None:
        """Raise or lower the card."""
        self.chosen = chosen
        self.set_class(chosen, "-chosen")
        self.update(f"{self.card}\n " if chosen else f" \n{self.card}")

    def on_click(self, event: events.Click) -> None:
        """Notify the hand."""
        event.stop()
        self.post_message(self.Clicked(self))
