"""The line in which a move may be typed."""

from textual import events
from textual.binding import Binding
from textual.widgets import Input


class MoveInput(Input):
    """Hidden until it is wanted."""

    BINDINGS = [Binding("enter", "submit", "play it"), Binding("escape", "screen.close_input", "close")]

    def __init__(self, example: str) -> None:
        """Say `example` as long as nothing is typed."""
        super().__init__(placeholder=example, id="move", compact=True, select_on_focus=False)

    def open(self, begun: str) -> None:
        """Show the line with what was begun."""
        self.value = begun
        self.cursor_position = len(begun)
        self.display = True
        self.screen.set_focus(self)  # at once: the next key may be on its way already

    async def on_key(self, event: events.Key) -> None:
        """Edit at once: by itself a key that is no letter goes up to the app first, and letters behind it overtake it."""
        active = self.screen.active_bindings.get(event.key)
        if active is not None and active.node is self:
            event.stop()
            await self.run_action(active.binding.action)

    def close(self) -> None:
        """Hide the line."""
        self.display = False
