"""The keys that do something now, in the last line of a screen."""

from typing import Any

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Footer


class KeyBar(Footer):
    """Is laid out anew only if it has other keys to show. Textual says that bindings have changed whenever the focus moves,
    and a footer makes a widget of every key.
    """

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)
        self._shown: list[tuple[Any, ...]] | None = None

    def compose(self) -> ComposeResult:
        """Lay the keys out."""
        self._shown = self._keys() if self._bindings_ready else None
        yield from super().compose()

    def bindings_changed(self, screen: Screen[Any]) -> Any:
        """Show the keys of a screen; what that returns is Textual's to wait for."""
        if self.is_attached and screen is self.screen and self._keys() == self._shown:
            return None
        return super().bindings_changed(screen)

    def _keys(self) -> list[tuple[Any, ...]]:
        """Return the bindings that are to be seen now, whether each can be used, and its tooltip."""
        return [tuple(found[1:]) for found in self.screen.active_bindings.values() if found[1].show]
