"""A card of the person's hand: letters first, colour second, a marker where it may be played."""

from dataclasses import dataclass

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.widgets import Static

from cardgames.tui.uno.wording import card_name, group_of

PLAYABLE, SUGGESTED = ">", "*"
"""The markers of a card that may be played, and of the one a hint names."""


class Card(Static, can_focus=True):
    """One card, chosen with enter, space or a click."""

    ALLOW_SELECT = False  # a second click may meet a card that has just been played, which has no place to select from
    # done by the screen, before the keys behind it: those of other actions would overtake it on its way there
    BINDINGS = [Binding("enter,space", "screen.choose_focused", "play", show=False, priority=True)]

    @dataclass
    class Chosen(Message):
        """The person wants to play a card."""

        card: str

    def __init__(self, card: str, *, playable: bool) -> None:
        super().__init__(classes=f"card-{group_of(card)}")
        self.card = card
        self.playable = playable
        self.set_class(playable, "-playable")
        self.mark(suggested=False)

    def mark(self, *, suggested: bool) -> None:
        """Show whether a hint names this card."""
        self.set_class(suggested, "-suggested")
        marker = SUGGESTED if suggested else PLAYABLE if self.playable else " "
        self.update(f"{marker}{card_name(self.card)} ")

    def on_click(self, event: events.Click) -> None:
        """Choose by mouse."""
        event.stop()
        self.post_message(self.Chosen(self.card))
