"""The keys that do something now, in the last line of a screen."""

from typing import Any

from textual.screen import Screen
from textual.widgets import Footer


class Keys(Footer):
    """Is laid out anew only if it has other keys to show. Textual says that bindings have changed whenever the focus moves,
    and a footer makes a widget of every key.
    """

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)
        self._shown: list[tuple[Any, ...]] = []

    def bindings_changed(self, screen: Screen[Any]) -> None:
        """Show the keys of a screen."""
        if screen.app.app_focus and self.is_attached and screen is self.screen:
            bindings = screen.active_bindings.values()
            shown = [(found[1].key, found[1].description, *found[2:]) for found in bindings if found[1].show]
            if shown == self._shown:
                return
            self._shown = shown
        super().bindings_changed(screen)
