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
from cardgames.networks.network_policy import q_of_actions
from cardgames.search.network_evaluator import normalize_value, state_value
from cardgames.search.tree import backward, backward_outcome

OWN_PLAYOUT, OPPONENT_PLAYOUT, PRIOR = range(3)
"""Rows of the policies a search is given: how the searching player plays on, how the others do, what priors are."""


class SimulationPolicies(NamedTuple):
    """The policies of the rows above, side by side. Nobody writes to them: all searches of an agent and all their threads
    share them.
    """

    policy_ids: NDArray[np.int64]
    """[3] their numbers (`core.policy.stack_policies`)."""
    weights: NDArray[np.float32]
    """[3, most] their weights."""


class Simulator(NamedTuple):
    """How an agent's simulations are played on and judged, read and laid out once."""

    policies: SimulationPolicies
    network: Mlp | None
    """Judges them; None if they are played out."""


class CutoffEvaluator(NamedTuple):
    """A perceptron that judges simulations, as kernels take it, and what it works in: each thread has one of its own.

    A search without one passes None instead, and its kernels are compiled without all this.
    """

    cutoff: int
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


class Workspace(NamedTuple):
    """What one thread works in. Kernels that are called at every step take parts of it: to hand on the whole costs more than
    the call.
    """

    evaluator: CutoffEvaluator | None
    scratch: NDArray[Any]
    """One state record."""
    path: NDArray[np.int64]
    """[capacity + 1] the nodes of a simulation."""
    legal: NDArray[np.int32]
    """[most legal] actions."""


def make_workspace(game: Game, simulator: Simulator, cutoff: int | None, capacity: int) -> Workspace:
    """Return the room of a thread whose trees have at most so many nodes; simulations are cut off after `cutoff` decisions if
    the simulator has a network.
    """
    evaluator = (
        make_cutoff_evaluator(game, simulator.network, cutoff)
        if simulator.network is not None and cutoff is not None
        else None
    )
    scratch, path = np.zeros(1, game.state_dtype), np.zeros(capacity + 1, np.int64)
    return Workspace(evaluator, scratch, path, np.zeros(game.max_legal_actions, np.int32))


def make_cutoff_evaluator(game: Game, network: Mlp, cutoff: int) -> CutoffEvaluator:
    """Return a judge with room of its own."""
    by_choice, (inputs, outputs) = network.encoding in game.action_encodings, (network.sizes[0], network.sizes[-1])
    return CutoffEvaluator(
        cutoff,
        game.network_encoding(network.encoding).encoding_id,
        network.weights,
        network.kernel_sizes,
        network.kernel_activations,
        *network.reward,
        None if by_choice else np.zeros(inputs, np.int8),
        np.zeros((game.max_legal_actions, inputs), np.int8) if by_choice else None,
        np.zeros((game.max_legal_actions, 1) if by_choice else outputs, np.float32),
        np.zeros(game.max_legal_actions, np.int32),
    )


@njit
def apply_policy(rules, state, policy_id, weights, rng):
    """Play the action of the policy `policy_id`."""
    ops.apply_action(rules, state, ops.policy(rules, state, policy_id, weights, rng))


@njit
def play_to_turn(rules, state, player, policy_id, weights, rng):
    """Let the policy `policy_id` play for the others until `player` is to move or the round is over."""
    while not ops.is_terminal(rules, state) and ops.current_player(rules, state) != player:
        apply_policy(rules, state, policy_id, weights, rng)


@njit
def play_decision(rules, config, policies, state, rng):
    """Play one decision by the policies of the simulator."""
    row = OWN_PLAYOUT if ops.current_player(rules, state) == config.player else OPPONENT_PLAYOUT
    # written out: by way of `apply_policy` a whole search takes a third longer
    ops.apply_action(rules, state, ops.policy(rules, state, policies.policy_ids[row], policies.weights[row], rng))


@njit
def _value_at_cutoff(rules, state, player, evaluator):
    """Return the network's value of a decision, NaN for one it is not asked about: a forced one, or one without a Q."""
    n = ops.legal_actions(rules, state, evaluator.legal)
    return (
        np.nan
        if n == 1
        else _value_of_best_action(rules, state, player, n, evaluator, evaluator.position, evaluator.choices)
    )


@njit
def _value_of_best_action(rules, state, player, n, evaluator, position, choices):
    """Return the network's value of a decision with `n` legal actions, by Q that of the best; NaN where it has none."""
    # Numba drops what follows a condition on an argument that is None, and nothing where it is an array
    if position is not None:
        symmetry_id = ops.encode(rules, state, player, evaluator.encoding, position)
        mlp_value(evaluator.weights, evaluator.sizes, evaluator.activations, position, evaluator.outputs)
        return state_value(
            rules, state, player, symmetry_id, evaluator.outputs, evaluator.low, evaluator.high, evaluator.legal
        )
    if choices is not None:
        layers, outputs = (evaluator.weights, evaluator.sizes, evaluator.activations), evaluator.outputs[:n]
        if q_of_actions(rules, state, evaluator.encoding, *layers, evaluator.legal[:n], choices[:n], outputs):
            return normalize_value(np.float64(outputs.max()), evaluator.low, evaluator.high)
    return np.nan


@njit
def _play_to_cutoff(rules, config, policies, evaluator, state, rng):
    """Play on until the network has a value and return it, or NaN where the round ended before."""
    left = evaluator.cutoff
    while not ops.is_terminal(rules, state):
        if ops.current_player(rules, state) == config.player:
            if left == 0:
                value = _value_at_cutoff(rules, state, config.player, evaluator)
                if not np.isnan(value):
                    return value
            else:
                left -= 1
        play_decision(rules, config, policies, state, rng)
    return np.nan


@njit
def finish_simulation(rules, config, policies, evaluator, state, tree, path, depth, rng):
    """Play a simulation on to its end, or to what the judge says, and add its value to the nodes `path[:depth]`."""
    if evaluator is not None:
        value = _play_to_cutoff(rules, config, policies, evaluator, state, rng)
        if not np.isnan(value):
            backward(tree, path, depth, value)
            return
    while not ops.is_terminal(rules, state):
        play_decision(rules, config, policies, state, rng)
    backward_outcome(rules, state, tree, path, depth)
