"""One session at a table: a person and agents, or agents alone, round after round. Both front ends show it."""

import pathlib
from collections.abc import Sequence

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
from cardgames.tui.text_theme import ViewModel, text_theme_of

PACE = 0.6
"""The least number of seconds between two visible moves at speed 1."""


class Session:
    """A game in progress and who sits where.

    `scores` adds up points where the rules pay any, in a match the winners' alone; otherwise it counts rounds won.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent | None],
        *,
        seed: int = 0,
        recorder: Recorder | None = None,
        played: Sequence[Round] = (),
    ) -> None:
        """Seat `agents` in order, None for the one person; they go on after the rounds `played`, the last of which need not
        be over. Raises `InvalidInput` if they do not fit the game.
        """
        persons = [seat for seat, agent in enumerate(agents) if agent is None]
        if len(agents) != game.num_players or len(persons) > 1:
            raise InvalidInput(
                f"the table has {game.num_players} seats, one of them for a person, not {len(agents)} and {len(persons)}"
            )
        self.game = game
        self.text_theme = text_theme_of(game.name)
        self.agents = tuple(agents)
        self.person = persons[0] if persons else None
        self.seed = seed
        self.round = 0
        """The number of rounds dealt so far."""
        self.scores = [0.0] * game.num_players
        rules = game.rules.to_dict()
        self.for_points = rules.get("payoff") == "points"
        """Whether `scores` are points."""
        self.match_score = int(rules["match-score"]) if self.for_points and "match-score" in rules else None
        """The points that win the match, None if there is none."""
        self._recorder = recorder
        self._played = list(played)
        self._log: EventFeed | None = None
        """Of the round in progress."""

    @property
    def state(self) -> State:
        """The round in progress, hidden cards and all: not for the person's eyes."""
        return self._told.state

    @property
    def _told(self) -> EventFeed:
        if self._log is None:
            raise RuntimeError("no round has been dealt yet")
        return self._log

    @property
    def record(self) -> pathlib.Path | None:
        """The file that holds all that has been played, if there is one."""
        return self._recorder.path if self._recorder is not None and self._recorder.path.is_file() else None

    def deal(self) -> None:
        """Deal the next round, the dealer one seat further on; after a match is decided, the first of the next match.

        The first time, a round that was broken off is put on the table instead; a round under way stays. Raises
        `InvalidInput` if the rounds played do not play again.
        """
        while self._played:
            self._take_up(self._played[0])
            del self._played[0]
        if self._log is None or self.round_over:
            self._deal_next()

    def _take_up(self, played: Round) -> None:
        self._put(replay(played))
        if self.round_over:
            self._score()
        if self._recorder is not None and played is self._played[-1] and played.returns is None:
            self._recorder.resume_round(self.state)
            self._recorder.end(self.state)

    def _deal_next(self) -> None:
        last = None if self._log is None else getattr(self.state.record, "dealer", None)
        dealer = None if last is None else (int(last) + 1) % self.game.num_players
        self.begin(self.game.new_initial_state(rng.derive(self.seed, self.round), dealer=dealer))

    def begin(self, state: State) -> None:
        """Put a round on the table as it stands: freshly dealt, or a position set up by hand."""
        self._put(state)
        if self._recorder is not None:
            self._recorder.begin(state)

    def _put(self, state: State) -> None:
        if self.match_over:
            self.scores = [0.0] * self.game.num_players
        self._log = EventFeed(state, self.person, self.text_theme.hidden_events, self.name)
        self.round += 1

    @property
    def decider(self) -> int:
        """The seat that decides now, -1 once the round is over."""
        return self.state.current_player()

    @property
    def round_over(self) -> bool:
        """Whether the round is over."""
        return self.state.is_terminal()

    @property
    def match_over(self) -> bool:
        """Whether somebody has the points that win the match."""
        return self.match_score is not None and max(self.scores) >= self.match_score

    @property
    def winners(self) -> list[int]:
        """Who has won the round, alone or with partners; nobody before its end and in a void round."""
        return self.state.winners()

    def unit(self, rounds: str, match: str) -> str:
        """Return what `scores` count: `rounds`, points, or where there is a match, `match` with its points put in."""
        if not self.for_points:
            return rounds
        return "points" if self.match_score is None else match.format(self.match_score)

    def parse(self, text: str) -> int:
        """Return the legal action that the person wrote as `text`. Raises `InvalidInput`, naming what is allowed."""
        return self.text_theme.parse(self.state, text)

    def play(self, action: int) -> None:
        """Play the person's `action`. Raises `InvalidInput` if it is not his turn or not legal."""
        if self.decider != self.person:
            raise InvalidInput("it is not your turn")
        self._apply(action, None)

    def ask(self) -> Decision:
        """Let the agent to move decide, and return its decision: may take long, and changes nothing at the table."""
        agent = self.agents[self.decider]
        if agent is None:
            raise RuntimeError("the person is to move")
        return self._noted(agent, decide(agent, self.state))

    def advise(self, agent: Agent, observation: Observation) -> Decision:
        """Return what `agent` would do for who has seen so much: may take long, and changes nothing at the table."""
        return self._noted(agent, ask(agent, observation))

    def _noted(self, agent: Agent, decision: Decision) -> Decision:
        if decision.report is not None:  # forced moves are not searched
            mark_agent_compiled(self.game.name, agent)
        return decision

    def warm_up(self) -> None:
        """Have everything compiled that the table itself needs for this round to go on."""
        copy = self.state.clone()
        copy.observation()
        copy.apply_action(copy.legal_actions()[0])
        copy.returns()
        copy.winners()
        mark_game_compiled(self.game.name)

    def warm_up_agent(self, agent: Agent) -> None:
        """Have everything compiled that `agent` needs, by a small decision on a copy of the round."""
        copy = self.state.clone()
        while len(copy.legal_actions()) == 1:
            copy.apply_action(copy.legal_actions()[0])
        if not copy.is_terminal():
            self._noted(agent, decide(agent, copy, Limit(simulations=1)))

    def apply(self, decision: Decision) -> None:
        """Play what an agent decided."""
        agent = self.agents[self.decider]
        if agent is not None and decision.action not in self.state.legal_actions():
            # no more than that: what is legal would tell the person of a hand
            raise InvalidInput(f"agent {agent.name} answered {decision.action!r}, which is not legal")
        self._apply(decision.action, decision)

    def _apply(self, action: int, decision: Decision | None) -> None:
        self.state.apply_action(action)
        if self._recorder is not None:
            self._recorder.step(self.state, action, decision)
        if self.round_over:
            self._score()
            if self._recorder is not None:
                self._recorder.end(self.state)

    def _score(self) -> None:
        for seat, points in enumerate(self.state.returns()):
            won = seat in self.winners
            if not self.for_points:
                self.scores[seat] += won
            elif won or self.match_score is None:
                self.scores[seat] += points

    def view_model(self) -> ViewModel:
        """Return what the person sees, or without a person everything."""
        if self.person is None:
            return self.text_theme.full_view(self.state)
        return self.text_theme.seat_view(self.state.observation(self.person))

    def news(self) -> int:
        """Return how many things have happened this round that the person, or a spectator, could notice."""
        return self._told.noticed()

    def log(self, start: int = 0) -> list[str]:
        """Return what happened this round as the person, or a spectator, saw it: a sentence each, repetitions counted; the
        first `start` lines are left out.
        """
        return self._told.lines(start)

    def name(self, seat: int) -> str:
        """Return what a seat is called."""
        agent = self.agents[seat]
        return HUMAN_NAME if agent is None else f"{agent.name} {seat}"

    def close(self) -> None:
        """End the session: searches under way are stopped and the record is finished."""
        for agent in self.agents:
            stop(agent)
        if self._recorder is not None:
            self._recorder.close()
            self._recorder = None


def stop(agent: Agent | None) -> None:
    """End the search of an agent that can be stopped."""
    halt = getattr(agent, "stop", None)
    if halt is not None:
        halt()
