"""Dialog in which the user types one line of text."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from cardgames.tui.screens.dialog import Dialog
from cardgames.tui.widgets.text_input import TextInput


class TextEntry(Dialog[str | None]):
    """Dialog with one input line; its result is the text, or None if it is cancelled."""

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """Lay out the dialog."""
        with Vertical(classes="box") as box:
            box.border_title = self._title
            box.border_subtitle = "enter: confirm · esc: cancel"
            yield TextInput(self._text, compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close the dialog with the text typed."""
        self.dismiss(event.value.strip())
