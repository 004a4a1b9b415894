"""Full-screen apps in which a person plays against agents, or a spectator watches agents play."""

from collections.abc import Callable

from cardgames.agents.agent import Agent
from cardgames.tui.base_app import BaseApp
from cardgames.tui.screen_parts import screen_parts_of
from cardgames.tui.screens.base_table_screen import BaseTableScreen
from cardgames.tui.screens.help_dialog import HelpDialog
from cardgames.tui.screens.leave_dialog import LeaveDialog
from cardgames.tui.screens.watch_screen import WatchScreen
from cardgames.tui.session import Session


class CardGames(BaseApp):
    """App that shows one card table, to play at or to watch, until the user leaves it."""

    def __init__(self, screen: BaseTableScreen) -> None:
        """Create the app with the screen of the table."""
        super().__init__(screen)
        self._table_screen = screen
        self.leave_key = screen.leave_key

    def action_help(self) -> None:
        """Open the dialog with the keys and the rules of the table."""
        self.push_screen(HelpDialog(self._table_screen.session.game.rules, self._table_screen.KEYS))

    def action_leave(self) -> None:
        """End the app; if a round or match would be broken off, ask for confirmation first."""
        unfinished, record = self._table_screen.at_stake, self._table_screen.session.record
        if unfinished and not isinstance(self.screen, LeaveDialog):
            self.push_screen(LeaveDialog(unfinished, record), lambda sure: self.exit() if sure else None)
        else:
            self.exit()


def play_app(session: Session, hint: Callable[[], Agent] | None = None, speed: float = 1.0) -> CardGames:
    """Return the app in which the person of a session plays.

    Args:
        session: Session with one seat for a person.
        hint: Function that makes the agent that gives hints; None if there are no hints.
        speed: Speed at which moves are shown; 2 is twice as fast as 1.
    """
    return CardGames(screen_parts_of(session.game.name).play_screen(session, hint, speed))


def watch_app(session: Session, speed: float = 1.0) -> CardGames:
    """Return the app in which a spectator watches the agents of a session; `speed` 2 is twice as fast as 1."""
    return CardGames(WatchScreen(session, speed))


def run_play(session: Session, hint: Callable[[], Agent] | None = None) -> None:
    """Run the app of `play_app` until the person leaves.

    Raises the exception of an agent, or of writing the record, that ended the app.
    """
    play_app(session, hint).run_to_end()


def run_watch(session: Session, speed: float = 1.0) -> None:
    """Run the app of `watch_app` until the spectator leaves.

    Raises the exception of an agent, or of writing the record, that ended the app.
    """
    watch_app(session, speed).run_to_end()
