"""Matches and tournaments: who wins how often, on mirrored deals, with intervals.

Every deal is mirrored: a *block* is one deal played once for every way to seat the agents (`Game.seatings`), mostly
every rotation of them through the seats. All chance in block b, the agents' own included, follows from (seed, b) alone,
so a result does not depend on the number of processes (but for the last bit of pay-offs that are no whole numbers, and
under a limit in time, as what a search finds then depends on the machine's speed). (An agent given as an object goes on
from block to block, and is played in one process.)
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
from cardgames.core.policy import Policy
from cardgames.core.state import State
from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput, is_integer

_CHUNK_SECONDS = 0.1
"""Seconds that kernels play games between policies in one call, or twice that, if one block takes no longer: Ctrl-C
waits for the end of a call.
"""
_MIN_SLOW_CALLS = 3
"""So many calls have taken longer when their size is settled: the first compiles, another may have been held up."""

_COMPILED: set[tuple[str, ...]] = set()
"""The rules and agents of which this process has played a deal: what they compile and load at first is not timed."""

_MAX_VOID_ROUNDS = 100
"""So many void rounds in a row void a match."""


@dataclass(frozen=True)
class _MatchPlan:
    """All that fixes a match; travels to worker processes."""

    game: Game
    agents: tuple[Participant, ...]
    names: tuple[str, ...]
    policies: tuple[Policy, ...] | None
    """The agents' policies if kernels can play all of them, else None."""
    seed: int
    limit: Limit | None
    match: bool

    @property
    def word(self) -> np.uint64:
        return np.uint64(rng.derive(self.seed))

    @property
    def compile_key(self) -> tuple[str, ...]:
        """What is compiled for."""
        return (self.game.rules.hash, *self.names)

    def block_seed(self, block: int, part: int) -> int:
        return int(seed_word(self.word, block, part))

    @property
    def seatings(self) -> NDArray[np.int64]:
        """[seatings, players] the entry on each seat."""
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
        )

    def make(self, block: int) -> list[Agent]:
        """Return an agent for every slot (`rounds.slots_of`)."""
        slots, n = range(int(slots_of(self.seatings).max()) + 1), len(self.agents)
        return [
            make_participant(self.agents[slot % n], self.game, self.block_seed(block, AGENT + slot)) for slot in slots
        ]


def deal(game: Game, seed: int, block: int) -> State:
    """Return the deal with which every game of block `block` begins, of a match of single rounds with `seed`."""
    return game.deal_from_word(seed_word(np.uint64(rng.derive(seed)), block, DEAL))


def play_round(state: State, seats: Sequence[Agent], limit: Limit | None = None, clock: Clock | None = None) -> int:
    """Play `state` to its end, seat s deciding by `seats[s]`, and return the number of decisions; those with a choice are
    timed by the `clock` of the seats.

    Raises `InvalidInput` naming the agent if one answers with an illegal action.
    """
    steps = 0
    while not state.is_terminal():
        seat = state.current_player()
        agent = seats[seat]
        begun = time.process_time()
        action = decide(agent, state, limit).action
        if clock is not None:
            spent = time.process_time() - begun
            if len(state.legal_actions()) > 1:
                clock.add(seat, 1, spent)
        play_decision(agent, state, action)
        steps += 1
    return steps


def _one_round(plan: _MatchPlan, block: int, seats: Sequence[Agent]) -> GameOutcome:
    """Play a block's deal."""
    state = deal(plan.game, plan.seed, block)
    clock = Clock(len(seats))
    steps = play_round(state, seats, plan.limit, clock)
    won = np.isin(np.arange(len(seats)), state.winners())
    roles = np.array([ops.role(plan.game.kernel_rules, state.record, seat) for seat in range(len(seats))])
    return GameOutcome(steps, won, np.array(state.returns()), roles, clock)


def _one_match(plan: _MatchPlan, block: int, seats: Sequence[Agent]) -> GameOutcome:
    """Play rounds, the dealer moving on, until a seat's winnings reach the match score."""
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
    """Play the blocks `first` to `last` - 1."""
    if plan.policies is not None:
        return Tally(*play_blocks(plan.game, plan.policies, plan.word, first, last))
    tally = Tally.of(plan.game, len(plan.agents))
    for block in range(first, last):
        _play_block(plan, block, tally)
    return tally


def _tallies(plan: _MatchPlan, blocks: int, jobs: int) -> Iterator[Tally]:
    """Yield the tallies of a match's chunks in order."""
    done, size, slow, kernels = 0, 1, 0, plan.policies is not None
    # kernels are compiled here, and their chunks measured, before other processes are asked for more of them
    while done < blocks and (jobs == 1 or (kernels and slow < _MIN_SLOW_CALLS)):
        last, begun = min(done + size, blocks), time.perf_counter()
        tally = _play(plan, done, last)
        if time.perf_counter() - begun >= _CHUNK_SECONDS:
            slow += 1
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
        raise InvalidInput("with more than one job, name the agents or give functions of a module")


def _can_use_workers(plan: _MatchPlan) -> bool:
    """Return whether other processes can play parts of a match to the same result: an agent given as it is goes on from
    deal to deal, which copies of it in several processes cannot.
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
    """Let `agents` (one an entry, `game.num_players` of them, or what else `Game.seatings` can seat) play at least
    `games` games on mirrored deals.

    The number of games is rounded up to whole blocks. Agents are made anew for every deal, seeded from `seed`, the
    deal's number and their place in `agents`; one given as an object is used as it is. `limit` goes to every decision.
    `jobs` processes share the work (a script that asks for more than one needs the usual `if __name__ == "__main__":`).
    `progress` is given the result so far after every part finished, so that an interrupt loses nothing. With `match` a
    game is a match: rounds with a moving dealer until what a seat has won in the rounds it won reaches the rule
    match-score. Raises `InvalidInput`.
    """
    check_participants(game, agents)
    seed = rng.check_seed(seed)
    made = [make_participant(participant, game, seed) for participant in agents]
    names = tuple(participant_name(participant, agent) for participant, agent in zip(agents, made, strict=True))
    plan = _MatchPlan(
        game, tuple(agents), names, None if match else kernel_policies(agents, made, game), seed, limit, match
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
