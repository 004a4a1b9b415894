"""Dialog in which the person names the color of a wild."""

from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widgets import Button

from cardgames.tui.screens.placed_dialog import PlacedDialog
from cardgames.tui.uno.wording import COLORS


class ColorPicker(PlacedDialog[int | None]):
    """Dialog that offers the colors for a wild; its result is the action with that color, or None if it is closed.

    A color is chosen by its letter, the arrow keys or the mouse.
    """

    BINDINGS = [
        Binding("left,up", "app.focus_previous", "previous", show=False),
        Binding("right,down", "app.focus_next", "next", show=False),
    ]

    def __init__(self, title: str, actions: Sequence[tuple[str, int]], hint: Callable[[], object]) -> None:
        """Create the dialog.

        Args:
            title: Title of the box.
            actions: (letter of a color, action that names the color) for each color offered.
            hint: Function that requests a hint.
        """
        super().__init__(hint)
        self._title, self._actions = title, dict(actions)

    def compose(self) -> ComposeResult:
        """Lay out a button for each color."""
        with Vertical(classes="box") as box:
            box.border_title = self._title
            box.border_subtitle = "h: hint · esc: another card"
            with Horizontal(classes="colors"):
                for letter in self._actions:
                    name = COLORS[letter]
                    yield Button(f"{letter.upper()}  {name}", id=f"color-{letter}", classes=f"color card-{name}")

    def suggest(self, action: int) -> None:
        """Focus the button of the color that `action` names, which a hint recommends."""
        for letter, color_action in self._actions.items():
            if color_action == action:
                for button in self.query(f"#color-{letter}"):
                    button.focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Close the dialog with the action of the color whose button was pressed."""
        self.dismiss(self._actions[str(event.button.id)[-1]])

    def on_key(self, event: events.Key) -> None:
        """Close the dialog with the action of the color whose letter was pressed."""
        if event.character in self._actions:
            event.stop()
            self.dismiss(self._actions[event.character])
