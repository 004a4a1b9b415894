"""Footer line with the keys that currently work."""

from typing import Any

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Footer


class KeyBar(Footer):
    """Footer that is laid out again only if its keys have changed.

    Textual reports changed bindings whenever the focus moves, and its footer makes a widget for every key.
    """

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)
        self._shown: list[tuple[Any, ...]] | None = None

    def compose(self) -> ComposeResult:
        """Lay out the keys that currently work."""
        self._shown = self._keys() if self._bindings_ready else None
        yield from super().compose()

    def bindings_changed(self, screen: Screen[Any]) -> Any:
        """Show the changed keys of a screen; return what Textual awaits, None if nothing changes."""
        if self.is_attached and screen is self.screen and self._keys() == self._shown:
            return None
        return super().bindings_changed(screen)

    def _keys(self) -> list[tuple[Any, ...]]:
        """Return (binding, whether it is enabled, tooltip) for each key that the footer shows."""
        return [tuple(active[1:]) for active in self.screen.active_bindings.values() if active[1].show]
