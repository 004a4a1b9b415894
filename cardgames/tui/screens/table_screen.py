"""The table on the screen and the course of a session; subclasses are a person's screen and a spectator's."""

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
from cardgames.tui.screen_theme import screen_theme_of
from cardgames.tui.screens.background_task import Answer, BackgroundScreen
from cardgames.tui.screens.dialog import Dialog
from cardgames.tui.screens.leave_dialog import LeaveDialog
from cardgames.tui.screens.round_over_dialog import RoundOverDialog
from cardgames.tui.session import PACE, Session
from cardgames.tui.text_theme import ViewModel
from cardgames.tui.widgets.key_bar import KeyBar
from cardgames.tui.widgets.log import Log
from cardgames.tui.widgets.search_panel import SearchPanel
from cardgames.tui.widgets.seats import Seats
from cardgames.tui.widgets.table_center import TableCenter
from cardgames.tui.widgets.too_small_notice import TooSmallNotice
from cardgames.tui.widgets.waiting_text import WaitingText


class TableScreen(BackgroundScreen):
    """Seats, middle, log and search; deals and lets the agents play, while the screen stays alive."""

    AUTO_FOCUS = ""
    KEYS: ClassVar[str]
    """The keys, for the help."""
    BINDINGS = [
        Binding("pageup", "turn_log(-1)", "earlier", show=False, priority=True),
        Binding("pagedown", "turn_log(1)", "later", show=False, priority=True),
    ]

    def __init__(self, table: Session, speed: float, spare_agent: Callable[[], Agent] | None = None) -> None:
        super().__init__()
        self.table = table
        self.screen_theme = screen_theme_of(table.game.name)
        self.speed = speed
        self.spare_agent = spare_agent
        """Makes an agent like those at the table, whose decisions count for nothing."""
        self._unheard = {seat for seat, agent in enumerate(table.agents) if agent is not None}
        self.add_class(f"-{table.game.name}")
        self._rules_known = is_game_compiled(table.game.name)
        self.compiling = not (self._rules_known and self._searches_known)
        """Whether something still has to be compiled for this machine."""
        self._dealt = False
        self._shown_at = 0.0
        self._shown_news = 0
        self._waiting_for_next = False
        self._waiting_dialog: tuple[Dialog[Any], Callable[[Any], None]] | None = None
        """A dialog that waits until nothing lies over the table, and who takes its result."""
        self._agents_compiled = asyncio.Event()
        self._next = asyncio.Event()

    @property
    def leave_key(self) -> str:
        """The key that leaves the table: where cards are typed, no card's name."""
        return "q" if self.table.person is None else self.table.text_theme.leave

    @property
    def at_stake(self) -> str:
        """What leaving now would break off for a person who plays; empty if nothing."""
        return ""

    def compose(self) -> ComposeResult:
        """Lay out the three zones."""
        yield Static("", id="title", markup=False)
        with Horizontal(id="zones"):
            with Vertical(id="left"):
                with Vertical(id="table") as middle:
                    middle.border_title = "Session"
                    yield Seats(self.table, self.screen_theme)
                    yield self.screen_theme.middle(self.table)
                yield from self.compose_hand()
            with Vertical(id="right"):
                yield Log(self.screen_theme.card_style)
                yield SearchPanel(self.table, self.screen_theme)
        with Vertical(id="words-below"):
            yield Static("", id="status", markup=False)
            yield WaitingText(id="note")
        yield KeyBar()
        yield TooSmallNotice()

    def compose_hand(self) -> ComposeResult:
        """Lay out what is below the table."""
        yield from ()

    def on_mount(self) -> None:
        """Begin once the table has been painted: the first deal may have to wait for the compiler."""
        self.show_title()
        self.say("Dealing…")
        if not self._rules_known:
            self._note("compiling the rules for this machine (first time only)…")
        self.call_after_refresh(self.in_background, self._session)

    def say(self, text: str, *, warning: bool = False) -> None:
        """Put words into the line for them; before anything is dealt, there are no warnings."""
        if self._dealt or not warning:
            super().say(text, warning=warning)

    def leave(self) -> None:
        """Stop the searches and the compiler under way and finish the record."""
        super().leave()
        self.table.close()

    def _note(self, words: str) -> None:
        """Say what is compiled, and for how long; without words the line is hidden."""
        self.query_one("#note", WaitingText).wait(words)
        self.set_class(bool(words), "-compiling")

    async def _session(self) -> None:
        while True:
            await self._deal()
            while not self.table.round_over:
                if self.table.decider == self.table.person:
                    await self.person_moves()
                else:
                    await self._agent_moves()
            await self._round_over()

    async def _deal(self) -> None:
        """Deal a round and show it, whoever is asked.

        What the table needs is compiled, and loaded in a thread, before anything here calls it.
        """
        if not self._rules_known:
            await self.in_thread(partial(self.wait_for_compiler, self.table.game.name, ""))
        await self.in_thread(self.table.deal)
        await self.in_thread(self.table.view_model)
        self._shown_news = 0
        self.query_one(Log).follow()
        await self._card_style()
        await self.in_thread(self.table.warm_up)
        self._rules_known = True
        self._dealt = True
        self._note("compiling the agents (first time only)…" if self.compiling else "")
        if self.compiling and self.spare_agent is not None:
            self.in_background(self._compile_agents, group="compile")

    async def _compile_agents(self) -> None:
        """Have the agents compiled beside the game, on a machine new to it."""
        assert self.spare_agent is not None
        agent = await self.in_thread(self.spare_agent)
        await self.in_thread(partial(self.wait_for_compiler, self.table.game.name, agent.name))
        await self.in_thread(lambda: self.table.warm_up_agent(agent))
        self._agents_compiled.set()
        if self._searches_known:
            self._all_compiled()

    @property
    def _searches_known(self) -> bool:
        return all(is_agent_compiled(self.table.game.name, agent) for agent in self.table.agents)

    def _all_compiled(self) -> None:
        self.compiling = False
        self._agents_compiled.set()
        self._note("")

    async def person_moves(self) -> None:
        """Let the person decide."""
        raise NotImplementedError

    async def _agent_moves(self) -> None:
        seat = self.table.decider
        agent = self.table.agents[seat]
        assert agent is not None
        view_model = self.table.view_model()
        with self.saying_who_thinks(view_model):
            if self.compiling and self.spare_agent is not None and is_searcher(agent):
                await self._agents_compiled.wait()
            decision = await self.think(agent, self.table.ask, self.opponent_thinks)
        self.table.apply(decision)
        self._heard(seat, view_model)
        # moves that nobody else can notice take no time: a pause would tell that there was a choice
        if self.table.news() > self._shown_news:
            await self.hold()
            self.opponent_decided(decision)
            await self.show()

    def _heard(self, seat: int, view_model: ViewModel) -> None:
        """Note that a seat has decided, unless nobody could see that it was asked; after all, nothing is left to compile."""
        if view_model.to_move == seat:
            self._unheard.discard(seat)
        if self.compiling and not self._unheard:
            self._all_compiled()

    def opponent_thinks(self, report: SearchReport) -> None:
        """Show the search of an agent to move."""

    def opponent_decided(self, decision: Decision) -> None:
        """Show what is to be known of a decision just taken."""

    def due(self) -> float:
        """Return in how many seconds the next move may be shown."""
        return self._shown_at + PACE / self.speed - time.monotonic()

    async def hold(self) -> None:
        """Wait until the next move may be shown."""
        await asyncio.sleep(self.due())

    async def show(self) -> None:
        """Show the table as it is now, unless somebody is asked what only he may know: then as it was."""
        if self.table.view_model().phase != "wait":
            await self._card_style()

    async def _card_style(self) -> None:
        self.show_title()
        self.query_one(Log).show(self.table.log())
        await self.show_sight(self.table.view_model())
        self._shown_at = time.monotonic()
        self._shown_news = self.table.news()

    def action_turn_log(self, pages: int) -> None:
        """Show what stands further down in the log, or further up."""
        self.query_one(Log).turn_pages(pages)

    async def show_sight(self, view_model: ViewModel) -> None:
        """Show what is to be seen on the table."""
        self.query_one(Seats).show(view_model)
        self.query_one(TableCenter).show(view_model)

    def show_title(self) -> None:
        """Show game, round, scores and the rules, whose name may be longer than the line."""
        game, scores = self.table.game, self.table.scores
        parts = [f" {game.title}"]
        if self.table.round:
            parts.append(f"round {self.table.round}")
        if any(scores):
            parts += [f"{self.table.name(seat)} {score:g}" for seat, score in enumerate(scores)]
            parts.append(self.table.unit("won", "of {}"))
        parts.append(game.rules.name)
        self.query_one("#title", Static).update(" · ".join(parts))

    @contextmanager
    def saying_who_thinks(self, view_model: ViewModel) -> Iterator[None]:
        """Name the player whom all see to be deciding; where one is asked in private, say a word only if it takes long."""
        if view_model.to_move >= 0 and view_model.to_move != self.table.person:
            self.say(f"{self.table.name(view_model.to_move)} thinks…")
            yield
            return
        late = self.set_timer(PACE, partial(self.say, "One moment…"))
        try:
            yield
        finally:
            late.stop()

    async def _round_over(self) -> None:
        await self.show()
        self.say(f"The round is over: n goes on, {self.leave_key} quits")
        self._next.clear()
        self._waiting_for_next = True
        self.ask_over_table(RoundOverDialog(self.table, self.screen_theme, self.rest()), self._after_round)
        await self._next.wait()
        self._waiting_for_next = False

    def ask_over_table(self, dialog: Dialog[Answer], take: Callable[[Answer | None], None]) -> None:
        """Open a dialog, once nothing lies over the table any more: keys for the help must not answer it. The question
        whether to leave the table is taken back.
        """
        if self.is_active:
            self.app.push_screen(dialog, take)
            return
        self._waiting_dialog = dialog, take
        if isinstance(self.app.screen, LeaveDialog) and self.app.screen_stack[-2] is self:
            self.app.screen.dismiss(None)

    def on_screen_resume(self) -> None:
        """Open the dialog that waited for this."""
        waiting, self._waiting_dialog = self._waiting_dialog, None
        if waiting is not None:
            self.ask_over_table(*waiting)

    def rest(self) -> float | None:
        """Return after how many seconds the next round begins by itself; None: never."""
        return None

    def _after_round(self, go_on: bool | None) -> None:
        if go_on:
            self._next.set()

    def action_next(self) -> None:
        """Deal the next round if this one is over."""
        if self._waiting_for_next:
            self._next.set()
        else:
            self.say("This round is still on.", warning=True)
