"""Line mode (`--plain`): a person plays or watches by lines of text on any stream, without a full screen."""

import time
from collections.abc import Callable
from typing import TextIO

from cardgames.agents.agent import Agent, Decision
from cardgames.arena.warmup import is_agent_compiled, is_game_compiled
from cardgames.search.report import SearchReport
from cardgames.support.errors import InvalidInput
from cardgames.tui.line_mode import GAMES
from cardgames.tui.session import PACE, Session
from cardgames.tui.shared_wording import effort, listed, rounded_percent, short_value, widest

_MAX_ACTIONS = 20
"""Maximum number of actions whose search statistics are printed with a hint."""


class _LeftTable(Exception):
    """Exception that is raised when the person leaves the table."""


def play_plain(session: Session, stdin: TextIO, stdout: TextIO, hint: Callable[[], Agent] | None = None) -> None:
    """Let a person play rounds with moves read from `stdin`, until the person quits or the input ends.

    Args:
        session: Session with one seat for a person.
        stdin: Lines that the person types.
        stdout: Stream to which the table is printed.
        hint: Function that makes the agent that gives hints; None if there are no hints.
    """
    try:
        _LineTable(session, stdin, stdout, hint).play_until_left()
    except (_LeftTable, KeyboardInterrupt):
        later = f" Resume with --resume {session.record}." if session.record and session.round else ""
        print(f"\nGoodbye.{later}", file=stdout)
    finally:
        session.close()


def watch_plain(session: Session, stdout: TextIO, speed: float = 1.0) -> None:
    """Play a round, or a match, between agents and print it with all cards shown.

    At `speed` 1 a move takes at least `PACE` seconds; 2 is twice as fast, infinity never waits.
    """
    try:
        front = _LineTable(session, None, stdout, None)
        front.rounds(pace=PACE / speed)
    except KeyboardInterrupt:
        print("\nStopped.", file=stdout)
    finally:
        session.close()


class _LineTable:
    """Table that is shown as lines of text: plays a session, reads moves from one stream and prints to another."""

    def __init__(
        self, session: Session, stdin: TextIO | None, stdout: TextIO, hint: Callable[[], Agent] | None
    ) -> None:
        """Create the table; `stdin` is None if no person plays, `hint` makes the agent that gives hints (or is None)."""
        self.session, self._line_mode = session, session.line_mode
        self._in, self._out, self._hint = stdin, stdout, hint
        self._announced: set[str] = set()
        """Names of the agents for which "Compiling ..." was printed."""
        self._num_lines = self._num_rows = 0
        """Number of log lines printed, and number of events searched for a redeal, in the current round."""

    def say(self, text: str = "") -> None:
        """Print a line of text."""
        print(text, file=self._out, flush=True)

    def play_until_left(self) -> None:
        """Play rounds or matches, one after the other, until the person leaves."""
        game, leave = self.session.game, self._line_mode.leave
        self.say(f"{game.name}, {game.rules.name} rules. h: hint, ?: help, {leave}: quit")
        while True:
            self.rounds(pace=0.0)
            self.say(f"n: next round, {self._line_mode.leave}: quit")
            self._wait_for_next()

    def rounds(self, pace: float) -> None:
        """Play rounds until the match is over, or one round if the rules have no match.

        `pace` is the minimum number of seconds for the move of an agent.
        """
        while True:
            self._round(pace)
            if self.session.match_score is None or self.session.match_over:
                return
            if self.session.person is not None:
                self.say(f"n: next round, {self._line_mode.leave}: quit")
                self._wait_for_next()

    def _wait_for_next(self) -> None:
        """Read lines until the person types `n` or an empty line for the next round."""
        while True:
            line = self._line()
            if line in ("", "n"):
                return
            self.say(f"unknown input {line!r}: type n for the next round, {self._line_mode.leave} to quit")

    def _round(self, pace: float) -> None:
        """Deal and play one round, and print its moves and its result."""
        game = self.session.game.name
        if game in GAMES and not is_game_compiled(game):
            self.say("Compiling the rules for this machine (first time only)...")
        self.session.deal()
        self.session.warm_up()
        self._num_lines = self._num_rows = 0
        self.say(f"\nRound {self.session.round}")
        if self.session.person is None:
            self._show()
        while not self.session.round_over:
            self._print_new_lines()
            if self.session.person is None and self._redealt():
                self._show()
            if self.session.decider == self.session.person:
                self._show()
                self.session.play(self._person_decides())
            else:
                self._agent_decides(pace)
        self._print_new_lines()
        self.say(_result(self.session))

    def _agent_decides(self, pace: float) -> None:
        """Let the agent to move decide, and play its decision after at least `pace` seconds."""
        self._announce(self.session.agents[self.session.decider], self._decider)
        started = time.monotonic()
        decision = self.session.ask()
        if pace > 0:
            time.sleep(max(0.0, started + pace - time.monotonic()))
        self.session.apply(decision)

    def _decider(self) -> str:
        """Return the name of the agent to move, or `the agents` if the person may not know which agent decides."""
        openly = getattr(self.session.view_model(), "to_move", None) == self.session.decider
        return self.session.name(self.session.decider) if openly else "the agents"

    def _announce(self, agent: Agent | None, name: Callable[[], str]) -> None:
        """Print that an agent is being compiled, if it is not compiled yet; print it only once for each agent."""
        if (
            agent is not None
            and agent.name not in self._announced
            and not is_agent_compiled(self.session.game.name, agent)
        ):
            self._announced.add(agent.name)
            self.say(f"Compiling {name()} (first time only)...")

    def _print_new_lines(self) -> None:
        """Print the lines of the round's log that were not printed before."""
        news = self.session.log(self._num_lines)
        for line in news:
            self.say(line)
        self._num_lines += len(news)

    def _redealt(self) -> bool:
        """Return whether all cards were dealt again (as after an auction without a bid) since the last call."""
        state = self.session.state
        news = state.history(self._num_rows)
        self._num_rows += len(news)
        return any(kind == state.game.belief.redeal_event for kind, *_ in news)

    def _person_decides(self) -> int:
        """Return the action that the person types; answer `h` with a hint and `?` with help."""
        action_names, words = self._line_mode.action_names(self.session.state)
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
                    return self.session.parse(line)
                except InvalidInput as error:
                    self.say(f"{error}; or h: hint, ?: help, {self._line_mode.leave}: quit")

    def _help(self) -> None:
        """Print how moves are typed, the keys, and the rules of the game."""
        self.say(self._line_mode.help(self.session.state))
        self.say(f"h: hint   ?: this help   {self._line_mode.leave}: quit")
        for axis in self.session.game.rules:
            self.say(f"{axis}: {axis.words}")

    def _line(self) -> str:
        """Return the next line that the person types. Raises `_LeftTable` if the person leaves or the input ends."""
        print("> ", end="", file=self._out, flush=True)
        line = self._in.readline() if self._in is not None else ""
        if not line or line.strip().lower() == self._line_mode.leave:
            raise _LeftTable
        return line.strip()

    def _give_hint(self) -> None:
        """Print the action that the hint agent would play, with the statistics of its search."""
        if self._hint is None:
            self.say("Hints are not available at this table.")
            return
        agent = self._hint()
        self._announce(agent, lambda: agent.name)
        decision = self.session.advise(agent, self.session.state.observation())
        self.say(f"{agent.name} would play {self.session.state.action_to_string(decision.action)}")
        for line in _report_lines(decision):
            self.say(line)

    def _show(self) -> None:
        """Print what the person or spectator may see of the table."""
        for line in self._line_mode.lines(self.session, self.session.view_model()):
            self.say(line)


def _report_lines(decision: Decision) -> list[str]:
    """Return the statistics of the search behind a decision as lines of text; empty if it has no search report."""
    report = decision.report
    if not isinstance(report, SearchReport):
        return []
    lines = [f"  {effort(report)}"]
    shown = report.actions[:_MAX_ACTIONS]
    width = widest((action.text for action in shown), 12)
    for action in shown:
        visits = f"{action.visits:>7} visits" if report.visited else ""
        prior = "" if action.prior is None else f"   prior {rounded_percent(action.prior)}"
        value = "" if action.value is None else f"   {report.unit} {short_value(action.value, report.unit)}"
        proven = "" if action.proven is None else f"   proven {action.proven}"
        lines.append(f"  {action.text:<{width}}{visits}{prior}{value}{proven}")
    more = len(report.actions) - _MAX_ACTIONS
    return [*lines, f"  and {more} more"] if more > 0 else lines


def _result(session: Session) -> str:
    """Return the text at the end of a round: winners, payoff and hand of each seat, and scores."""
    names = [session.name(seat) for seat in range(session.game.num_players)]
    winners = listed([names[seat] for seat in session.winners])
    lines = [f"Round over: {winners} won." if winners else "The round is void."]
    returns = session.state.returns()
    for seat, hand in enumerate(session.game.hands_of(session.state.record)):
        lines.append(f"  {names[seat]}: {returns[seat]:+g}, holds {session.line_mode.hand(hand) or 'nothing'}")
    explain_payoffs = session.line_mode.explain_payoffs(session)
    lines += [f"  {explain_payoffs}"] if explain_payoffs else []
    scores = ", ".join(f"{name} {score:g}" for name, score in zip(names, session.scores, strict=True))
    lines.append(f"  {session.unit('rounds won', 'points of {}')}: {scores}")
    if session.match_over and winners:
        lines.append(f"The match goes to {winners}.")
    return "\n".join(lines)
