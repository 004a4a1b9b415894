"""The screen on which a researcher looks inside agents."""

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
from cardgames.search.analysis import Analysis, comparison, make_analyzed_agent, think
from cardgames.support.errors import InvalidInput, parse_integer
from cardgames.tui.export import check_target, write
from cardgames.tui.position_history import PositionHistory
from cardgames.tui.screen_theme import CardStyle, card_style_of
from cardgames.tui.screens.background_task import BackgroundScreen
from cardgames.tui.screens.text_entry import TextEntry
from cardgames.tui.session import stop
from cardgames.tui.widgets.agent_view import VIEWS, AgentView
from cardgames.tui.widgets.key_bar import KeyBar
from cardgames.tui.widgets.node_tree import ORDERS, NodeTree
from cardgames.tui.widgets.too_small_notice import TooSmallNotice
from cardgames.tui.wording import NOTHING, fact

_PATIENCE = 0.15
"""Seconds for which a position must be looked at before agents think about it."""
_THINKS = "thinks…"
_RECENT = 4
"""So many events of the history are shown."""


class DebugScreen(BackgroundScreen):
    """A position and what one agent, or two, think of it."""

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
        """What has been thought about the position on the screen, by the agent's number."""
        self._thinking: list[tuple[int, Agent]] = []
        """Who searches, with its number."""

    @property
    def settled(self) -> bool:
        """Whether all agents have thought about the position."""
        return len(self.analyses) == len(self.names)

    @property
    def state(self) -> State:
        """The position on the screen."""
        state = self._position_history.at(self.ply)
        assert state is not None
        return state

    @property
    def card_style(self) -> CardStyle:
        """The colours of the cards."""
        return card_style_of(self.state.game.name)

    def compose(self) -> ComposeResult:
        """Lay out the position, the agents side by side, and a line of words."""
        yield Static("", id="title", markup=False)
        yield Static("", id="position")
        with Horizontal(id="agents"):
            for name in self.names:
                yield AgentView(name, self.card_style)
        yield Static("", id="status", markup=False)
        yield KeyBar()
        yield TooSmallNotice()

    def on_mount(self) -> None:
        """Begin to think once the position has been painted."""
        self.call_after_refresh(self.screen_theme)

    def screen_theme(self) -> None:
        """Show the position, and let the agents think about it."""
        self._halt()
        self.say("")
        self.analyses.clear()
        game, sequel = self.state.game, self._position_history.sequel(self.ply)
        self.query_one("#title", Static).update(
            f" {game.title} · {game.rules.name} · seed {self._seed} · ply {self.ply}"
            + (f" · then {sequel}" if sequel else "")
        )
        self.query_one("#position", Static).update(_position(self.state, self.card_style))
        for number, view in enumerate(self.query(AgentView)):
            view.clear("waits for the first" if number else _THINKS)
        self.in_background(self._think, group="think")

    async def _think(self) -> None:
        """Have the agents think, one after the other."""
        await asyncio.sleep(_PATIENCE)
        for number, view in enumerate(self.query(AgentView)):
            await self._ask(number, view)

    async def _ask(self, number: int, view: AgentView) -> None:
        name, state, ply = view.agent_name, self.state, self.ply
        view.wait(_THINKS)
        agent = await self._make(name, state)
        if not is_agent_compiled(state.game.name, agent):
            view.wait("compiling (first time only)…")
            await self.in_thread(partial(self.wait_for_compiler, state.game.name, agent.name))
        self._thinking.append((number, agent))
        given_up = threading.Event()

        def work() -> Analysis | None:
            if given_up.is_set() or self._left:
                return None
            analysis = Analysis(name, self._seed, ply, state, think(agent, state.observation()))
            if analysis.report is not None and not (given_up.is_set() or self._left):
                _ = analysis.report.details  # read here, as that takes long
            return analysis

        try:
            analysis = await self.think(agent, work, view.progress)
            if analysis is not None:
                mark_agent_compiled(state.game.name, agent)
        finally:
            given_up.set()
            stop(agent)  # whoever was sent away in the middle of it searches no further
            self._thinking.remove((number, agent))
        if analysis is not None and ply == self.ply:
            self.analyses[number] = analysis
            view.show(analysis)

    async def _make(self, name: str, state: State) -> Agent:
        """Return an agent, made in a thread: it may read a network, or import a library. Raises `InvalidInput`."""
        return await self.in_thread(lambda: make_analyzed_agent(name, state.game, self._seed))

    def _halt(self) -> None:
        for _, agent in self._thinking:
            stop(agent)

    def leave(self) -> None:
        """Stop the searches and the compiler under way."""
        super().leave()
        self._halt()

    def _go(self, ply: int) -> None:
        try:
            state = self._position_history.at(ply)
        except InvalidInput as error:
            self.say(str(error), warning=True)
            return
        if state is None or state.is_terminal():
            end = (
                "this is where the round begins"
                if ply < 0
                else f"the round is over after {self._position_history.length} decisions"
            )
            self.say(end, warning=True)
            return
        self.ply = ply
        self.screen_theme()

    def action_step(self, plies: int) -> None:
        """Go to the position before or after this one."""
        self._go(self.ply + plies)

    def action_go(self) -> None:
        """Ask for the position to go to."""

        def go(text: str | None) -> None:
            ply = parse_integer(text or "")
            if ply is not None:
                self._go(ply)
            elif text:
                self.say(f"a ply is a number from 0, not {text[:20]!r}", warning=True)

        self.app.push_screen(TextEntry("Go to which ply?"), go)

    def action_view(self, view: str) -> None:
        """Show another part of the reports."""
        self.view = view
        for agent in self.query(AgentView):
            agent.switch(view)
        self.query(AgentView).first().take_keys()

    def action_sort(self) -> None:
        """Sort the trees by the next of visits, value, prior."""
        orders = list(ORDERS)
        for tree in self.query(NodeTree):
            tree.sort_by(orders[(orders.index(tree.order) + 1) % len(orders)])
        self.say(f"sorted by {self.query(NodeTree).first().order}")

    def action_stop(self) -> None:
        """End the search under way with what it has."""
        if not self._thinking:
            self.say("nobody is searching" if self.settled else "nobody is searching yet", warning=True)
        for number, _ in self._thinking:
            self.query(AgentView)[number].say("stopped; reading the trees…")
        self._halt()

    def action_against(self) -> None:
        """Ask for the agent to compare with; nothing leaves the first alone."""
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
        self._halt()
        self.workers.cancel_group(self, "think")  # before a view goes: what thinks would show itself there
        self.names = [self.names[0], name] if name else self.names[:1]
        agents = self.query_one("#agents")
        for view in list(self.query(AgentView))[1:]:
            await view.remove()
        if name:
            await agents.mount(AgentView(name, self.card_style))
            self.query(AgentView).last().switch(self.view)
        self.query(AgentView).first().take_keys()
        self.screen_theme()

    def action_export(self) -> None:
        """Ask for the file to write to."""
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
                raise InvalidInput("the search is not done yet: s stops it")
            write(path, text)
        except InvalidInput as error:
            self.say(str(error), warning=True)
        else:
            self.say(f"wrote {path}")


def _position(state: State, card_style: CardStyle) -> Content:
    """Return what the mover knows: everything but long lists, and the last events."""
    facts = state.observation().to_dict()
    history = facts.pop("history")
    skipped = ("discard", "legal_actions", "player", "to_move")
    told = {name: fact(value) for name, value in facts.items() if name not in skipped}
    words = [f"{name} {what}" for name, what in told.items() if what != NOTHING]
    first = Content.styled(f"seat {state.current_player()} to move", "bold")
    return Content.assemble(
        first, " · ", card_style.line(" · ".join(words)), "\n", card_style.line("; ".join(history[-_RECENT:]))
    )
