"""Dialog that asks whether to leave an unfinished round or match."""

from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from cardgames.tui.screens.dialog import Dialog

_ENTER = "enter", "ctrl+j"
"""Names under which Textual reports the enter key; some terminal programs send the second."""


class LeaveDialog(Dialog[bool | None]):
    """Dialog that asks whether to leave the table; its result is True to leave.

    Any other letter stays at the table: it may continue a word that began with the leave key.
    """

    AUTO_FOCUS = ""  # otherwise the enter after such a word would press a button

    def __init__(self, unfinished: str, record: Path | None) -> None:
        """Create the dialog.

        Args:
            unfinished: What would be broken off: `round` or `match`.
            record: File from which the game can be resumed, None if it is not saved.
        """
        super().__init__()
        later = "This game is not saved." if record is None else f"Resume it later with --resume {record}."
        self._text = f"The {unfinished} is not over. {later}"

    def compose(self) -> ComposeResult:
        """Lay out the dialog."""
        with Vertical(classes="box") as box:
            box.border_title = "Leave the table?"
            box.border_subtitle = "any other letter or enter: stay"
            yield Static(self._text, classes="text", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("n  Stay", id="stay", compact=True, variant="primary")
                yield Button(f"{self.leave_key}  Leave", id="leave", compact=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Treat the hint key like any other letter."""
        return action != "hint" and super().check_action(action, parameters)

    def on_key(self, event: events.Key) -> None:
        """Leave on the leave key; stay on any other letter, and on enter unless a button has the focus."""
        if event.is_printable or (event.key in _ENTER and self.focused is None):
            event.stop()
            self.dismiss(event.character == self.leave_key)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Close the dialog with the answer of the pressed button, stay or leave."""
        self.dismiss(event.button.id == "leave")
