"""Input line in which a person types a move."""

from textual.binding import Binding

from cardgames.tui.widgets.text_input import TextInput


class MoveInput(TextInput):
    """Input line for a move; it is hidden until the person begins to type."""

    BINDINGS = [Binding("enter", "submit", "play it"), Binding("escape", "screen.close_input", "close")]

    def __init__(self, example: str) -> None:
        """Create the input line; it shows `example` while nothing is typed."""
        super().__init__(placeholder=example, id="move", compact=True, select_on_focus=False)

    def open(self, begun: str) -> None:
        """Show and focus the input line, with the characters typed so far."""
        self.value = ""  # so that `Input.Changed` is sent even if the text is the one typed last
        self.value = begun
        self.cursor_position = len(begun)
        self.display = True
        self.screen.set_focus(self)  # at once: the next key may already be on its way

    def close(self) -> None:
        """Hide the input line."""
        self.display = False
