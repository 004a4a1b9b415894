"""What all dialogs share: a box over the table, with the cards and the search still in sight."""

from collections.abc import Callable
from string import ascii_letters, digits
from typing import Any, TypeVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.geometry import Region
from textual.screen import ModalScreen, Screen

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
        self._found_on: tuple[Region, int, int] | None = None

    def on_mount(self) -> None:
        """Find the box's place whenever the dialog, or what is below it, has been laid out."""
        for screen in (self, self._below):
            if screen is not None:
                screen.screen_layout_refresh_signal.subscribe(self, self._laid_out)

    def _laid_out(self, _: Screen[Any]) -> None:
        self.find_place()

    def find_place(self) -> None:
        """Put a box at the left of the screen below what lies on the table; what has no room there is `-beside` it, over the
        log, and `-brief` where it is longer than that: without its text, which the line below the table says.
        """
        ground = self._ground()
        placed = self._found_on is not None
        if ground is None or not (placed or self.styles.align_horizontal == "left"):
            return
        if ground != self._found_on:
            self._found_on = ground
            self.remove_class("-low", "-beside", "-brief")
            self.call_after_refresh(self.find_place)
            return
        table, bottom, log_height = ground
        box = self.query_one(".box")
        height = box.outer_size.height
        if self.has_class("-beside"):
            if height > log_height:
                self.add_class("-brief")
            return
        low = height <= table.bottom - 1 - bottom
        self.set_class(low, "-low")
        self.set_class(not low, "-beside")
        box.styles.margin = (1, 0, self.app.size.height - table.bottom if low else 0, 0)
        box.styles.max_width = table.width

    def _ground(self) -> tuple[Region, int, int] | None:
        """Return where the table below is, where that ends which lies on it, and how high the log is; None if there is no
        table, or a key that came with the first ones has closed the dialog.
        """
        below = self._below
        if below is None or not below.query("#table"):
            return None
        table, log = below.query_one("#table"), below.query_one("#log")
        return table.region, max(part.region.bottom for part in table.children), log.outer_size.height

    @property
    def _below(self) -> Screen[Any] | None:
        screens = self.app.screen_stack
        return screens[screens.index(self) - 1] if self in screens else None

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
