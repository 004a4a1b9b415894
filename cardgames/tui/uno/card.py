"""Widget for one card of the person's hand in Uno: its name in its color, with a marker if it is playable."""

from dataclasses import dataclass

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.widgets import Static

from cardgames.tui.uno.wording import card_name, group_of

PLAYABLE, SUGGESTED = ">", "*"
"""Characters before a card that may be played (`PLAYABLE`), and before the one that a hint recommends (`SUGGESTED`)."""


class Card(Static, can_focus=True):
    """Widget for one card of the hand; enter, space or a click plays the card."""

    ALLOW_SELECT = False  # a second click may hit a card that was just played, where Textual cannot select text
    # the screen runs the action at once; sent to the screen as a message it would be overtaken by later keys
    BINDINGS = [Binding("enter,space", "screen.choose_focused", "play", show=False, priority=True)]

    @dataclass
    class Chosen(Message):
        """Message that is sent when the person plays the card by a click."""

        card: str

    def __init__(self, card: str, *, playable: bool) -> None:
        """Create the widget for a card given as text; `playable` says whether the card may be played now."""
        super().__init__(classes=f"card-{group_of(card)}")
        self.card = card
        self.playable = playable
        self.set_class(playable, "-playable")
        self.mark(suggested=False)

    def mark(self, *, suggested: bool) -> None:
        """Mark the card as the one that a hint recommends (`suggested` True), or remove that mark."""
        self.set_class(suggested, "-suggested")
        marker = SUGGESTED if suggested else PLAYABLE if self.playable else " "
        self.update(f"{marker}{card_name(self.card)} ")

    def on_click(self, event: events.Click) -> None:
        """Send `Chosen`, so that the screen plays the card."""
        event.stop()
        self.post_message(self.Chosen(self.card))
