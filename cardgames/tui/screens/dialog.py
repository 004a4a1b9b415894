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

    def on_mount(self) -> None:
        """Find the box's place, once its size is known."""
        self.call_after_refresh(self.find_place)

    def on_resize(self) -> None:
        """Find the box's place again, once it and the table below have found their sizes."""
        self.remove_class("-low", "-beside", "-brief")
        self.call_after_refresh(self.find_place)

    def find_place(self) -> None:
        """Put a box at the left of the screen below what lies on the table; what has no room there is `-beside` it, over the
        log, and `-brief` where it is longer than that.
        """
        screens = self.app.screen_stack
        if self not in screens:  # a key that came with the first ones has closed it
            return
        tables = screens[screens.index(self) - 1].query("#table")
        if self.styles.align_horizontal == "left" and tables:
            table, box = tables.first(), self.query_one(".box")
            room = table.region.bottom - 1 - max(part.region.bottom for part in table.children)
            low = box.outer_size.height <= room
            self.set_class(low, "-low")
            self.set_class(not low, "-beside")
            self.call_after_refresh(self._shorten)
            box.styles.margin = (1, 0, self.app.size.height - table.region.bottom if low else 0, 0)
            box.styles.max_width = table.region.width

    def _shorten(self) -> None:
        """Leave out the text of a box that is longer than the log: the line below the table says it."""
        screens = self.app.screen_stack
        if self in screens and self.has_class("-beside"):
            log = screens[screens.index(self) - 1].query("#log").first()
            self.set_class(self.query_one(".box").outer_size.height > log.outer_size.height, "-brief")

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
