"""Session of a card game: a person and agents, or agents alone, play round after round.

The line mode and the full screen both show a session.
"""

import pathlib
from collections.abc import Sequence
from dataclasses import is_dataclass, replace

from cardgames.agents.agent import Agent, Decision, Limit, ask, decide
from cardgames.arena.warmup import mark_agent_compiled, mark_game_compiled
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.kernels import rng
from cardgames.records.record import HUMAN_NAME, replay
from cardgames.records.record_lines import Round
from cardgames.records.recorder import Recorder
from cardgames.support.errors import InvalidInput
from cardgames.tui.event_feed import EventFeed
from cardgames.tui.line_mode import ViewModel, line_mode_of

PACE = 0.6
"""Minimum number of seconds between two moves shown at speed 1."""


class Session:
    """Rounds of one game between the same players: deals, plays, records and scores them.

    If the rules pay points, `scores` adds them up, in a match only those of the winner of each round. Otherwise it counts
    the rounds won.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent | None],
        *,
        seed: int = 0,
        recorder: Recorder | None = None,
        played: Sequence[Round] = (),
        start: State | None = None,
        open_hands: bool = False,
    ) -> None:
        """Create a session with no round dealt.

        Args:
            game: The game.
            agents: Agent of each seat; None for the seat of the person, at most one.
            seed: Seed of the deals.
            recorder: Recorder that writes all rounds to a file; None for no record.
            played: Recorded rounds after which the session continues; the last one may be unfinished.
            start: Position at which every round begins; None to deal.
            open_hands: Whether the person sees all hands.

        Raises:
            InvalidInput: The number of agents or of persons does not fit the game.
        """
        persons = [seat for seat, agent in enumerate(agents) if agent is None]
        if len(agents) != game.num_players or len(persons) > 1:
            raise InvalidInput(
                f"the table has {game.num_players} seats, at most one of them for a person; "
                f"got {len(agents)} players, {len(persons)} of them persons"
            )
        self.game = game
        self.line_mode = line_mode_of(game.name)
        self.agents = tuple(agents)
        self.person = persons[0] if persons else None
        self.seed = seed
        self.round = 0
        """Number of rounds dealt so far."""
        self.scores = [0.0] * game.num_players
        rules = game.rules.to_dict()
        self.for_points = rules.get("payoff") == "points"
        """True if `scores` are points, False if they are numbers of rounds won."""
        self.match_score = int(rules["match-score"]) if self.for_points and "match-score" in rules else None
        """Number of points that win the match; None if the rules have no match."""
        self._recorder = recorder
        self._played = list(played)
        self._start = start
        self.open_hands = open_hands
        """Whether the person sees all hands."""
        self._feed: EventFeed | None = None
        """Log of the round in progress."""

    @property
    def state(self) -> State:
        """State of the round in progress. It includes hidden cards, so it must not be shown to the person."""
        return self._event_feed.state

    @property
    def _event_feed(self) -> EventFeed:
        """Log of the round in progress. Raises `RuntimeError` before the first deal."""
        if self._feed is None:
            raise RuntimeError("no round has been dealt yet")
        return self._feed

    @property
    def record(self) -> pathlib.Path | None:
        """Path of the file with the record of all rounds; None if nothing is recorded or the file does not exist."""
        return self._recorder.path if self._recorder is not None and self._recorder.path.is_file() else None

    def deal(self) -> None:
        """Deal the next round, with the next seat as dealer; after a match, begin the next match.

        The first call replays the recorded rounds in `played`; if the last of them is unfinished, it is continued. If a
        round is in progress, nothing is dealt. Raises `InvalidInput` if a recorded round cannot be replayed.
        """
        while self._played:
            self._resume_round(self._played[0])
            del self._played[0]
        if self._feed is None or self.round_over:
            self._deal_next()

    def _resume_round(self, played: Round) -> None:
        """Replay a recorded round and score it; if it is the last one and unfinished, go on recording it."""
        self._set_round(replay(played))
        if self.round_over:
            self._score()
        if self._recorder is not None and played is self._played[-1] and played.returns is None:
            self._recorder.resume_round(self.state)
            self._recorder.end(self.state)

    def _deal_next(self) -> None:
        """Deal a new round with the next seat as dealer, or begin one at the position of the session."""
        if self._start is not None:
            self.begin(self._start.clone())
            return
        last = None if self._feed is None else getattr(self.state.record, "dealer", None)
        dealer = None if last is None else (int(last) + 1) % self.game.num_players
        self.begin(self.game.new_initial_state(rng.derive(self.seed, self.round), dealer=dealer))

    def begin(self, state: State) -> None:
        """Begin a round at `state`, a fresh deal or any other position, and record it."""
        self._set_round(state)
        if self._recorder is not None:
            self._recorder.begin(state)

    def _set_round(self, state: State) -> None:
        """Make `state` the round in progress; if the match was over, reset the scores."""
        if self.match_over:
            self.scores = [0.0] * self.game.num_players
        self._feed = EventFeed(state, self.person, self.line_mode, self.name)
        self.round += 1

    @property
    def decider(self) -> int:
        """Seat that has to decide next; -1 once the round is over."""
        return self.state.current_player()

    @property
    def round_over(self) -> bool:
        """True if the current round is over."""
        return self.state.is_terminal()

    @property
    def match_over(self) -> bool:
        """True if a seat has reached the number of points that wins the match; always False without a match."""
        return self.match_score is not None and max(self.scores) >= self.match_score

    @property
    def winners(self) -> list[int]:
        """Seats that won the current round; empty before its end and if it is void."""
        return self.state.winners()

    def unit(self, rounds: str, match: str) -> str:
        """Return the unit of `scores`, as text.

        Args:
            rounds: Unit if scores are numbers of rounds won.
            match: Unit in a match, a format string for the number of points that wins it. Other points have "points".
        """
        if not self.for_points:
            return rounds
        return "points" if self.match_score is None else match.format(self.match_score)

    def parse(self, text: str) -> int:
        """Return the legal action that the person typed as `text`. Raises `InvalidInput`, saying what is allowed."""
        return self.line_mode.parse(self.state, text)

    def play(self, action: int) -> None:
        """Play the person's action. Raises `InvalidInput` if it is not the person's turn or the action is not legal."""
        if self.decider != self.person:
            raise InvalidInput("it is not your turn")
        self._apply(action, None)

    def ask(self) -> Decision:
        """Let the agent to move decide, and return its decision without playing it. This may take long."""
        agent = self.agents[self.decider]
        if agent is None:
            raise RuntimeError("the person is to move")
        return self._note_compiled(agent, decide(agent, self.state))

    def advise(self, agent: Agent, observation: Observation) -> Decision:
        """Return what `agent` would play for an observation, as a hint; nothing is played. This may take long."""
        return self._note_compiled(agent, ask(agent, observation))

    def _note_compiled(self, agent: Agent, decision: Decision) -> Decision:
        """Record on disk that the agent is compiled, if it has searched for this decision; return the decision."""
        if decision.report is not None:  # forced moves are not searched
            mark_agent_compiled(self.game.name, agent)
        return decision

    def warm_up(self) -> None:
        """Compile the kernels of the rules that the current round needs, by one step on a copy of it."""
        copy = self.state.clone()
        copy.observation()
        copy.apply_action(copy.legal_actions()[0])
        copy.returns()
        copy.winners()
        mark_game_compiled(self.game.name)

    def warm_up_agent(self, agent: Agent) -> None:
        """Compile the kernels that `agent` needs, by a decision with one simulation on a copy of the round."""
        copy = self.state.clone()
        while len(copy.legal_actions()) == 1:
            copy.apply_action(copy.legal_actions()[0])
        if not copy.is_terminal():
            self._note_compiled(agent, decide(agent, copy, Limit(simulations=1)))

    def apply(self, decision: Decision) -> None:
        """Play the decision of the agent to move. Raises `InvalidInput` if the action is not legal."""
        agent = self.agents[self.decider]
        if agent is not None and decision.action not in self.state.legal_actions():
            # without the legal actions, which would reveal the agent's hand to the person
            raise InvalidInput(f"agent {agent.name} answered {decision.action!r}, which is not legal")
        self._apply(decision.action, decision)

    def _apply(self, action: int, decision: Decision | None) -> None:
        """Play an action, record it, and score the round if it is over; `decision` is None for the person's action."""
        self.state.apply_action(action)
        if self._recorder is not None:
            self._recorder.step(self.state, action, decision)
        if self.round_over:
            self._score()
            if self._recorder is not None:
                self._recorder.end(self.state)

    def _score(self) -> None:
        """Add the result of the finished round to `scores`."""
        for seat, points in enumerate(self.state.returns()):
            won = seat in self.winners
            if not self.for_points:
                self.scores[seat] += won
            elif won or self.match_score is None:
                self.scores[seat] += points

    def view_model(self) -> ViewModel:
        """Return the view model of the table: what the person may see, or everything if no person plays.

        With open hands the person sees all hands.
        """
        if self.person is None:
            return self.line_mode.full_view(self.state)
        seen = self.line_mode.seat_view(self.state.observation(self.person))
        if self.open_hands and is_dataclass(seen) and not isinstance(seen, type) and hasattr(seen, "hands"):
            return replace(seen, hands=self.line_mode.full_view(self.state).hands)
        return seen

    def news(self) -> int:
        """Return the number of events of the current round that the person, or a spectator, could see."""
        return self._event_feed.noticed()

    def log(self, start: int = 0) -> list[str]:
        """Return the log of the current round, as the person or a spectator saw it, without its first `start` lines."""
        return self._event_feed.lines(start)

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat: `you` for the person, `mcts 2` for an agent `mcts` at seat 2."""
        agent = self.agents[seat]
        return HUMAN_NAME if agent is None else f"{agent.name} {seat}"

    def close(self) -> None:
        """Stop the searches of all agents and close the record file."""
        for agent in self.agents:
            stop(agent)
        if self._recorder is not None:
            self._recorder.close()
            self._recorder = None


def stop(agent: Agent | None) -> None:
    """Stop the running search of an agent, if the agent has a method `stop`; None is ignored."""
    halt = getattr(agent, "stop", None)
    if halt is not None:
        halt()
