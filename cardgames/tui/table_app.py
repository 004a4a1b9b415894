"""Full-screen apps for playing at a table and for watching one."""

from collections.abc import Callable

from cardgames.agents.agent import Agent
from cardgames.tui.base_app import BaseApp
from cardgames.tui.screen_theme import screen_theme_of
from cardgames.tui.screens.base_table_screen import BaseTableScreen
from cardgames.tui.screens.help_dialog import HelpDialog
from cardgames.tui.screens.leave_dialog import LeaveDialog
from cardgames.tui.screens.watch_screen import WatchScreen
from cardgames.tui.session import Session


class CardGames(BaseApp):
    """App that shows one table screen until the user leaves it."""

    def __init__(self, screen: BaseTableScreen) -> None:
        super().__init__(screen)
        self._table_screen = screen
        self.leave_key = screen.leave_key

    def action_help(self) -> None:
        """Show the keys and the rules of this table."""
        self.push_screen(HelpDialog(self._table_screen.session.game.rules, self._table_screen.KEYS))

    def action_leave(self) -> None:
        """Leave the table; ask for confirmation first if a round or match would be broken off."""
        unfinished, record = self._table_screen.at_stake, self._table_screen.session.record
        if unfinished and not isinstance(self.screen, LeaveDialog):
            self.push_screen(LeaveDialog(unfinished, record), lambda sure: self.exit() if sure else None)
        else:
            self.exit()


def play_app(session: Session, hint: Callable[[], Agent] | None = None, speed: float = 1.0) -> CardGames:
    """Return the app in which the person at the session's table plays.

    Args:
        session: Session with one seat for a person.
        hint: Makes the agent that gives hints; None if there are no hints.
        speed: Pace of the moves shown; 2 is twice as fast.
    """
    return CardGames(screen_theme_of(session.game.name).play_screen(session, hint, speed))


def watch_app(session: Session, speed: float = 1.0) -> CardGames:
    """Return the app in which a spectator watches the session; `speed` 2 is twice as fast."""
    return CardGames(WatchScreen(session, speed))


def run_play(session: Session, hint: Callable[[], Agent] | None = None) -> None:
    """Play the session until the person leaves. Raises the exception of an agent or of the record that ended it."""
    play_app(session, hint).run_to_end()


def run_watch(session: Session, speed: float = 1.0) -> None:
    """Show the session until the spectator leaves. Raises the exception of an agent or of the record that ended it."""
    watch_app(session, speed).run_to_end()
