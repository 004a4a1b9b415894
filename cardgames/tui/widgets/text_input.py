"""Input line that handles keys in the order in which they arrive."""

from textual import events
from textual.widgets import Input


class TextInput(Input):
    """Input line that stays correct however fast keys arrive."""

    async def on_key(self, event: events.Key) -> None:
        """Run the action of a key at once; Textual would send it through the app, and later letters overtake it."""
        active = self.screen.active_bindings.get(event.key)
        if active is not None and active.node is self:
            event.stop()
            await self.run_action(active.binding.action)
