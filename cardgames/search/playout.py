"""How simulations are played on by policies, and how they end: played out, or cut off where a network judges them; the room
each thread has for them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.kernels.jit import njit
from cardgames.networks.mlp import mlp_value
from cardgames.networks.network import Mlp
from cardgames.networks.network_policy import judge_choices
from cardgames.search.network_evaluator import as_value, read_value
from cardgames.search.tree import backward, backward_outcome

OWN_PLAY, OTHERS_PLAY, PRIOR = range(3)
"""Rows of the policies a search is given: how the searching player plays on, how the others do, what priors are."""


class Policies(NamedTuple):
    """The policies of the rows above, side by side. Nobody writes to them: all searches of an agent and all their threads
    share them.
    """

    which: NDArray[np.int64]
    """[3] their numbers (`core.policy.side_by_side`)."""
    weights: NDArray[np.float32]
    """[3, most] their weights."""


class Simulator(NamedTuple):
    """How an agent's simulations are played on and judged, read and laid out once."""

    policies: Policies
    network: Mlp | None
    """Judges them; None if they are played out."""


class Judge(NamedTuple):
    """A perceptron that judges simulations, as kernels take it, and what it works in: each thread has one of its own.

    A search without one passes None instead, and its kernels are compiled without all this.
    """

    cut: int
    """Decisions of the searching player that are played before it is asked."""
    encoding: int
    weights: NDArray[np.float32]
    sizes: NDArray[np.int64]
    activations: NDArray[np.int64]
    low: float
    high: float
    """What a lost and a won round are worth in units of Q."""
    position: NDArray[np.int8] | None
    """[inputs] for a network that judges positions, with `outputs` [outputs]; None for any other."""
    choices: NDArray[np.int8] | None
    """[most legal, inputs] for one that judges one action at a time, with `outputs` [most legal, 1]; None for any other."""
    outputs: NDArray[np.float32]
    legal: NDArray[np.int32]


class Room(NamedTuple):
    """What one thread works in. Kernels that are called at every step take parts of it: to hand on the whole costs more than
    the call.
    """

    judge: Judge | None
    scratch: NDArray[Any]
    """One state record."""
    path: NDArray[np.int64]
    """[capacity + 1] the nodes of a simulation."""
    legal: NDArray[np.int32]
    """[most legal] actions."""


def room_for(game: Game, simulator: Simulator, cut: int | None, capacity: int) -> Room:
    """Return the room of a thread whose trees have at most so many nodes; simulations are cut off after `cut` decisions if
    the simulator has a network.
    """
    judge = judge_by(game, simulator.network, cut) if simulator.network is not None and cut is not None else None
    scratch, path = np.zeros(1, game.state_dtype), np.zeros(capacity + 1, np.int64)
    return Room(judge, scratch, path, np.zeros(game.most_legal, np.int32))


def judge_by(game: Game, network: Mlp, cut: int) -> Judge:
    """Return a judge with room of its own."""
    by_choice, (inputs, outputs) = network.encoding in game.choice_encodings, (network.sizes[0], network.sizes[-1])
    return Judge(
        cut,
        game.network_encoding(network.encoding).which,
        network.weights,
        network.kernel_sizes,
        network.kernel_activations,
        *network.reward,
        None if by_choice else np.zeros(inputs, np.int8),
        np.zeros((game.most_legal, inputs), np.int8) if by_choice else None,
        np.zeros((game.most_legal, 1) if by_choice else outputs, np.float32),
        np.zeros(game.most_legal, np.int32),
    )


@njit
def act(rules, state, which, weights, rng):
    """Play the action of the policy `which`."""
    ops.apply_action(rules, state, ops.policy(rules, state, which, weights, rng))


@njit
def to_turn(rules, state, player, which, weights, rng):
    """Let the policy `which` play for the others until `player` is to move or the round is over."""
    while not ops.is_terminal(rules, state) and ops.current_player(rules, state) != player:
        act(rules, state, which, weights, rng)


@njit
def play(rules, how, policies, state, rng):
    """Play one decision by the policies of the simulator."""
    row = OWN_PLAY if ops.current_player(rules, state) == how.player else OTHERS_PLAY
    # written out: by way of `act` a whole search takes a third longer
    ops.apply_action(rules, state, ops.policy(rules, state, policies.which[row], policies.weights[row], rng))


@njit
def _verdict(rules, state, player, judge):
    """Return the network's value of a decision, NaN for one it is not asked about: a forced one, or one without a Q."""
    n = ops.legal_actions(rules, state, judge.legal)
    return np.nan if n == 1 else _value_of_best(rules, state, player, n, judge, judge.position, judge.choices)


@njit
def _value_of_best(rules, state, player, n, judge, position, choices):
    """Return the network's value of a decision with `n` legal actions, by Q that of the best; NaN where it has none."""
    # Numba drops what follows a condition on an argument that is None, and nothing where it is an array
    if position is not None:
        naming = ops.encode(rules, state, player, judge.encoding, position)
        mlp_value(judge.weights, judge.sizes, judge.activations, position, judge.outputs)
        return read_value(rules, state, player, naming, judge.outputs, judge.low, judge.high, judge.legal)
    if choices is not None:
        layers, outputs = (judge.weights, judge.sizes, judge.activations), judge.outputs[:n]
        if judge_choices(rules, state, judge.encoding, *layers, judge.legal[:n], choices[:n], outputs):
            return as_value(np.float64(outputs.max()), judge.low, judge.high)
    return np.nan


@njit
def _play_to_verdict(rules, how, policies, judge, state, rng):
    """Play on until the network has a value and return it, or NaN where the round ended before."""
    left = judge.cut
    while not ops.is_terminal(rules, state):
        if ops.current_player(rules, state) == how.player:
            if left == 0:
                value = _verdict(rules, state, how.player, judge)
                if not np.isnan(value):
                    return value
            else:
                left -= 1
        play(rules, how, policies, state, rng)
    return np.nan


@njit
def finish(rules, how, policies, judge, state, tree, path, depth, rng):
    """Play a simulation on to its end, or to what the judge says, and add its value to the nodes `path[:depth]`."""
    if judge is not None:
        value = _play_to_verdict(rules, how, policies, judge, state, rng)
        if not np.isnan(value):
            backward(tree, path, depth, value)
            return
    while not ops.is_terminal(rules, state):
        play(rules, how, policies, state, rng)
    backward_outcome(rules, state, tree, path, depth)
