"""Kernel of parallel self-play by an action-input network, which collects decisions with the outcome of their round.

An action-input network has one output, the Q of the action in its input: it is evaluated once per legal action. One
call evaluates the legal actions of several tables (rounds in progress).
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
"""Minimum number of inputs, one per legal action, that one call of the network evaluates.

Only the last call of a pass over the tables may have fewer: in a small call each input takes up to four times as long.
"""


class NetworkPlayer(NamedTuple):
    """Network that plays every seat, with its encoding, exploration rate and fallback policy."""

    encoding: int
    """Id of the encoding of an observation together with one action."""
    sizes: NDArray[np.int64]
    """Number of inputs, units of each hidden layer, and outputs of the network."""
    activations: NDArray[np.int64]
    """Ids of the activations of the hidden layers (`networks.mlp`)."""
    weights: NDArray[np.float32]
    """Weights of the network in the layout of `networks.mlp`."""
    epsilon: float
    """Probability of a random action at a decision."""
    default_policy: int
    """Id of the policy that decides in positions without an encoding, such as an auction."""


class Tables(NamedTuple):
    """Rounds played in parallel, one at each table."""

    states: NDArray[Any]
    """Full states of the rounds ([tables])."""
    streams: NDArray[Any]
    """Random streams ([tables] `rng.STREAM`), one per table for all its randomness."""
    counts: NDArray[np.int64]
    """Number of actions to evaluate at the pending decision of each table ([tables]); 0 once its round is over."""


class ChoiceBatch(NamedTuple):
    """Legal actions at several tables, which the network evaluates in one call."""

    actions: NDArray[np.int32]
    """Ids of the actions ([rows])."""
    inputs: NDArray[np.int8]
    """Encoded observations, each with its action ([rows, inputs])."""
    values: NDArray[np.float32]
    """Q of each action by the network ([rows, 1])."""


class DecisionBuffer(NamedTuple):
    """Buffer of decisions in finished rounds, one row per decision."""

    inputs: NDArray[np.int8]
    """Encoded observations with the actions taken ([rows, inputs])."""
    tables: NDArray[np.int64]
    """Index of the table at which each decision was taken ([rows])."""
    seats: NDArray[np.int64]
    """Seat that decided ([rows])."""
    outcomes: NDArray[np.float32]
    """1 if the seat's side won the round, -1 if it lost, 0 if the round was void ([rows])."""


def new_tables(game: Game, tables: int, seed: int) -> Tables:
    """Return arrays for `tables` rounds of a game played in parallel, each with its own random stream; nothing is dealt."""
    return Tables(np.zeros(tables, game.state_dtype), streams(seed, tables), np.zeros(tables, np.int64))


def new_choice_batch(game: Game, inputs: int) -> ChoiceBatch:
    """Allocate a batch of `_BATCH_ROWS` actions, with room for all legal actions of one more table."""
    rows = _BATCH_ROWS + game.max_legal_actions
    return ChoiceBatch(np.empty(rows, np.int32), np.empty((rows, inputs), np.int8), np.empty((rows, 1), np.float32))


def new_decision_buffer(rows: int, inputs: int) -> DecisionBuffer:
    """Allocate a buffer for `rows` decisions with `inputs` network inputs each."""
    return DecisionBuffer(
        np.empty((rows, inputs), np.int8),
        np.empty(rows, np.int64),
        np.empty(rows, np.int64),
        np.empty(rows, np.float32),
    )


@njit
def _next_choices(rules, state, stream, player, actions, inputs, no_weights):
    """Play a round on to the network's next decision, write actions and their encoded inputs, and return their number.

    Return 0 if the round ends before. All legal actions are written or, with probability `player.epsilon`, only a
    random one. A single legal action is taken at once. Positions without an encoding are left to the default policy.
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
    """Return the index of the greatest of `values` ([n, 1]); `stream` breaks ties at random."""
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
    """Take the action of greatest Q at each of the tables `first` to `end` - 1, and record it in `decisions`.

    Return the number of decisions recorded so far.
    """
    at = 0
    for table in range(first, end):
        n, state = tables.counts[table], tables.states[table]
        if n == 0:
            continue
        best = at + _argmax(batch.values[at : at + n], tables.streams[table])
        at += n
        if rows < len(decisions.seats):
            copy_row(decisions.inputs[rows], batch.inputs[best])
            decisions.tables[rows], decisions.seats[rows] = table, ops.current_player(rules, state)
            rows += 1
        ops.apply_action(rules, state, np.int64(batch.actions[best]))
    return rows


@njit
def _step(rules, tables, player, batch, decisions, rows, no_weights):
    """Play one decision of the network at every table whose round is not over.

    Return whether there was such a table, and the number of decisions recorded so far.
    """
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
    """Return the outcome of a finished round for a seat: 1 if its side won, -1 if it lost, 0 if nobody won."""
    if ops.won(rules, state, seat):
        return 1.0
    return -1.0 if has_winner(rules, state, players) else 0.0


@njit
def play_rounds(rules, players, tables, player, batch, decisions):
    """Play one round at every table by self-play of the network `player`; return the number of decisions recorded.

    `players` is the number of seats. The decisions are written to the buffer `decisions`, except forced ones (a single
    legal action), those in positions without an encoding, and those for which the buffer has no room.
    """
    rows, no_weights, any_decided = 0, np.empty(0, np.float32), True
    for table in range(len(tables.states)):
        ops.deal(rules, tables.states[table], next_word(tables.streams[table]))
    while any_decided:
        any_decided, rows = _step(rules, tables, player, batch, decisions, rows, no_weights)
    for row in range(rows):
        decisions.outcomes[row] = _outcome(rules, tables.states[decisions.tables[row]], decisions.seats[row], players)
    return rows
