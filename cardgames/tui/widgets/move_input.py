"""The line in which a move may be typed."""

from textual.binding import Binding

from cardgames.tui.widgets.text_input import TextInput


class MoveInput(TextInput):
    """Hidden until it is wanted."""

    BINDINGS = [Binding("enter", "submit", "play it"), Binding("escape", "screen.close_input", "close")]

    def __init__(self, example: str) -> None:
        """Say `example` as long as nothing is typed."""
        super().__init__(placeholder=example, id="move", compact=True, select_on_focus=False)

    def open(self, begun: str) -> None:
        """Show the line with what was begun."""
        self.value = ""  # what was begun is a change even where it is what was typed last
        self.value = begun
        self.cursor_position = len(begun)
        self.display = True
        self.screen.set_focus(self)  # at once: the next key may be on its way already

    def close(self) -> None:
        """Hide the line."""
        self.display = False
