"""Whether to leave a round that is not over."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from cardgames.tui.screens.dialog import Dialog


class Leave(Dialog[bool | None]):
    """Asks once more; its result is True when the table is to be left."""

    AUTO_FOCUS = ""  # enter, behind a word that began with the key for leaving, shall choose nothing
    BINDINGS = [Binding("y", "dismiss(True)", "leave", show=False), Binding("n", "dismiss(None)", "stay", show=False)]

    def __init__(self, lost: str) -> None:
        """Ask; `lost` is what ends with leaving."""
        super().__init__()
        self._lost = lost

    def compose(self) -> ComposeResult:
        """Make the box."""
        with Vertical(classes="box") as box:
            box.border_title = "Leave the table?"
            yield Static(f"The {self._lost} is not over, and cannot be gone on with later.", classes="text")
            with Horizontal(classes="buttons"):
                yield Button("n  Stay", id="stay", compact=True, variant="primary")
                yield Button(f"{self.leave_key}  Leave", id="leave", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Stay or leave."""
        self.dismiss(event.button.id == "leave")
