"""Base class of the terminal apps (Textual): color themes, layout by screen size, common keys, and errors."""

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
    """Protocol of a screen that accepts pasted text while no input field has the focus."""

    def paste_text(self, text: str) -> None:
        """Handle one line of text that the user has pasted."""
        ...


class BaseApp(App[None]):
    """Textual app with one main screen, a dark and a light theme, and a layout that follows the size of the terminal."""

    CSS_PATH = "cardgames.tcss"
    TITLE = "cardgames"
    HORIZONTAL_BREAKPOINTS = [(0, "-too-narrow"), (MIN_SIZE[0], "-narrow"), (110, "-wide"), (150, "-very-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-too-short"), (MIN_SIZE[1], "-short"), (40, "-tall")]
    leave_key = "q"
    """Key that ends the app, also from a dialog."""
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [
        Binding("ctrl+c", "quit", "quit", show=False, priority=True),
        Binding("ctrl+q", "leave", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "suspend", show=False, priority=True),
        Binding("f2", "light_or_dark", "light or dark", show=False, priority=True),
    ]

    def __init__(self, screen: BackgroundScreen) -> None:
        """Create the app with `screen` as its main screen."""
        super().__init__()
        self._first_screen = screen
        self.failure: Exception | None = None
        """Exception that ended the app; None if the user ended it."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the style sheet variables for the colors of the cards, which Textual adds to every theme."""
        return card_colors(dark=self.current_theme.dark)

    def on_mount(self) -> None:
        """Show the main screen."""
        self.push_screen(self._first_screen)

    def on_unmount(self) -> None:
        """Stop searches and close the game record of the main screen; Textual calls this however the app ends."""
        self._first_screen.leave()

    async def on_event(self, event: events.Event) -> None:
        """Handle an event, but drop keys and pasted text that would act on something the user cannot see.

        While the notice "This terminal is too small" hides the screen, only ctrl+c works. While the app closes, no key
        works.
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
        """Pass the first line of pasted text that is not blank to a screen.

        This is done at once, since the next key may already be on its way.
        """
        lines = filter(None, map(str.strip, event.text.splitlines()))
        if line := next(lines, ""):
            screen.paste_text(line)

    def action_leave(self) -> None:
        """End the app."""
        self.exit()

    def action_light_or_dark(self) -> None:
        """Switch between the dark and the light theme."""
        self.theme = next(theme.name for theme in THEMES if theme.dark != self.current_theme.dark)

    def fail(self, error: Exception) -> None:
        """End the app because of `error`; `run_to_end` then raises it."""
        self.failure = error
        self.exit()

    def run_to_end(self) -> None:
        """Run the app until the user leaves.

        Raises the exception passed to `fail`, if any. If the code of a screen failed, Textual has printed the traceback,
        and the program exits with code 1.
        """
        self.run()
        self._first_screen.wait_for_threads()
        self.raise_failure()
        if self.return_code:  # Textual has printed the traceback
            sys.exit(self.return_code)

    def raise_failure(self) -> None:
        """Raise the exception that was passed to `fail`, if any."""
        if self.failure is not None:
            raise self.failure
