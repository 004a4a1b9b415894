"""A line to type in."""

from textual import events
from textual.widgets import Input


class TextInput(Input):
    """Edits in the order of the keys, however fast they come."""

    async def on_key(self, event: events.Key) -> None:
        """Do at once what a key is bound to here: by itself it goes up to the app first, and letters behind overtake it."""
        active = self.screen.active_bindings.get(event.key)
        if active is not None and active.node is self:
            event.stop()
            await self.run_action(active.binding.action)
