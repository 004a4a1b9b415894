"""Whether to leave a round that is not over."""

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from cardgames.tui.screens.dialog import Dialog


class Leave(Dialog[bool | None]):
    """Asks once more; its result is True when the table is to be left.

    Any other key stays: it is the next letter of a word that began with the key for leaving.
    """

    AUTO_FOCUS = ""  # and enter behind such a word chooses nothing

    def __init__(self, lost: str) -> None:
        """Ask; `lost` is what ends with leaving."""
        super().__init__()
        self._lost = lost

    def compose(self) -> ComposeResult:
        """Make the box."""
        with Vertical(classes="box") as box:
            box.border_title = "Leave the table?"
            box.border_subtitle = "any other key stays"
            yield Static(f"The {self._lost} is not over, and cannot be gone on with later.", classes="text")
            with Horizontal(classes="buttons"):
                yield Button("n  Stay", id="stay", compact=True, variant="primary")
                yield Button(f"{self.leave_key}  Leave", id="leave", compact=True)

    def on_key(self, event: events.Key) -> None:
        """Leave if it is said again, and stay for any other letter."""
        if event.is_printable:
            event.stop()
            self.dismiss(event.character == self.leave_key)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Stay or leave."""
        self.dismiss(event.button.id == "leave")
