"""What the terminal apps share: looks, sizes, and how they end."""

import sys
from typing import Protocol, runtime_checkable

from textual import events
from textual.app import App
from textual.binding import Binding
from textual.widgets import Input

from cardgames.tui.screens.background_task import BackgroundScreen
from cardgames.tui.theme import THEMES, card_colors
from cardgames.tui.widgets.too_small_notice import MIN_SIZE, fits


@runtime_checkable
class PasteTarget(Protocol):
    """A screen that knows what to do with pasted text where no line to type in has the focus."""

    def paste_text(self, text: str) -> None:
        """Take a line of it."""
        ...


class TerminalApp(App[None]):
    """An app in the project's themes, about one screen, that lays itself out by the size of the terminal."""

    CSS_PATH = "cardgames.tcss"
    TITLE = "cardgames"
    HORIZONTAL_BREAKPOINTS = [(0, "-too-narrow"), (MIN_SIZE[0], "-narrow"), (110, "-wide"), (150, "-very-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-too-short"), (MIN_SIZE[1], "-short"), (40, "-tall")]
    leave_key = "q"
    """The key that leaves a dialog and the app."""
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [
        Binding("ctrl+c", "quit", "quit", show=False, priority=True),
        Binding("ctrl+q", "leave", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "suspend", show=False, priority=True),
        Binding("f2", "light_or_dark", "light or dark", show=False, priority=True),
    ]

    def __init__(self, screen: BackgroundScreen) -> None:
        super().__init__()
        self._first_screen = screen
        self.failure: Exception | None = None
        """What ended the app, if it was not the person."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give every theme the colours of the cards."""
        return card_colors(dark=self.current_theme.dark)

    def on_mount(self) -> None:
        """Go to the screen."""
        self.push_screen(self._first_screen)

    def on_unmount(self) -> None:
        """Stop searches and finish the record, however the app ends."""
        self._first_screen.leave()

    async def on_event(self, event: events.Event) -> None:
        """Let no key but ctrl+c, and nothing pasted, act on what the notice of a terminal too small hides, and no key at all
        on screens that are being closed.
        """
        typed = isinstance(event, events.Paste | events.Key)
        leaves = isinstance(event, events.Key) and event.key == "ctrl+c"
        if typed and not (self.is_running and (leaves or fits(*self.size))):
            return
        if (
            isinstance(event, events.Paste)
            and isinstance(self.screen, PasteTarget)
            and not isinstance(self.focused, Input)
        ):
            self._paste(self.screen, event)
        else:
            await super().on_event(event)

    def _paste(self, screen: PasteTarget, event: events.Paste) -> None:
        """Give a screen the first line that says something, at once: the next key may be on its way already."""
        lines = filter(None, map(str.strip, event.text.splitlines()))
        if line := next(lines, ""):
            screen.paste_text(line)

    def action_leave(self) -> None:
        """Leave because a key says so."""
        self.exit()

    def action_light_or_dark(self) -> None:
        """Go from the dark theme to the light one, or back."""
        self.theme = next(theme.name for theme in THEMES if theme.dark != self.current_theme.dark)

    def fail(self, error: Exception) -> None:
        """End the app because of `error`, which whoever runs it will meet."""
        self.failure = error
        self.exit()

    def run_to_end(self) -> None:
        """Run until the person leaves. Raises what ended the app, if it was not the person; if the screen itself broke, that
        is printed, and the program exits with 1.
        """
        self.run()
        self._first_screen.wait_for_threads()
        self.raise_failure()
        if self.return_code:  # what the screen itself failed with has been printed
            sys.exit(self.return_code)

    def raise_failure(self) -> None:
        """Raise what ended the app, if it was not the person."""
        if self.failure is not None:
            raise self.failure
