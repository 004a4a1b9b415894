"""The terminal app: a table to play at or to watch."""

from collections.abc import Callable

from cardgames.agents.agent import Agent
from cardgames.tui.screen_theme import screen_theme_of
from cardgames.tui.screens.help_dialog import HelpDialog
from cardgames.tui.screens.leave_dialog import LeaveDialog
from cardgames.tui.screens.table_screen import TableScreen
from cardgames.tui.screens.watch_screen import WatchScreen
from cardgames.tui.session import Session
from cardgames.tui.terminal_app import TerminalApp


class CardGames(TerminalApp):
    """One table from beginning to end."""

    def __init__(self, screen: TableScreen) -> None:
        super().__init__(screen)
        self._table_screen = screen
        self.leave_key = screen.leave_key

    def action_help(self) -> None:
        """Show the keys and the rules of this table."""
        self.push_screen(HelpDialog(self._table_screen.table.game.rules, self._table_screen.KEYS))

    def action_leave(self) -> None:
        """Leave the table; a person in the middle of something is asked first, and leaves if he says so again."""
        unfinished, record = self._table_screen.at_stake, self._table_screen.table.record
        if unfinished and not isinstance(self.screen, LeaveDialog):
            self.push_screen(LeaveDialog(unfinished, record), lambda sure: self.exit() if sure else None)
        else:
            self.exit()


def play_app(table: Session, hint: Callable[[], Agent] | None = None, speed: float = 1.0) -> CardGames:
    """Return the app of the person at `table`; `hint` makes the agent asked for hints, `speed` 2 is twice as fast."""
    return CardGames(screen_theme_of(table.game.name).play_screen(table, hint, speed))


def watch_app(table: Session, speed: float = 1.0) -> CardGames:
    """Return the app of a spectator at `table`; `speed` 2 is twice as fast."""
    return CardGames(WatchScreen(table, speed))


def run_play(table: Session, hint: Callable[[], Agent] | None = None) -> None:
    """Play at `table` until the person leaves. Raises what an agent or the record failed with."""
    play_app(table, hint).run_to_end()


def run_watch(table: Session, speed: float = 1.0) -> None:
    """Watch the agents at `table` until the spectator leaves. Raises what an agent or the record failed with."""
    watch_app(table, speed).run_to_end()
