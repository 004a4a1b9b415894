"""Base class of the screens that show a card table: layout, and the loop that deals rounds and lets players move."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from cardgames.agents.agent import Agent, Decision, is_searcher
from cardgames.arena.warmup import is_agent_compiled, is_game_compiled
from cardgames.search.report import SearchReport
from cardgames.tui.line_mode import ViewModel
from cardgames.tui.screen_parts import screen_parts_of
from cardgames.tui.screens.background_task import Answer, BackgroundScreen
from cardgames.tui.screens.dialog import Dialog
from cardgames.tui.screens.leave_dialog import LeaveDialog
from cardgames.tui.screens.round_over_dialog import RoundOverDialog
from cardgames.tui.session import PACE, Session
from cardgames.tui.widgets.key_bar import KeyBar
from cardgames.tui.widgets.log import Log
from cardgames.tui.widgets.search_panel import SearchPanel
from cardgames.tui.widgets.seats import Seats
from cardgames.tui.widgets.table_center import TableCenter
from cardgames.tui.widgets.too_small_notice import TooSmallNotice
from cardgames.tui.widgets.waiting_text import WaitingText


class BaseTableScreen(BackgroundScreen):
    """Screen with players, table center, log and search panel; deals rounds and lets agents play in the background."""

    AUTO_FOCUS = ""
    KEYS: ClassVar[str]
    """Description of the keys for the help dialog."""
    BINDINGS = [
        Binding("pageup", "turn_log(-1)", "earlier", show=False, priority=True),
        Binding("pagedown", "turn_log(1)", "later", show=False, priority=True),
    ]

    def __init__(self, session: Session, speed: float, spare_agent: Callable[[], Agent] | None = None) -> None:
        super().__init__()
        self.session = session
        self.screen_parts = screen_parts_of(session.game.name)
        self.speed = speed
        self.spare_agent = spare_agent
        """Function that makes an agent like those at the table, to compile its search; its decisions are not played."""
        self._undecided = {seat for seat, agent in enumerate(session.agents) if agent is not None}
        self.add_class(f"-{session.game.name}")
        self._rules_compiled = is_game_compiled(session.game.name)
        self.compiling = not (self._rules_compiled and self._agents_known)
        """True while the rules or an agent of the table are not yet compiled on this machine."""
        self._dealt = False
        self._shown_at = 0.0
        self._news_shown = 0
        self._waiting_for_next = False
        self._waiting_dialog: tuple[Dialog[Any], Callable[[Any], None]] | None = None
        """Dialog to open once no other dialog covers the table, and the function that takes its result."""
        self._agents_compiled = asyncio.Event()
        self._next = asyncio.Event()

    @property
    def leave_key(self) -> str:
        """Key that leaves the table; where cards are typed, a letter that names no card."""
        return "q" if self.session.person is None else self.session.line_mode.leave

    @property
    def at_stake(self) -> str:
        """`match` or `round` if leaving now would break it off for a person who plays; otherwise empty."""
        return ""

    def compose(self) -> ComposeResult:
        """Lay out the table, the log and the search panel."""
        yield Static("", id="title", markup=False)
        with Horizontal(id="zones"):
            with Vertical(id="left"):
                with Vertical(id="table") as table:
                    table.border_title = "Table"
                    yield Seats(self.session, self.screen_parts)
                    yield self.screen_parts.center(self.session)
                yield from self.compose_hand()
            with Vertical(id="right"):
                yield Log(self.screen_parts.card_style)
                yield SearchPanel(self.session, self.screen_parts)
        with Vertical(id="words-below"):
            yield Static("", id="status", markup=False)
            yield WaitingText(id="note")
        yield KeyBar()
        yield TooSmallNotice()

    def compose_hand(self) -> ComposeResult:
        """Lay out the widgets below the table; a subclass for a person who plays adds the hand."""
        yield from ()

    def on_mount(self) -> None:
        """Begin to play rounds once the table is visible, since the first deal may have to wait for the compiler."""
        self.show_title()
        self.say("Dealing…")
        if not self._rules_compiled:
            self._note("compiling the rules for this machine (first time only)…")
        self.call_after_refresh(self.in_background, self._play_rounds)

    def say(self, text: str, *, warning: bool = False) -> None:
        """Show a message in the status line; no warnings before the first deal."""
        if self._dealt or not warning:
            super().say(text, warning=warning)

    def leave(self) -> None:
        """Stop running searches and the compiling process, and close the record."""
        super().leave()
        self.session.close()

    def _note(self, words: str) -> None:
        """Show what is being compiled, and for how long; an empty text hides the line."""
        self.query_one("#note", WaitingText).wait(words)
        self.set_class(bool(words), "-compiling")

    async def _play_rounds(self) -> None:
        while True:
            await self._deal()
            while not self.session.round_over:
                if self.session.decider == self.session.person:
                    await self.person_moves()
                else:
                    await self._agent_moves()
            await self._round_over()

    async def _deal(self) -> None:
        """Deal a round and show it.

        Kernels that the screen will call are first compiled and loaded in a thread, so that the screen does not block.
        """
        if not self._rules_compiled:
            await self.in_thread(partial(self.wait_for_compiler, self.session.game.name, ""))
        await self.in_thread(self.session.deal)
        await self.in_thread(self.session.view_model)
        self._news_shown = 0
        self.query_one(Log).follow()
        await self._refresh_table()
        await self.in_thread(self.session.warm_up)
        self._rules_compiled = True
        self._dealt = True
        self._note("compiling the agents (first time only)…" if self.compiling else "")
        if self.compiling and self.spare_agent is not None:
            self.in_background(self._compile_agents, group="compile")

    async def _compile_agents(self) -> None:
        """Compile the agents while the game runs, on a machine where they are not compiled yet."""
        assert self.spare_agent is not None
        agent = await self.in_thread(self.spare_agent)
        await self.in_thread(partial(self.wait_for_compiler, self.session.game.name, agent.name))
        await self.in_thread(lambda: self.session.warm_up_agent(agent))
        self._agents_compiled.set()
        if self._agents_known:
            self._all_compiled()

    @property
    def _agents_known(self) -> bool:
        return all(is_agent_compiled(self.session.game.name, agent) for agent in self.session.agents)

    def _all_compiled(self) -> None:
        self.compiling = False
        self._agents_compiled.set()
        self._note("")

    async def person_moves(self) -> None:
        """Wait for the decision of the person and play it."""
        raise NotImplementedError

    async def _agent_moves(self) -> None:
        seat = self.session.decider
        agent = self.session.agents[seat]
        assert agent is not None
        view_model = self.session.view_model()
        with self.saying_who_thinks(view_model):
            if self.compiling and self.spare_agent is not None and is_searcher(agent):
                await self._agents_compiled.wait()
            decision = await self.think(agent, self.session.ask, self.opponent_thinks)
        self.session.apply(decision)
        self._note_decision(seat, view_model)
        # private decisions take no time: a pause would reveal that the player had a choice
        if self.session.news() > self._news_shown:
            await self.hold()
            self.opponent_decided(decision)
            await self.show()

    def _note_decision(self, seat: int, view_model: ViewModel) -> None:
        """Record that a seat has decided in public; once all agents have, nothing is left to compile."""
        if view_model.to_move == seat:
            self._undecided.discard(seat)
        if self.compiling and not self._undecided:
            self._all_compiled()

    def opponent_thinks(self, report: SearchReport) -> None:
        """Show a snapshot of the running search of the agent to move; by default nothing."""

    def opponent_decided(self, decision: Decision) -> None:
        """Show the finished decision of an agent, as far as the viewer may see it; by default nothing."""

    def due(self) -> float:
        """Return the number of seconds until the next move may be shown."""
        return self._shown_at + PACE / self.speed - time.monotonic()

    async def hold(self) -> None:
        """Wait until the next move may be shown."""
        await asyncio.sleep(self.due())

    async def show(self) -> None:
        """Show the table as it is now, unless a seat is making a decision that only it may know of: then change nothing."""
        if self.session.view_model().phase != "wait":
            await self._refresh_table()

    async def _refresh_table(self) -> None:
        self.show_title()
        self.query_one(Log).show(self.session.log())
        await self.show_view_model(self.session.view_model())
        self._shown_at = time.monotonic()
        self._news_shown = self.session.news()

    def action_turn_log(self, pages: int) -> None:
        """Scroll the log down by `pages` pages, up if negative."""
        self.query_one(Log).turn_pages(pages)

    async def show_view_model(self, view_model: ViewModel) -> None:
        """Show the players and the center of the table as they are in a view model."""
        self.query_one(Seats).show(view_model)
        self.query_one(TableCenter).show(view_model)

    def show_title(self) -> None:
        """Show game, round, scores and rules in the title line; the rules stand last since their name may be cut off."""
        game, scores = self.session.game, self.session.scores
        parts = [f" {game.title}"]
        if self.session.round:
            parts.append(f"round {self.session.round}")
        if any(scores):
            parts += [f"{self.session.name(seat)} {score:g}" for seat, score in enumerate(scores)]
            parts.append(self.session.unit("won", "of {}"))
        parts.append(game.rules.name)
        self.query_one("#title", Static).update(" · ".join(parts))

    @contextmanager
    def saying_who_thinks(self, view_model: ViewModel) -> Iterator[None]:
        """Show the name of the player who visibly decides; for a private decision show a message only if it takes long."""
        if view_model.to_move >= 0 and view_model.to_move != self.session.person:
            self.say(f"{self.session.name(view_model.to_move)} is thinking…")
            yield
            return
        late = self.set_timer(PACE, partial(self.say, "One moment…"))
        try:
            yield
        finally:
            late.stop()

    async def _round_over(self) -> None:
        await self.show()
        self.say(f"Round over. n: next round, {self.leave_key}: quit")
        self._next.clear()
        self._waiting_for_next = True
        self.ask_over_table(RoundOverDialog(self.session, self.screen_parts, self.auto_next_delay()), self._after_round)
        await self._next.wait()
        self._waiting_for_next = False

    def ask_over_table(self, dialog: Dialog[Answer], take: Callable[[Answer | None], None]) -> None:
        """Open a dialog once no other dialog covers the table, so that keys meant for another dialog do not answer it.

        `take` is called with its result.

        A dialog that asks whether to leave the table is closed first.
        """
        if self.is_active:
            self.app.push_screen(dialog, take)
            return
        self._waiting_dialog = dialog, take
        if isinstance(self.app.screen, LeaveDialog) and self.app.screen_stack[-2] is self:
            self.app.screen.dismiss(None)

    def on_screen_resume(self) -> None:
        """Open the dialog that waited until no other dialog covered the table."""
        waiting, self._waiting_dialog = self._waiting_dialog, None
        if waiting is not None:
            self.ask_over_table(*waiting)

    def auto_next_delay(self) -> float | None:
        """Return the number of seconds after which the next round begins by itself, None for never."""
        return None

    def _after_round(self, go_on: bool | None) -> None:
        if go_on:
            self._next.set()

    def action_next(self) -> None:
        """Deal the next round if the current round is over; otherwise show a warning."""
        if self._waiting_for_next:
            self._next.set()
        else:
            self.say("This round is not over.", warning=True)
