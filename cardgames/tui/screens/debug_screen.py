"""Screen of `search-debug`: a position of a round, and the decisions and searches of one or two agents."""

import asyncio
import json
import threading
from collections.abc import Sequence
from functools import partial

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from cardgames.agents.agent import Agent
from cardgames.arena.warmup import is_agent_compiled, mark_agent_compiled
from cardgames.core.state import State
from cardgames.search.position_analysis import Analysis, comparison, make_analyzed_agent, think
from cardgames.support.errors import InvalidInput, parse_integer
from cardgames.tui.export import check_target, write
from cardgames.tui.position_history import PositionHistory
from cardgames.tui.screen_parts import CardStyle, card_style_of
from cardgames.tui.screens.background_task import BackgroundScreen
from cardgames.tui.screens.text_entry import TextEntry
from cardgames.tui.session import stop
from cardgames.tui.shared_wording import NOTHING, fact
from cardgames.tui.widgets.agent_view import VIEWS, AgentView
from cardgames.tui.widgets.key_bar import KeyBar
from cardgames.tui.widgets.node_tree import ORDERS, NodeTree
from cardgames.tui.widgets.too_small_notice import TooSmallNotice

_PATIENCE = 0.15
"""Seconds for which a position must be shown before agents begin to search it."""
_THINKING = "thinking…"
_NUM_EVENTS = 4
"""Number of events before the position that are shown."""


class DebugScreen(BackgroundScreen):
    """Screen with one position of a round and how one or two agents analyze it."""

    AUTO_FOCUS = f"#{VIEWS[0]}"
    BINDINGS = [
        Binding("left", "step(-1)", "back", priority=True, key_display="←"),
        Binding("right", "step(1)", "on", priority=True, key_display="→"),
        Binding("g", "go", "go to"),
        Binding("1", f"view('{VIEWS[0]}')", "view", key_display=f"1-{len(VIEWS)}"),
        *(Binding(str(i), f"view('{view}')", view, show=False) for i, view in enumerate(VIEWS[1:], 2)),
        Binding("o", "sort", "order"),
        Binding("a", "against", "compare"),
        Binding("s", "stop", "stop"),
        Binding("e", "export", "export"),
        Binding("q", "app.quit", "quit"),
    ]

    def __init__(
        self, position_history: PositionHistory, ply: int, names: Sequence[str], seed: int, depth: int
    ) -> None:
        super().__init__()
        self._position_history, self._seed, self._depth = position_history, seed, depth
        self.ply = ply
        self.names = list(names)
        self.view = VIEWS[0]
        self.analyses: dict[int, Analysis] = {}
        """Finished analyses of the position shown, by the index of the agent."""
        self._thinking: list[tuple[int, Agent]] = []
        """Agents that are searching, with their indices."""

    @property
    def settled(self) -> bool:
        """True if all agents have finished their analysis of the position shown."""
        return len(self.analyses) == len(self.names)

    @property
    def state(self) -> State:
        """State of the position shown."""
        state = self._position_history.at(self.ply)
        assert state is not None
        return state

    @property
    def card_style(self) -> CardStyle:
        """Colors and names of the game's cards."""
        return card_style_of(self.state.game.name)

    def compose(self) -> ComposeResult:
        """Lay out the position, the agents side by side and the status line."""
        yield Static("", id="title", markup=False)
        yield Static("", id="position")
        with Horizontal(id="agents"):
            for name in self.names:
                yield AgentView(name, self.card_style)
        yield Static("", id="status", markup=False)
        yield KeyBar()
        yield TooSmallNotice()

    def on_mount(self) -> None:
        """Begin the analysis of the first position once the screen is visible."""
        self.call_after_refresh(self.show_position)

    def show_position(self) -> None:
        """Show the position at `ply` and begin its analysis by the agents."""
        self._stop_searches()
        self.say("")
        self.analyses.clear()
        game, sequel = self.state.game, self._position_history.sequel(self.ply)
        self.query_one("#title", Static).update(
            f" {game.title} · {game.rules.name} · seed {self._seed} · ply {self.ply}"
            + (f" · then {sequel}" if sequel else "")
        )
        self.query_one("#position", Static).update(_position(self.state, self.card_style))
        for number, view in enumerate(self.query(AgentView)):
            view.clear("waiting for the first agent" if number else _THINKING)
        self.in_background(self._think, group="think")

    async def _think(self) -> None:
        """Let the agents analyze the position, one after the other."""
        await asyncio.sleep(_PATIENCE)
        for number, view in enumerate(self.query(AgentView)):
            await self._analyze(number, view)

    async def _analyze(self, number: int, view: AgentView) -> None:
        name, state, ply = view.agent_name, self.state, self.ply
        view.wait(_THINKING)
        agent = await self._make(name, state)
        if not is_agent_compiled(state.game.name, agent):
            view.wait("compiling (first time only)…")
            await self.in_thread(partial(self.wait_for_compiler, state.game.name, agent.name))
        self._thinking.append((number, agent))
        cancelled = threading.Event()

        def work() -> Analysis | None:
            if cancelled.is_set() or self._has_left:
                return None
            analysis = Analysis(name, self._seed, ply, state, think(agent, state))
            if analysis.report is not None and not (cancelled.is_set() or self._has_left):
                _ = analysis.report.details  # read in this thread since it takes long
            return analysis

        try:
            analysis = await self.think(agent, work, view.progress)
            if analysis is not None:
                mark_agent_compiled(state.game.name, agent)
        finally:
            cancelled.set()
            stop(agent)  # also if this coroutine was cancelled during the search
            self._thinking.remove((number, agent))
        if analysis is not None and ply == self.ply:
            self.analyses[number] = analysis
            view.show(analysis)

    async def _make(self, name: str, state: State) -> Agent:
        """Return the agent called `name`, made in a thread since it may read a network file. Raises `InvalidInput`."""
        return await self.in_thread(
            lambda: make_analyzed_agent(name, state.game, self._seed, all_cards=self._position_history.all_cards)
        )

    def _stop_searches(self) -> None:
        for _, agent in self._thinking:
            stop(agent)

    def leave(self) -> None:
        """Stop running searches and the compiling process."""
        super().leave()
        self._stop_searches()

    def _go_to(self, ply: int) -> None:
        try:
            state = self._position_history.at(ply)
        except InvalidInput as error:
            self.say(str(error), warning=True)
            return
        if state is None or state.is_terminal():
            end = (
                "this is the first position of the round"
                if ply < 0
                else f"the round is over after {self._position_history.length} decisions"
            )
            self.say(end, warning=True)
            return
        self.ply = ply
        self.show_position()

    def action_step(self, plies: int) -> None:
        """Go `plies` positions forward, or back if negative."""
        self._go_to(self.ply + plies)

    def action_go(self) -> None:
        """Open a dialog for a ply (number of decisions), then show the position at that ply."""

        def go(text: str | None) -> None:
            ply = parse_integer(text or "")
            if ply is not None:
                self._go_to(ply)
            elif text:
                self.say(f"invalid ply {text[:20]!r}: type a whole number from 0", warning=True)

        self.app.push_screen(TextEntry("Go to which ply?"), go)

    def action_view(self, view: str) -> None:
        """Show the view `view`, one of `VIEWS`, of all agents' search reports."""
        self.view = view
        for agent in self.query(AgentView):
            agent.switch(view)
        self.query(AgentView).first().take_keys()

    def action_sort(self) -> None:
        """Sort the nodes of the search trees by the next order: visits, value, prior, then visits again."""
        orders = list(ORDERS)
        for tree in self.query(NodeTree):
            tree.sort_by(orders[(orders.index(tree.order) + 1) % len(orders)])
        self.say(f"sorted by {self.query(NodeTree).first().order}")

    def action_stop(self) -> None:
        """Stop the running search; its result so far is shown."""
        if not self._thinking:
            self.say("no search is running" if self.settled else "no search is running yet", warning=True)
        for number, _ in self._thinking:
            self.query(AgentView)[number].say("stopped; reading the trees…")
        self._stop_searches()

    def action_against(self) -> None:
        """Open a dialog for the name of a second agent to compare with; an empty name removes the second agent."""
        self.app.push_screen(TextEntry("Compare with which agent?", "".join(self.names[1:])), self._compare)

    async def _compare(self, name: str | None) -> None:
        if name is None:
            return
        try:
            if name:
                await self._make(name, self.state)
        except InvalidInput as error:
            self.say(str(error), warning=True)
            return
        self._stop_searches()
        self.workers.cancel_group(self, "think")  # before its view is removed, where it would show its report
        self.names = [self.names[0], name] if name else self.names[:1]
        agents = self.query_one("#agents")
        for view in list(self.query(AgentView))[1:]:
            await view.remove()
        if name:
            await agents.mount(AgentView(name, self.card_style))
            self.query(AgentView).last().switch(self.view)
        self.query(AgentView).first().take_keys()
        self.show_position()

    def action_export(self) -> None:
        """Open a dialog for a file name, then export the screen (SVG) or the analyses (JSON) to that file."""
        self.app.push_screen(TextEntry("Export to FILE.json or FILE.svg", f"ply-{self.ply}.json"), self._export)

    def _export(self, path: str | None) -> None:
        if path:
            self.call_after_refresh(self._write, path)

    def _write(self, path: str) -> None:
        try:
            if check_target(path) == ".svg":
                text = self.app.export_screenshot()
            elif self.settled:
                text = json.dumps(comparison([self.analyses[n] for n in range(len(self.names))], self._depth))
            else:
                raise InvalidInput("the search is still running: s stops it")
            write(path, text)
        except InvalidInput as error:
            self.say(str(error), warning=True)
        else:
            self.say(f"wrote {path}")


def _position(state: State, card_style: CardStyle) -> Content:
    """Return the observation of the seat to move, without long lists, and the last events, as text."""
    facts = state.observation().to_dict()
    history = facts.pop("history")
    skipped = ("discard", "legal_actions", "player", "to_move")
    texts = {name: fact(value) for name, value in facts.items() if name not in skipped}
    words = [f"{name} {value}" for name, value in texts.items() if value != NOTHING]
    first = Content.styled(f"seat {state.current_player()} to move", "bold")
    return Content.assemble(
        first, " · ", card_style.line(" · ".join(words)), "\n", card_style.line("; ".join(history[-_NUM_EVENTS:]))
    )
