"""The game line by line, on any stream: no terminal is needed."""

import time
from collections.abc import Callable
from typing import TextIO

from cardgames.agents.agent import Agent, Decision
from cardgames.arena.warmup import is_agent_compiled, is_game_compiled
from cardgames.search.report import SearchReport
from cardgames.support.errors import InvalidInput
from cardgames.tui.session import PACE, Session
from cardgames.tui.text_theme import GAMES
from cardgames.tui.wording import effort, listed, widest

_REPORTED = 20
"""So many actions of a search are told."""


class _LeftTable(Exception):
    """The person has left the table."""


def play_plain(table: Session, stdin: TextIO, stdout: TextIO, hint: Callable[[], Agent] | None = None) -> None:
    """Play at `table` with the person's lines from `stdin`, until he quits or the input ends.

    `hint` makes the agent that is asked for hints.
    """
    try:
        _LineTable(table, stdin, stdout, hint).session()
    except (_LeftTable, KeyboardInterrupt):
        later = f" --resume {table.record} goes on." if table.record and table.round else ""
        print(f"\nGoodbye.{later}", file=stdout)
    finally:
        table.close()


def watch_plain(table: Session, stdout: TextIO, speed: float = 1.0) -> None:
    """Print a game, or match, of agents as it happens, all cards shown; `speed` 2 is twice as fast, infinity never waits."""
    try:
        front = _LineTable(table, None, stdout, None)
        front.rounds(pace=PACE / speed)
    except KeyboardInterrupt:
        print("\nStopped.", file=stdout)
    finally:
        table.close()


class _LineTable:
    """A session on two streams."""

    def __init__(self, table: Session, stdin: TextIO | None, stdout: TextIO, hint: Callable[[], Agent] | None) -> None:
        self.table, self._text_theme = table, table.text_theme
        self._in, self._out, self._hint = stdin, stdout, hint
        self._announced: set[str] = set()
        """Agents of which was said that they are compiled."""
        self._told = self._looked_at = 0
        """Lines of the log, and rows of the history."""

    def say(self, text: str = "") -> None:
        print(text, file=self._out, flush=True)

    def session(self) -> None:
        """Play until the person has had enough."""
        self.say(
            f"{self.table.game.name}, {self.table.game.rules.name} rules. h: hint, ?: help, {self._text_theme.leave}: quit"
        )
        while True:
            self.rounds(pace=0.0)
            self.say(f"n: another game, {self._text_theme.leave}: quit")
            self._wait_for_next()

    def rounds(self, pace: float) -> None:
        """Play rounds until a match is decided; just one where there is no match."""
        while True:
            self._round(pace)
            if self.table.match_score is None or self.table.match_over:
                return
            if self.table.person is not None:
                self.say(f"n: next round, {self._text_theme.leave}: quit")
                self._wait_for_next()

    def _wait_for_next(self) -> None:
        while True:
            line = self._line()
            if line in ("", "n"):
                return
            self.say(f"{line!r} is not understood: n goes on, {self._text_theme.leave} quits")

    def _round(self, pace: float) -> None:
        game = self.table.game.name
        if game in GAMES and not is_game_compiled(game):
            self.say("Compiling the rules for this machine (first time only)...")
        self.table.deal()
        self.table.warm_up()
        self._told = self._looked_at = 0
        self.say(f"\nRound {self.table.round}")
        if self.table.person is None:
            self._show()
        while not self.table.round_over:
            self._tell_news()
            if self.table.person is None and self._dealt_anew():
                self._show()
            if self.table.decider == self.table.person:
                self._show()
                self.table.play(self._person_decides())
            else:
                self._agent_decides(pace)
        self._tell_news()
        self.say(_result(self.table))

    def _agent_decides(self, pace: float) -> None:
        self._announce(self.table.agents[self.table.decider], self._decider)
        started = time.monotonic()
        decision = self.table.ask()
        if pace > 0:
            time.sleep(max(0.0, started + pace - time.monotonic()))
        self.table.apply(decision)

    def _decider(self) -> str:
        """Return the name of the agent to move; who is asked in private may not be named."""
        openly = getattr(self.table.view_model(), "to_move", None) == self.table.decider
        return self.table.name(self.table.decider) if openly else "the agents"

    def _announce(self, agent: Agent | None, name: Callable[[], str]) -> None:
        """Say, once, that an agent is compiled, if it is."""
        if (
            agent is not None
            and agent.name not in self._announced
            and not is_agent_compiled(self.table.game.name, agent)
        ):
            self._announced.add(agent.name)
            self.say(f"Compiling {name()} (first time only)...")

    def _tell_news(self) -> None:
        """Print the lines of the log that are new."""
        news = self.table.log(self._told)
        for line in news:
            self.say(line)
        self._told += len(news)

    def _dealt_anew(self) -> bool:
        """Return whether all cards were dealt again since this was asked last."""
        state = self.table.state
        news = state.history(self._looked_at)
        self._looked_at += len(news)
        return any(kind == state.game.belief.redeal_event for kind, *_ in news)

    def _person_decides(self) -> int:
        action_names, words = self._text_theme.action_names(self.table.state)
        self.say(words)
        while True:
            line = self._line()
            if line == "h":
                self._give_hint()
            elif line == "?":
                self._help()
            elif line in action_names:
                return action_names[line]
            else:
                try:
                    if line.startswith("#") and "#1" in action_names:
                        raise InvalidInput(f"there is no {line:.40}: choose from #1 to #{len(action_names)}")
                    return self.table.parse(line)
                except InvalidInput as error:
                    self.say(f"{error}; or h hint, ? help, {self._text_theme.leave} quit")

    def _help(self) -> None:
        self.say(self._text_theme.help(self.table.state))
        self.say(f"h: a hint   ?: this help   {self._text_theme.leave}: quit")
        for axis in self.table.game.rules:
            self.say(f"{axis}: {axis.words}")

    def _line(self) -> str:
        """Return the next line; raises `_LeftTable` where the person leaves and at the end of the input."""
        print("> ", end="", file=self._out, flush=True)
        line = self._in.readline() if self._in is not None else ""
        if not line or line.strip().lower() == self._text_theme.leave:
            raise _LeftTable
        return line.strip()

    def _give_hint(self) -> None:
        if self._hint is None:
            self.say("There is no one to ask for a hint at this table.")
            return
        agent = self._hint()
        self._announce(agent, lambda: agent.name)
        decision = self.table.advise(agent, self.table.state.observation())
        self.say(f"{agent.name} would play {self.table.state.action_to_string(decision.action)}")
        for line in _report_lines(decision):
            self.say(line)

    def _show(self) -> None:
        """Print the table."""
        for line in self._text_theme.lines(self.table, self.table.view_model()):
            self.say(line)


def _report_lines(decision: Decision) -> list[str]:
    report = decision.report
    if not isinstance(report, SearchReport):
        return []
    lines = [f"  {effort(report)}"]
    shown = report.actions[:_REPORTED]
    width = widest((action.text for action in shown), 12)
    for action in shown:
        visits = f"{action.visits:>7} visits" if report.visited else ""
        prior = "" if action.prior is None else f"   prior {action.prior:.0%}"
        value = "" if action.value is None else f"   win {action.value:.0%}"
        error = "" if action.standard_error is None else f" +- {action.standard_error:.0%}"
        lines.append(f"  {action.text:<{width}}{visits}{prior}{value}{error}")
    more = len(report.actions) - _REPORTED
    return [*lines, f"  and {more} more"] if more > 0 else lines


def _result(table: Session) -> str:
    """Return who won the round, all hands, and the scores."""
    names = [table.name(seat) for seat in range(table.game.num_players)]
    winners = listed([names[seat] for seat in table.winners])
    lines = [f"Round over: {winners} won." if winners else "The round is void."]
    returns = table.state.returns()
    for seat, hand in enumerate(table.game.hands_of(table.state.record)):
        lines.append(f"  {names[seat]}: {returns[seat]:+g}, holds {table.text_theme.hand(hand) or 'nothing'}")
    explain_payoffs = table.text_theme.explain_payoffs(table)
    lines += [f"  {explain_payoffs}"] if explain_payoffs else []
    scores = ", ".join(f"{name} {score:g}" for name, score in zip(names, table.scores, strict=True))
    lines.append(f"  {table.unit('rounds won', 'points of {}')}: {scores}")
    if table.match_over and winners:
        lines.append(f"The match goes to {winners}.")
    return "\n".join(lines)
