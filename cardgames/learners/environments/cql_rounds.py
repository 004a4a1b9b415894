"""Kernel of parallel Dou Di Zhu rounds for combinational Q-learning, with a ring buffer of the learner's decisions.

At a decision the networks choose a decomposition of the hand, then a move in it. The decisions of one seat in one round
are in consecutive rows, the seat's final decision marked `last`: the next state of any other decision is in the next
row.
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
"""Upper bound of the number of decisions of a seat in a round.

A seat plays cards at most 20 times, and passes at most as often as the other two seats play cards.
"""


class CombinationPlayer(NamedTuple):
    """Players of the rounds: networks, seats and exploration of the learner, and the policies that decide for others."""

    weights: NDArray[np.float32]
    """Weights of the learner's networks in the layout of a network policy (`networks.network_policy`)."""
    seats: int
    """Number of the learner's seats, from the first on."""
    epsilon: float
    """Probability that the learner takes a random decomposition, and that it takes a random move in a decomposition."""
    policy_id: int
    """Id of the policy that plays the seats of the opponents."""
    default_policy: int
    """Id of the policy that bids for the learner's seats in the auction (`doudizhu.policies.policy_dispatch`)."""


class Decisions(NamedTuple):
    """Decisions of the learner in Dou Di Zhu, one row per decision."""

    states: NDArray[Any]
    """State at each decision ([rows]); only what the seat to move observes is used."""
    groups: NDArray[np.int32]
    """Groups of the decomposition chosen, padded with `NO_GROUP` ([rows, MAX_HAND_SIZE])."""
    taken: NDArray[np.int32]
    """Move chosen in the decomposition ([rows])."""
    rewards: NDArray[np.float32]
    """Reward until the seat's next decision ([rows]): 1 or -1 if the round ended with a win or loss, else 0."""
    last: NDArray[np.bool_]
    """True if the round ended before the seat's next decision ([rows])."""


class Tables(NamedTuple):
    """Rounds in progress, one at each of several tables that are played in parallel."""

    states: NDArray[Any]
    """Full states of the rounds ([tables])."""
    streams: NDArray[Any]
    """Random streams ([tables] `rng.STREAM`), one per table for all its randomness."""
    pending: Decisions
    """Decisions in the rounds in progress, not yet in the memory ([tables * PLAYERS * MOST_DECISIONS])."""
    counts: NDArray[np.int64]
    """Number of decisions in `pending` for each table and seat ([tables, PLAYERS])."""


def new_decisions(game: Game, rows: int) -> Decisions:
    """Allocate arrays for `rows` decisions."""
    return Decisions(
        np.zeros(rows, game.state_dtype),
        np.full((rows, MAX_HAND_SIZE), NO_GROUP, np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.bool_),
    )


def new_tables(game: Game, tables: int, seed: int) -> Tables:
    """Return arrays for `tables` rounds played in parallel, with a round dealt at each table."""
    new = Tables(
        np.zeros(tables, game.state_dtype),
        streams(seed, tables),
        new_decisions(game, tables * PLAYERS * MOST_DECISIONS),
        np.zeros((tables, PLAYERS), np.int64),
    )
    for table in range(tables):
        ops.deal(game.kernel_rules, new.states[table], np.uint64(derive(seed, table, 1)))
    return new


@njit
def _decide(rules, state, player, stream, pending, row):
    """Take one decision of the learner by its networks, and record it in the row `row` of `pending`."""
    _, moves, q = new_combination_outputs()
    copy_record(pending.states[row], state)
    action = call_combination(rules, state, player.weights, player.epsilon, stream, pending.groups[row], moves, q)
    pending.taken[row], pending.rewards[row], pending.last[row] = action, 0, False
    ops.apply_action(rules, state, action)


@njit
def _write_to_memory(rules, state, pending, first, count, seat, memory, cursor):
    """Copy the decisions of a seat in a finished round from `pending` to the ring buffer `memory`.

    They are the `count` rows from `first` on. The reward of the last one is 1 if the seat's side won, else -1; the
    rewards of the others are 0. Return the number of decisions written to the memory so far.
    """
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
    """Play each table until the learner has decided once, or the round is over and the next one is dealt.

    Args:
        rules: Kernel rules of the game.
        tables: Tables to play at.
        player: Networks of the learner, and policies of the opponents.
        legal: Work array for legal actions ([max_legal_actions] int32).
        memory: Ring buffer that receives the decisions of finished rounds.
        cursor: Number of decisions written to `memory` so far.
        no_weights: Empty weights for the policies ([0] float32).

    Returns:
        Number of finished rounds, number of decisions taken, and the new cursor.
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
