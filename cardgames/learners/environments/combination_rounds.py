"""Rounds in which a combination of networks plays some seats, many side by side in one kernel, and the memory of what it
decided.

The decisions of a seat in a round lie one after the other, the last marked as such: what came next is in the next row.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.doudizhu.hands.decomposition import NO_GROUP
from cardgames.doudizhu.hands.shapes import MAX_HAND_SIZE
from cardgames.doudizhu.policies.compiled_policies import call_combination, new_combination_outputs
from cardgames.doudizhu.state import PLAY, PLAYERS
from cardgames.kernels.copying import copy_record, copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import derive, next_word, streams

MOST_DECISIONS = 64
"""Of a seat in a round; it plays at most 20 times, and passes no more often than the others play."""


class CombinationPlayer(NamedTuple):
    """Who learns, and against whom."""

    weights: NDArray[np.float32]
    """Those of a policy that follows its networks (`networks.network_policy`)."""
    seats: int
    """It sits on the first so many seats."""
    epsilon: float
    """The chance of a random decomposition, and of a random one of its moves."""
    policy_id: int
    """The policy on the other seats."""
    default_policy: int
    """The policy that bids for its own seats, as it does where the networks play (`doudizhu.policies.policy_dispatch`)."""


class Decisions(NamedTuple):
    """What was decided, a row each."""

    states: NDArray[Any]
    """[rows] where: the state, of which the seat to move alone is looked at as it sees it."""
    groups: NDArray[np.int32]
    """[rows, MOST_CARDS] the groups of the decomposition chosen, then `NO_GROUP`s."""
    taken: NDArray[np.int32]
    """[rows] the move chosen among them."""
    rewards: NDArray[np.float32]
    """[rows] 1 if the round ended before the seat decided again and its side won, -1 if it lost, else 0."""
    last: NDArray[np.bool_]
    """[rows] whether the round ended before the seat decided again."""


class Tables(NamedTuple):
    """Where it plays."""

    states: NDArray[Any]
    """[tables] the rounds, hidden cards and all."""
    streams: NDArray[Any]
    """[tables] (`rng.STREAM`) all chance at a table."""
    pending: Decisions
    """[tables * PLAYERS * MOST_DECISIONS] what was decided in the rounds that are under way."""
    counts: NDArray[np.int64]
    """[tables, PLAYERS] so often by each seat."""


def new_decisions(game: Game, rows: int) -> Decisions:
    """Return room for so many decisions."""
    return Decisions(
        np.zeros(rows, game.state_dtype),
        np.full((rows, MAX_HAND_SIZE), NO_GROUP, np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.bool_),
    )


def new_tables(game: Game, tables: int, seed: int) -> Tables:
    """Return so many tables, a round dealt at each."""
    made = Tables(
        np.zeros(tables, game.state_dtype),
        streams(seed, tables),
        new_decisions(game, tables * PLAYERS * MOST_DECISIONS),
        np.zeros((tables, PLAYERS), np.int64),
    )
    for table in range(tables):
        ops.deal(game.kernel_rules, made.states[table], np.uint64(derive(seed, table, 1)))
    return made


@njit
def _decide(rules, state, player, stream, pending, row):
    """Take one decision of the learner's and note it in a row of `pending`."""
    _, moves, q = new_combination_outputs()
    copy_record(pending.states[row], state)
    action = call_combination(rules, state, player.weights, player.epsilon, stream, pending.groups[row], moves, q)
    pending.taken[row], pending.rewards[row], pending.last[row] = action, 0, False
    ops.apply_action(rules, state, action)


@njit
def _write_to_memory(rules, state, pending, first, count, seat, memory, cursor):
    """Copy what a seat decided in a round that is over, with how it ended, into the memory; return the cursor behind it."""
    for row in range(first, first + count):
        at = cursor % len(memory.taken)
        copy_record(memory.states[at], pending.states[row])
        copy_row(memory.groups[at], pending.groups[row])
        memory.taken[at], memory.rewards[at], memory.last[at] = pending.taken[row], 0, False
        cursor += 1
    if count:
        at = (cursor - 1) % len(memory.taken)
        memory.rewards[at], memory.last[at] = 1 if ops.won(rules, state, seat) else -1, True
    return cursor


@njit
def play_until_decision(rules, tables, player, legal, memory, cursor, no_weights):
    """Play on at every table until the learner has decided once, or the round is over and the next one dealt. Return how
    many rounds ended, how many decisions were taken, and the cursor behind what was remembered of these rounds. `legal` is
    room for what is legal.
    """
    rounds = decisions = 0
    for table in range(len(tables.states)):
        state, stream, counts = tables.states[table], tables.streams[table], tables.counts[table]
        while not ops.is_terminal(rules, state):
            seat = ops.current_player(rules, state)
            n = ops.legal_actions(rules, state, legal)
            if n == 1:
                ops.apply_action(rules, state, np.int64(legal[0]))
            elif seat >= player.seats or state.phase != PLAY:
                policy_id = player.policy_id if seat >= player.seats else player.default_policy
                ops.apply_action(rules, state, np.int64(ops.policy(rules, state, policy_id, no_weights, stream)))
            else:
                row = (table * PLAYERS + seat) * MOST_DECISIONS + counts[seat]
                _decide(rules, state, player, stream, tables.pending, row)
                counts[seat] += 1
                decisions += 1
                break
        if ops.is_terminal(rules, state):
            rounds += 1
            for seat in range(player.seats):
                first = (table * PLAYERS + seat) * MOST_DECISIONS
                cursor = _write_to_memory(rules, state, tables.pending, first, counts[seat], seat, memory, cursor)
            counts[:] = 0
            ops.deal(rules, state, next_word(stream))
    return rounds, decisions, cursor
