"""A card of the person's hand: low as long as it stays there, high once it is chosen."""

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import Static


class HeldCard(Static, can_focus=True):
    """One card; a click chooses it, or puts it back."""

    ALLOW_SELECT = False

    @dataclass
    class Clicked(Message):
        """The mouse was pressed on a card."""

        card: "HeldCard"

    def __init__(self, card: str) -> None:
        super().__init__(card, classes="joker" if card in "BR" else "")
        self.card = card
        self.chosen = False
        self.choose(False)

    def choose(self, chosen: bool) -> None:
        """Raise the card, or lower it."""
        self.chosen = chosen
        self.set_class(chosen, "-chosen")
        self.update(f"{self.card}\n " if chosen else f" \n{self.card}")

    def on_click(self, event: events.Click) -> None:
        """Tell the hand."""
        event.stop()
        self.post_message(self.Clicked(self))
