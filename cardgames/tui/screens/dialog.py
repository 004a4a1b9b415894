"""What all dialogs share: a box over the table, with the cards and the search still in sight."""

from collections.abc import Callable
from string import ascii_letters, digits
from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.screen import ModalScreen

from cardgames.tui.terminal_app import TerminalApp

Result = TypeVar("Result")


def letters(action: str, taken: str = "") -> list[Binding]:
    """Return the bindings of any letter or digit that is not `taken` to an action of the screen, which takes it.

    They come before the focused widget's: what follows in a burst must find what the key before has made of the screen.
    """
    free = [character for character in ascii_letters + digits if character not in taken]
    return [Binding(character, f"{action}('{character}')", show=False, priority=True) for character in free]


class Dialog(ModalScreen[Result]):
    """A question over the table; escape looks at the table again without an answer."""

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
        """The key that leaves the app."""
        assert isinstance(self.app, TerminalApp)
        return self.app.leave_key

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave by the app's own key alone: another one may name a card, typed as it opened."""
        return action != "leave" or parameters == (self.leave_key,)

    def action_leave(self, key: str) -> None:
        """Leave the app."""
        assert isinstance(self.app, TerminalApp)
        self.app.action_leave()

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close, once: keys that come in a burst find the dialog although one of them has closed it already."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def action_hint(self) -> None:
        """Ask for a hint, which shows beside the dialog."""
        if self._hint is not None:
            self._hint()
