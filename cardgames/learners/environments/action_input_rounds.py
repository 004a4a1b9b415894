"""Rounds in which a network that judges one action at a time plays every seat, many side by side in one kernel, and what
came of each of its decisions.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.vector_env import has_winner
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below, next_word, streams, uniform
from cardgames.networks.mlp import mlp_batch

_BATCH_ROWS = 512
"""The network is asked about so many choices at once, or some more: about few it takes up to four times as long for each."""


class NetworkPlayer(NamedTuple):
    """Who plays."""

    encoding: int
    """The number of the choice encoding."""
    sizes: NDArray[np.int64]
    activations: NDArray[np.int64]
    weights: NDArray[np.float32]
    """The network, as kernels take it (`networks.mlp`)."""
    epsilon: float
    """The chance of a random action."""
    default_policy: int
    """The policy that decides where the network has no answer."""


class Tables(NamedTuple):
    """Where it plays."""

    states: NDArray[Any]
    """[tables] the rounds, hidden cards and all."""
    streams: NDArray[Any]
    """[tables] (`rng.STREAM`) all chance at a table."""
    counts: NDArray[np.int64]
    """[tables] between how many choices a seat is to decide now, 0 once the round is over."""


class ChoiceBatch(NamedTuple):
    """The choices the network is asked about at once."""

    actions: NDArray[np.int32]
    """[rows]"""
    inputs: NDArray[np.int8]
    """[rows, inputs]"""
    values: NDArray[np.float32]
    """[rows, 1]"""


class DecisionBuffer(NamedTuple):
    """What was decided, a row each."""

    inputs: NDArray[np.int8]
    """[rows, inputs] what the seat saw, and what it took."""
    tables: NDArray[np.int64]
    """[rows] where"""
    seats: NDArray[np.int64]
    """[rows] whose decision it was."""
    outcomes: NDArray[np.float32]
    """[rows] 1 if its side won, -1 if it lost, 0 for a void round."""


def new_tables(game: Game, tables: int, seed: int) -> Tables:
    """Return so many tables of a game, each with a random stream of its own."""
    return Tables(np.zeros(tables, game.state_dtype), streams(seed, tables), np.zeros(tables, np.int64))


def new_choice_batch(game: Game, inputs: int) -> ChoiceBatch:
    """Return room for what the network is asked at once."""
    rows = _BATCH_ROWS + game.max_legal_actions
    return ChoiceBatch(np.empty(rows, np.int32), np.empty((rows, inputs), np.int8), np.empty((rows, 1), np.float32))


def new_decision_buffer(rows: int, inputs: int) -> DecisionBuffer:
    """Return room for so many decisions."""
    return DecisionBuffer(
        np.empty((rows, inputs), np.int8),
        np.empty(rows, np.int64),
        np.empty(rows, np.int64),
        np.empty(rows, np.float32),
    )


@njit
def _next_choices(rules, state, stream, player, actions, inputs, no_weights):
    """Play on to a decision the network is asked about, write its choices and return how many; 0 at the end of the round.

    With chance epsilon that is one legal action alone. Forced actions are taken, and what the network has no answer for is
    the pacemaker's.
    """
    while not ops.is_terminal(rules, state):
        n = ops.legal_actions(rules, state, actions)
        if n == 1:
            ops.apply_action(rules, state, np.int64(actions[0]))
            continue
        if uniform(stream) < player.epsilon:
            actions[0] = actions[below(stream, n)]
            n = 1
        seat = ops.current_player(rules, state)
        if ops.encode_actions(rules, state, seat, player.encoding, actions[:n], inputs[:n]):
            return n
        ops.apply_action(rules, state, np.int64(ops.policy(rules, state, player.default_policy, no_weights, stream)))
    return 0


@njit
def _argmax(values, stream):
    """Return the place of the greatest value, of equal ones any."""
    best, ties = 0, 1
    for i in range(1, len(values)):
        if values[i, 0] > values[best, 0]:
            best, ties = i, 1
        elif values[i, 0] == values[best, 0]:
            ties += 1
            if below(stream, ties) == 0:
                best = i
    return best


@njit
def _take_best(rules, tables, first, end, batch, decisions, rows):
    """Take the best choice at each of the tables from `first` to `end`, and return how many decisions are written now."""
    at = 0
    for table in range(first, end):
        n, state = tables.counts[table], tables.states[table]
        if n == 0:
            continue
        taken = at + _argmax(batch.values[at : at + n], tables.streams[table])
        at += n
        if rows < len(decisions.seats):
            copy_row(decisions.inputs[rows], batch.inputs[taken])
            decisions.tables[rows], decisions.seats[rows] = table, ops.current_player(rules, state)
            rows += 1
        ops.apply_action(rules, state, np.int64(batch.actions[taken]))
    return rows


@njit
def _step(rules, tables, player, batch, decisions, rows, no_weights):
    """Play on to the next decision at every table and take it; return whether there was one, and how many are written."""
    at = first = 0
    any_decided = False
    for table in range(len(tables.states)):
        n = _next_choices(
            rules,
            tables.states[table],
            tables.streams[table],
            player,
            batch.actions[at:],
            batch.inputs[at:],
            no_weights,
        )
        tables.counts[table] = n
        at += n
        any_decided |= n > 0
        if at >= _BATCH_ROWS or (at > 0 and table == len(tables.states) - 1):
            mlp_batch(player.weights, player.sizes, player.activations, batch.inputs[:at], batch.values[:at])
            rows = _take_best(rules, tables, first, table + 1, batch, decisions, rows)
            at, first = 0, table + 1
    return any_decided, rows


@njit
def _outcome(rules, state, seat, players):
    """Return what a finished round came to for a seat."""
    if ops.won(rules, state, seat):
        return 1.0
    return -1.0 if has_winner(rules, state, players) else 0.0


@njit
def play_rounds(rules, players, tables, player, batch, decisions):
    """Play a round among so many players at every table, and return how many decisions were written.

    Decisions without a choice, and those the network has no answer for, are not; nor are those for which there is no room.
    """
    rows, no_weights, any_decided = 0, np.empty(0, np.float32), True
    for table in range(len(tables.states)):
        ops.deal(rules, tables.states[table], next_word(tables.streams[table]))
    while any_decided:
        any_decided, rows = _step(rules, tables, player, batch, decisions, rows, no_weights)
    for row in range(rows):
        decisions.outcomes[row] = _outcome(rules, tables.states[decisions.tables[row]], decisions.seats[row], players)
    return rows
