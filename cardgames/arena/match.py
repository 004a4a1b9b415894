"""Matches between agents on mirrored deals.

A *block* is one deal, played once for each way to seat the agents (`Game.seatings`), usually each rotation through the
seats. All random numbers of block b, those of the agents included, depend only on (seed, b). The result is therefore the
same with any number of processes, with two exceptions: the last bit of payoffs that are not whole numbers, and matches
with a time limit, whose searches depend on the speed of the machine. An agent given as an object keeps its state from
block to block, so such a match runs in one process.
"""

import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent import Agent, Limit, check_limit, decide, play_decision
from cardgames.arena.kernel_matches import AGENT, DEAL, MATCH, play_blocks, seed_word, slots_of
from cardgames.arena.participants import (
    Participant,
    check_participants,
    is_agent_instance,
    kernel_policies,
    make_participant,
    participant_name,
)
from cardgames.arena.results import MatchResult
from cardgames.arena.tally import Clock, GameOutcome, Tally
from cardgames.arena.workers import map_chunks
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.kernel_policy import Policy
from cardgames.core.state import State
from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput, is_integer

_CHUNK_SECONDS = 0.1
"""Target duration, in seconds, of one call of the kernel that plays a chunk of blocks; Ctrl-C waits for the end of a call.

Calls may take up to twice that, or longer if a single block (all games of one deal) does.
"""
_MIN_SLOW_CALLS = 3
"""Number of kernel calls longer than `_CHUNK_SECONDS` after which the number of blocks per call no longer grows.

One slow call is not enough: the first call compiles, and another may be delayed by the system.
"""

_COMPILED: set[tuple[str, ...]] = set()
"""Pairings of rules and agents (`_MatchPlan.compile_key`) for which this process has played at least one block.

Decisions are timed only from the second block on, since the first block includes compiling and loading kernels.
"""

_MAX_VOID_ROUNDS = 100
"""Number of successive void rounds (without a winner) after which a match over several rounds ends without a winner."""


@dataclass(frozen=True)
class _MatchPlan:
    """Specification of a match (game, agents, seed, limit), which is sent to worker processes."""

    game: Game
    agents: tuple[Participant, ...]
    names: tuple[str, ...]
    policies: tuple[Policy, ...] | None
    """Policies of the agents if kernels can play all of them, else None."""
    seed: int
    limit: Limit | None
    match: bool

    @property
    def word(self) -> np.uint64:
        return np.uint64(rng.derive(self.seed))

    @property
    def compile_key(self) -> tuple[str, ...]:
        """Rules and agents, which determine the kernels that have to be compiled."""
        return (self.game.rules.hash, *self.names)

    def block_seed(self, block: int, part: int) -> int:
        return int(seed_word(self.word, block, part))

    @property
    def seatings(self) -> NDArray[np.int64]:
        """Index of the participant on each seat, for each way to seat them (int64 [seatings, players])."""
        return self.game.seatings(len(self.agents))

    def result(self, tally: Tally, seconds: float) -> MatchResult:
        return MatchResult(
            game=self.game.name,
            rules=self.game.rules.name_and_hash(),
            seed=self.seed,
            games=tally.games,
            seconds=seconds,
            steps=tally.steps,
            voids=tally.voids,
            agents=tally.results(self.names, self.game.roles),
            deal_scores=tuple(tally.deal_scores.tolist()),
        )

    def make(self, block: int) -> list[Agent]:
        """Return the agents of block `block`, by slot (see `kernel_matches.slots_of`), with seeds for this block.

        They are new agents, except for participants that are agent objects.
        """
        slots, n = range(int(slots_of(self.seatings).max()) + 1), len(self.agents)
        return [
            make_participant(self.agents[slot % n], self.game, self.block_seed(block, AGENT + slot)) for slot in slots
        ]


def deal(game: Game, seed: int, block: int) -> State:
    """Return the initial state of block number `block`, with which all its games begin, in a match of single rounds.

    `seed` is the seed of the match.
    """
    return game.deal_from_word(seed_word(np.uint64(rng.derive(seed)), block, DEAL))


def play_round(state: State, seats: Sequence[Agent], limit: Limit | None = None, clock: Clock | None = None) -> int:
    """Play the round in `state` to its end.

    Args:
        state: State to play from; it is changed.
        seats: Agent of each seat.
        limit: Limit of each decision (simulations, time).
        clock: Clock to which the processor time of decisions with several legal actions is added, by seat.

    Returns:
        The number of decisions.

    Raises:
        InvalidInput: If an agent fails or chooses an illegal action; the message names the agent.
    """
    steps = 0
    while not state.is_terminal():
        seat = state.current_player()
        agent = seats[seat]
        start = time.process_time()
        action = decide(agent, state, limit).action
        if clock is not None:
            seconds = time.process_time() - start
            if len(state.legal_actions()) > 1:
                clock.add(seat, 1, seconds)
        play_decision(agent, state, action)
        steps += 1
    return steps


def _one_round(plan: _MatchPlan, block: int, seats: Sequence[Agent]) -> GameOutcome:
    """Play one game of a block: a single round that starts with the deal of block number `block`."""
    state = deal(plan.game, plan.seed, block)
    clock = Clock(len(seats))
    steps = play_round(state, seats, plan.limit, clock)
    won = np.isin(np.arange(len(seats)), state.winners())
    roles = np.array([ops.role(plan.game.kernel_rules, state.record, seat) for seat in range(len(seats))])
    return GameOutcome(steps, won, np.array(state.returns()), roles, clock)


def _one_match(plan: _MatchPlan, block: int, seats: Sequence[Agent]) -> GameOutcome:
    """Play one game of a block: rounds with the next seat as dealer each time, until a seat reaches the match score.

    A seat's score is the sum of its payoffs in the rounds that it won. After too many void rounds nobody wins.
    """
    n, target = len(seats), int(plan.game.rules["match-score"])
    won, paid = np.zeros(n), np.zeros(n)
    steps = number = voids = 0
    clock = Clock(n)
    while voids < _MAX_VOID_ROUNDS:
        dealer = (plan.block_seed(block, DEAL) + number) % n
        state = plan.game.new_initial_state(plan.block_seed(block, MATCH + number), dealer=dealer)
        steps += play_round(state, seats, plan.limit, clock)
        paid += state.returns()
        number += 1
        winners = state.winners()
        if not winners:
            voids += 1
            continue
        voids = 0
        won[winners] += np.maximum(0.0, state.returns())[winners]
        if won.max() >= target:
            return GameOutcome(steps, won == won.max(), paid, np.zeros(n, np.int64), clock)
    return GameOutcome(steps, np.zeros(n, np.bool_), paid, np.zeros(n, np.int64), clock)


def _play_block(plan: _MatchPlan, block: int, tally: Tally) -> None:
    agents, seatings = plan.make(block), plan.seatings
    play = _one_match if plan.match else _one_round
    for seating, slots in zip(seatings, slots_of(seatings), strict=True):
        tally.count(play(plan, block, [agents[slot] for slot in slots]), seating, timed=plan.compile_key in _COMPILED)
    tally.close_block()
    _COMPILED.add(plan.compile_key)


def _play(plan: _MatchPlan, first: int, last: int) -> Tally:
    """Play the blocks (deals) `first` to `last` - 1 and return their counts; in a kernel if all agents are policies."""
    if plan.policies is not None:
        return Tally(*play_blocks(plan.game, plan.policies, plan.word, first, last))
    tally = Tally.of(plan.game, len(plan.agents))
    for block in range(first, last):
        _play_block(plan, block, tally)
    return tally


def _tallies(plan: _MatchPlan, blocks: int, jobs: int) -> Iterator[Tally]:
    """Play all blocks of a match in chunks of successive blocks, in `jobs` processes; yield the chunks' counts in order."""
    done, size, slow_calls, kernels = 0, 1, 0, plan.policies is not None
    # this process compiles the kernels and finds the chunk size before it starts other processes
    while done < blocks and (jobs == 1 or (kernels and slow_calls < _MIN_SLOW_CALLS)):
        last, start = min(done + size, blocks), time.perf_counter()
        tally = _play(plan, done, last)
        if time.perf_counter() - start >= _CHUNK_SECONDS:
            slow_calls += 1
        elif kernels:
            size *= 2
        done = last
        yield tally
    if done < blocks:
        chunks = ((first, min(first + size, blocks)) for first in range(done, blocks, size))
        yield from map_chunks(partial(_play, plan), chunks, jobs)


def _check(plan: _MatchPlan, games: int, jobs: int) -> None:
    plan.game.seatings(len(plan.agents))
    for what, number in (("games", games), ("jobs", jobs)):
        if not is_integer(number) or number < 1:
            raise InvalidInput(f"{what} is a number from 1, not {number}")
    check_limit(plan.limit)
    if plan.match and "match-score" not in plan.game.rules.to_dict():
        raise InvalidInput(f"{plan.game.name} has no matches over several rounds")
    if jobs > 1 and not _can_use_workers(plan):
        raise InvalidInput("with more than one job, agents have to be names, or functions of a module")


def _can_use_workers(plan: _MatchPlan) -> bool:
    """Return whether worker processes can play the match, with the same result as one process.

    They cannot if the plan cannot be pickled, or if a participant is an agent object: it keeps its state from deal to deal,
    and copies of it in other processes would not share that state.
    """
    if any(is_agent_instance(participant) for participant in plan.agents):
        return False
    try:
        pickle.dumps(plan)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def play_match(
    game: Game,
    agents: Sequence[Participant],
    games: int,
    seed: int = 0,
    jobs: int = 1,
    limit: Limit | None = None,
    progress: Callable[[MatchResult], None] | None = None,
    match: bool = False,
) -> MatchResult:
    """Play a match between agents on mirrored deals: each deal is played once for each way to seat the agents.

    Args:
        game: Game to play.
        agents: Participants, `game.num_players` of them or another number that `Game.seatings` supports. New agents are
            made for every deal, with seeds derived from `seed`, the index of the deal and their index in `agents`; an
            agent object is used as it is.
        games: Number of games, rounded up so that each deal is played with all seatings.
        seed: Seed of all deals and agents.
        jobs: Number of processes. A script that uses more than one needs the usual `if __name__ == "__main__":`.
        limit: Limit of each decision.
        progress: Called with the result so far after each chunk of games, so that an interrupt loses nothing.
        match: Let each game consist of several rounds, the next seat dealing each time, until the sum of a seat's payoffs
            in the rounds that it won reaches the rule match-score.

    Returns:
        The result, with a confidence interval for each agent.

    Raises:
        InvalidInput: If an argument is wrong, or an agent fails or chooses an illegal action.
    """
    check_participants(game, agents)
    seed = rng.check_seed(seed)
    instances = [make_participant(participant, game, seed) for participant in agents]
    names = tuple(participant_name(participant, agent) for participant, agent in zip(agents, instances, strict=True))
    plan = _MatchPlan(
        game, tuple(agents), names, None if match else kernel_policies(agents, instances, game), seed, limit, match
    )
    _check(plan, games, jobs)
    start = time.perf_counter()
    total = Tally.of(plan.game, len(plan.agents))
    blocks = -(-games // len(plan.seatings))
    for tally in _tallies(plan, blocks, jobs):
        total.add(tally)
        if progress:
            progress(plan.result(total, time.perf_counter() - start))
    return plan.result(total, time.perf_counter() - start)
