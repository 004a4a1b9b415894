"""Matches and tournaments: who wins how often, on mirrored deals, with intervals.

Every deal is mirrored: a *block* is one deal played once for every rotation of the agents through the seats. All
chance in block b, the agents' own included, follows from (seed, b) alone, so a result does not depend on the number of
processes.
"""

import itertools
import multiprocessing
import pickle
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops, rng
from cardgames.core.agents import Agent, Limit, available, decide, split_name
from cardgames.core.agents import agent as make_agent
from cardgames.core.errors import InvalidInput
from cardgames.core.game import Game, State
from cardgames.core.intervals import wilson
from cardgames.core.policy import Policy
from cardgames.core.rounds import AGENT, DEAL, MATCH, TALLY, play_blocks, seed_word

AgentLike = str | Agent | Callable[[Game, int], Agent]
"""An agent's name with its options, an agent (used as it is, never reseeded), or a function of game and seed."""

_GAMES_A_CHUNK = 20_000
"""Games between policies that one kernel call plays: about a tenth of a second."""

_VOID_ROUNDS_A_MATCH = 100
"""So many void rounds in a row void a match."""


@dataclass(frozen=True)
class AgentResult:
    """What one entry of a match achieved."""

    name: str
    games: int
    wins: int
    mean_return: float
    """Pay-off a game (in a match over rounds: summed over its rounds)."""

    @property
    def win_rate(self) -> float:
        """Wins a game, void games included."""
        return self.wins / self.games if self.games else 0.0

    @property
    def ci95(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the win rate."""
        return wilson(self.wins, self.games)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "name": self.name,
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.win_rate,
            "ci95": list(self.ci95),
            "mean_return": self.mean_return,
        }


@dataclass(frozen=True)
class MatchResult:
    """What came out of a match, or of the part of it played so far."""

    game: str
    rules: dict[str, str]
    """Name and hash."""
    seed: int
    games: int
    seconds: float
    steps: int
    """Decisions of all players."""
    voids: int
    """Games without a winner."""
    agents: list[AgentResult]
    """In the order in which the agents were given, whichever seats they rotated through."""
    pairs: list["MatchResult"] = field(default_factory=list)
    """The matches of a round robin, of which this is the sum."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data; `pairs` only where there are any."""
        data = vars(self) | {"agents": [entry.to_dict() for entry in self.agents]}
        del data["pairs"]
        return data | {"pairs": [pair.to_dict() for pair in self.pairs]} if self.pairs else data

    def __str__(self) -> str:
        """Return a table, one line an agent."""
        width = max(5, *(len(entry.name) for entry in self.agents))
        lines = [f"{'agent':<{width}}  {'games':>9}  {'wins':>9}  win rate  95 % interval   mean return"]
        for entry in self.agents:
            low, high = entry.ci95
            lines.append(
                f"{entry.name:<{width}}  {entry.games:>9}  {entry.wins:>9}  {entry.win_rate:>8.2%}"
                f"  {low:>6.2%} - {high:>6.2%}  {entry.mean_return:>11.3f}"
            )
        return "\n".join(lines)


@dataclass(frozen=True)
class _Plan:
    """All that fixes a match; travels to worker processes."""

    game: Game
    agents: tuple[AgentLike, ...]
    names: tuple[str, ...]
    policies: tuple[Policy, ...] | None
    """The agents' policies if kernels can play all of them, else None."""
    seed: int
    limit: Limit | None
    match: bool

    @property
    def word(self) -> np.uint64:
        return np.uint64(rng.derive(self.seed))

    def seed_of(self, block: int, part: int) -> int:
        return int(seed_word(self.word, block, part))

    def make(self, block: int) -> list[Agent]:
        return [_make(entry, self.game, self.seed_of(block, AGENT + e)) for e, entry in enumerate(self.agents)]


@dataclass
class _Tally:
    """Counts that add up."""

    agents: NDArray[Any]
    steps: int = 0
    voids: int = 0

    def add(self, other: "_Tally") -> None:
        for column in ("games", "wins", "paid"):
            self.agents[column] += other.agents[column]
        self.steps += other.steps
        self.voids += other.voids

    def result(self, plan: _Plan, seconds: float) -> MatchResult:
        return MatchResult(
            game=plan.game.name,
            rules={"name": plan.game.rules.name, "hash": plan.game.rules.hash},
            seed=plan.seed,
            games=int(self.agents["games"][0]),
            seconds=seconds,
            steps=self.steps,
            voids=self.voids,
            agents=[
                AgentResult(name, int(row.games), int(row.wins), float(row.paid / max(1, row.games)))
                for name, row in zip(plan.names, self.agents, strict=True)
            ],
        )


def _make(entry: AgentLike, game: Game, seed: int) -> Agent:
    if isinstance(entry, str):
        return make_agent(entry, game, seed)
    # a class has its agents' attributes too, but it is a function of game and seed
    return entry if isinstance(entry, Agent) and not isinstance(entry, type) else entry(game, seed)


def _name(entry: AgentLike, agent: Agent) -> str:
    return entry if isinstance(entry, str) else agent.name


def _policies(entries: Sequence[AgentLike], agents: Sequence[Agent], game: Game) -> tuple[Policy, ...] | None:
    """Return the agents' policies if all are built-in ones that kernels can play, else None."""
    built_in = available(game.name)
    if not all(isinstance(entry, str) and split_name(entry)[0] in built_in for entry in entries):
        return None
    policies = tuple(getattr(agent, "policy", None) for agent in agents)
    return policies if all(isinstance(policy, Policy) for policy in policies) else None  # type: ignore[return-value]


def deal(game: Game, seed: int, block: int) -> State:
    """Return the deal that every game of block `block` of a match with `seed` begins with."""
    record = np.zeros(1, game.state_dtype)[0]
    word = seed_word(np.uint64(rng.derive(seed)), block, DEAL)
    ops.deal(game.kernel_rules, record, np.uint64(word))
    return State(game, record, game.opening_events(record))


def play_round(state: State, seats: Sequence[Agent], limit: Limit | None = None) -> int:
    """Play `state` to its end, seat s deciding by `seats[s]`, and return the number of decisions.

    Raises `InvalidInput` naming the agent if one answers with an illegal action.
    """
    steps = 0
    while not state.is_terminal():
        agent = seats[state.current_player()]
        action = decide(agent, state, limit).action
        try:
            state.apply_action(action)
        except InvalidInput as error:
            raise InvalidInput(f"agent {agent.name}: {error}") from None
        steps += 1
    return steps


def _one_round(plan: _Plan, block: int, seats: Sequence[Agent]) -> tuple[int, list[int], list[float]]:
    """Play a block's deal and return (decisions, the seats that won, pay-off a seat)."""
    state = deal(plan.game, plan.seed, block)
    return play_round(state, seats, plan.limit), state.winners(), state.returns()


def _one_match(plan: _Plan, block: int, seats: Sequence[Agent]) -> tuple[int, list[int], list[float]]:
    """Play rounds, the dealer moving on, until a seat's winnings reach the match score; returns as `_one_round`."""
    n, target = len(seats), int(plan.game.rules["match-score"])
    won, paid = np.zeros(n), np.zeros(n)
    steps = number = voids = 0
    while voids < _VOID_ROUNDS_A_MATCH:
        dealer = (plan.seed_of(block, DEAL) + number) % n
        state = plan.game.new_initial_state(plan.seed_of(block, MATCH + number), dealer=dealer)
        steps += play_round(state, seats, plan.limit)
        paid += state.returns()
        number += 1
        winners = state.winners()
        if not winners:
            voids += 1
            continue
        voids = 0
        won[winners] += np.maximum(0.0, state.returns())[winners]
        if won.max() >= target:
            return steps, [int(seat) for seat in np.flatnonzero(won == won.max())], list(paid)
    return steps, [], list(paid)


def _play_block(plan: _Plan, block: int, tally: _Tally) -> None:
    agents, n = plan.make(block), len(plan.agents)
    play = _one_match if plan.match else _one_round
    for rotation in range(n):
        steps, winners, paid = play(plan, block, [agents[(seat - rotation) % n] for seat in range(n)])
        tally.steps += steps
        tally.voids += not winners
        for entry in range(n):
            seat = (entry + rotation) % n
            row = tally.agents[entry]
            row.games += 1
            row.wins += seat in winners
            row.paid += paid[seat]


def _play(plan: _Plan, first: int, last: int) -> _Tally:
    """Play the blocks `first` to `last` - 1; runs in a worker process too."""
    if plan.policies is not None:
        rules, dtype = plan.game.kernel_rules, plan.game.state_dtype
        return _Tally(*play_blocks(rules, dtype, plan.policies, plan.word, first, last))
    tally = _Tally(np.zeros(len(plan.agents), TALLY))
    for block in range(first, last):
        _play_block(plan, block, tally)
    return tally


def _tallies(plan: _Plan, blocks: int, jobs: int) -> Iterator[_Tally]:
    """Yield the tallies of a match's chunks in order."""
    size = 1 if plan.policies is None else max(1, _GAMES_A_CHUNK // len(plan.agents))
    chunks = ((first, min(first + size, blocks)) for first in range(0, blocks, size))
    if jobs == 1:
        yield from (_play(plan, *chunk) for chunk in chunks)
        return
    # a worker that gets Ctrl-C just ends: what it was playing is lost, and nobody wants its traceback
    pool = ProcessPoolExecutor(
        jobs,
        multiprocessing.get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_DFL),
    )
    running: deque[Future[_Tally]] = deque()
    try:
        for chunk in chunks:
            running.append(pool.submit(_play, plan, *chunk))
            if len(running) > 4 * jobs:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    except KeyboardInterrupt:
        yield from (future.result() for future in running if future.done() and not future.exception())
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _check(plan: _Plan, games: int, jobs: int) -> None:
    n = plan.game.num_players
    if len(plan.agents) != n:
        raise InvalidInput(f"{len(plan.agents)} agents were given for {n} players")
    for what, number in (("games", games), ("jobs", jobs)):
        if number < 1:
            raise InvalidInput(f"{what} is a number from 1, not {number}")
    if plan.match and "match-score" not in plan.game.rules.to_dict():
        raise InvalidInput(f"{plan.game.name} has no matches over several rounds")
    if jobs > 1:
        try:
            pickle.dumps(plan)
        except (pickle.PicklingError, AttributeError, TypeError):
            raise InvalidInput("with more than one job, name the agents or give functions of a module") from None


def play_match(
    game: Game,
    agents: Sequence[AgentLike],
    games: int,
    seed: int = 0,
    jobs: int = 1,
    limit: Limit | None = None,
    progress: Callable[[MatchResult], None] | None = None,
    match: bool = False,
) -> MatchResult:
    """Let `agents` (one an entry, `game.num_players` of them) play at least `games` games on mirrored deals.

    The number of games is rounded up to whole rotations. Agents are made anew for every deal, seeded from `seed`, the
    deal's number and their place in `agents`. `limit` goes to every decision. `jobs` processes share the work (a script
    that asks for more than one needs the usual `if __name__ == "__main__":`). `progress` is given the result so far
    after every part finished, so that an interrupt loses nothing. With `match` a game is a match: rounds with a moving
    dealer until what a seat has won in the rounds it won reaches the rule match-score. Raises `InvalidInput`.
    """
    made = [_make(entry, game, seed) for entry in agents]
    names = tuple(_name(entry, agent) for entry, agent in zip(agents, made, strict=True))
    plan = _Plan(game, tuple(agents), names, None if match else _policies(agents, made, game), seed, limit, match)
    _check(plan, games, jobs)
    start = time.perf_counter()
    total = _Tally(np.zeros(len(agents), TALLY))
    blocks = -(-games // len(agents))
    for tally in _tallies(plan, blocks, jobs):
        total.add(tally)
        if progress:
            progress(total.result(plan, time.perf_counter() - start))
    return total.result(plan, time.perf_counter() - start)


def _sum(pairs: Sequence[MatchResult], entries: Sequence[tuple[int, int]], names: Sequence[str]) -> MatchResult:
    """Add up the matches between `entries`, pairs of places in `names`."""
    played: list[list[AgentResult]] = [[] for _ in names]
    for pair, places in zip(pairs, entries, strict=False):
        for place, result in zip(places, pair.agents, strict=True):
            played[place].append(result)
    totals = []
    for name, results in zip(names, played, strict=True):
        games = sum(r.games for r in results)
        paid = sum(r.mean_return * r.games for r in results)
        totals.append(AgentResult(name, games, sum(r.wins for r in results), paid / max(1, games)))
    return replace(
        pairs[0],
        games=sum(p.games for p in pairs),
        seconds=sum(p.seconds for p in pairs),
        steps=sum(p.steps for p in pairs),
        voids=sum(p.voids for p in pairs),
        agents=totals,
        pairs=list(pairs),
    )


def play_round_robin(
    game: Game,
    agents: Sequence[AgentLike],
    games: int,
    seed: int = 0,
    jobs: int = 1,
    limit: Limit | None = None,
    progress: Callable[[MatchResult], None] | None = None,
    match: bool = False,
) -> MatchResult:
    """Let every pair of `agents` play at least `games` games of a game for two; all pairs play the same deals.

    Returns the sum, its `pairs` the matches in the order (0, 1), (0, 2), ..., (1, 2), ...; otherwise as `play_match`.
    """
    if game.num_players != 2 or len(agents) < 2:
        raise InvalidInput(f"a round robin is for a game of 2 players and at least 2 agents, not {len(agents)}")
    names = [_name(entry, _make(entry, game, seed)) for entry in agents]
    entries = list(itertools.combinations(range(len(agents)), 2))
    finished: list[MatchResult] = []
    for places in entries:

        def so_far(result: MatchResult) -> None:
            if progress:
                progress(_sum([*finished, result], entries, names))

        finished.append(play_match(game, [agents[place] for place in places], games, seed, jobs, limit, so_far, match))
    return _sum(finished, entries, names)
