"""Whether to leave a round that is not over."""

from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from cardgames.tui.screens.dialog import Dialog

_ENTER = "enter", "ctrl+j"
"""The second is how some programs send the first."""


class LeaveDialog(Dialog[bool | None]):
    """Asks once more; its result is True when the table is to be left.

    Any other letter stays: it is the next one of a word that began with the key for leaving.
    """

    AUTO_FOCUS = ""  # lest enter behind such a word press a button

    def __init__(self, unfinished: str, record: Path | None) -> None:
        """Ask; `unfinished` is what is broken off, which goes on later if there is a `record` of it."""
        super().__init__()
        later = "cannot be gone on with later" if record is None else f"--resume {record} goes on with it"
        self._text = f"The {unfinished} is not over, and {later}."

    def compose(self) -> ComposeResult:
        """Make the box."""
        with Vertical(classes="box") as box:
            box.border_title = "Leave the table?"
            box.border_subtitle = "any other letter, or enter, stays"
            yield Static(self._text, classes="text", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("n  Stay", id="stay", compact=True, variant="primary")
                yield Button(f"{self.leave_key}  Leave", id="leave", compact=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Take the key for hints as any other."""
        return action != "hint" and super().check_action(action, parameters)

    def on_key(self, event: events.Key) -> None:
        """Leave if it is said again, and stay for any other letter; for enter too, where it presses no button."""
        if event.is_printable or (event.key in _ENTER and self.focused is None):
            event.stop()
            self.dismiss(event.character == self.leave_key)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Stay or leave."""
        self.dismiss(event.button.id == "leave")
