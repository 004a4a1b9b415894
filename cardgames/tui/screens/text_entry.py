"""A dialog for one line of text."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from cardgames.tui.screens.dialog import Dialog
from cardgames.tui.widgets.text_input import TextInput


class TextEntry(Dialog[str | None]):
    """Asks for one line; its result is the text, or None."""

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """Make the box."""
        with Vertical(classes="box") as box:
            box.border_title = self._title
            box.border_subtitle = "enter · esc leaves it"
            yield TextInput(self._text, compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with what was typed."""
        self.dismiss(event.value.strip())
