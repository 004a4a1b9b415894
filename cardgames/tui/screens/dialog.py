"""Base class of dialogs: a box over the table that leaves cards and search visible."""

from collections.abc import Callable
from string import ascii_letters, digits
from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.screen import ModalScreen

from cardgames.tui.base_app import BaseApp

Result = TypeVar("Result")


def letter_bindings(action: str, taken: str = "") -> list[Binding]:
    """Return bindings of all letters and digits not in `taken` to a screen's action that takes the character.

    They take priority over the focused widget, so that in a burst of keys each acts on what the last one changed.
    """
    free = [character for character in ascii_letters + digits if character not in taken]
    return [Binding(character, f"{action}('{character}')", show=False, priority=True) for character in free]


class Dialog(ModalScreen[Result]):
    """Dialog over the table; escape closes it without an answer (result None)."""

    BINDINGS = [
        Binding("escape", "dismiss(None)", "look at the table", show=False),
        Binding("h", "hint", "hint", show=False),
        Binding("question_mark,f1", "app.help", "help", show=False),
        Binding("q", "leave('q')", "quit", show=False),
        Binding("x", "leave('x')", "quit", show=False),
    ]

    def __init__(self, hint: Callable[[], object] | None = None) -> None:
        super().__init__()
        self._hint = hint

    @property
    def leave_key(self) -> str:
        """Key that ends the app."""
        assert isinstance(self.app, BaseApp)
        return self.app.leave_key

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action may run: of the keys q and x, only the app's leave key leaves it.

        The other key may be a card that was being typed when the dialog opened.
        """
        return action != "leave" or parameters == (self.leave_key,)

    def action_leave(self, key: str) -> None:
        """Leave the app."""
        assert isinstance(self.app, BaseApp)
        self.app.action_leave()

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close the dialog if it is still open: later keys of a burst may arrive after it was closed."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def action_hint(self) -> None:
        """Request a hint, which is shown beside the dialog."""
        if self._hint is not None:
            self._hint()
