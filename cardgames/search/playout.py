"""Playouts of simulations: policies play on from a new node to the end of the round, or to a cutoff evaluated by a network.

The scratch arrays that a thread needs for playouts are here too (`Workspace`).
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
from cardgames.search.exact.solver_memory import PAYOFF as EXACT_PAYOFF
from cardgames.search.exact.solver_memory import WIN as EXACT_WIN
from cardgames.search.exact.solver_memory import SolverMemory
from cardgames.search.exact.state_value import state_value as state_value_exact
from cardgames.search.network_evaluator import normalize_value, state_value
from cardgames.search.objective import PAYOFF, value_of_probability
from cardgames.search.tree import backward, backward_outcome

OWN_PLAYOUT, OPPONENT_PLAYOUT, PRIOR = range(3)
"""Indices of a search's policies: the searching player's rollout policy, the other players' policy, the prior policy."""


class SimulationPolicies(NamedTuple):
    """The three policies of a search as arrays, indexed by OWN_PLAYOUT, OPPONENT_PLAYOUT and PRIOR.

    The arrays are read-only: all searches and threads of an agent share them.
    """

    policy_ids: NDArray[np.int64]
    """Ids of the policies [3] (see `core.kernel_policy.stack_policies`)."""
    weights: NDArray[np.float32]
    """Weights of the policies [3, size of the largest]."""


class Simulator(NamedTuple):
    """The policies and the network that an agent's simulations use, loaded once per agent."""

    policies: SimulationPolicies
    """Policies that play the simulations, and the policy that gives prior probabilities."""
    network: Mlp | None
    """Network that evaluates simulations at the cutoff; None if they are played to the end."""


class CutoffEvaluator(NamedTuple):
    """Kernel arguments for the evaluation of simulations by a perceptron at the cutoff: its arrays, and scratch arrays.

    Each thread has its own evaluator. A search without a cutoff passes None instead, and its kernels are compiled without
    the evaluation.
    """

    cutoff: int
    """Number of decisions of the searching player that are played after the new node before the evaluation."""
    encoding: int
    """Id of the network's input encoding."""
    weights: NDArray[np.float32]
    sizes: NDArray[np.int64]
    activations: NDArray[np.int64]
    low: float
    high: float
    """Outputs of the network that mean a lost (`low`) and a won (`high`) round."""
    position: NDArray[np.int8] | None
    """Scratch for the inputs [inputs] of a network that evaluates states; None for a network that evaluates actions."""
    choices: NDArray[np.int8] | None
    """Scratch for the inputs [max legal actions, inputs] of a network that evaluates single actions; else None.

    `outputs` is then [max legal actions, 1].
    """
    outputs: NDArray[np.float32]
    legal: NDArray[np.int32]


class LeafSolver(NamedTuple):
    """Kernel arguments for the exact solution of leaves with few cards (`search.exact.state_value`).

    Each thread has its own. A search that solves no leaves passes None instead, and its kernels are compiled without it.
    """

    max_cards: int
    """Largest number of cards in all hands with which a leaf is solved."""
    max_nodes: int
    """Most nodes for one leaf; a leaf that needs more is evaluated as if it were not solved."""
    table: NDArray[Any]
    """Transposition table of this thread's search."""
    memory: SolverMemory


class Workspace(NamedTuple):
    """Scratch arrays that one thread needs for simulations.

    Kernels that are called at every step take single fields of the workspace, since passing the whole tuple costs more than
    the call.
    """

    solver: LeafSolver | None
    """Exact solution of leaves with few cards, None in a search without."""
    evaluator: CutoffEvaluator | None
    """Network evaluation at the cutoff, None in a search without a cutoff."""
    scratch: NDArray[Any]
    """State record [1] in which a simulation plays."""
    path: NDArray[np.int64]
    """Indices of the nodes on the path of the current simulation [capacity + 1]."""
    legal: NDArray[np.int32]
    """Legal actions of the current state [max legal actions]."""
    bounds: NDArray[np.float64]
    """Payoffs of losing and of winning for each seat at the stakes of the root [players, 2] (`objective.ValueScale`)."""


def make_workspace(
    game: Game,
    simulator: Simulator,
    cutoff: int | None,
    capacity: int,
    bounds: NDArray[np.float64],
    solver: LeafSolver | None = None,
) -> Workspace:
    """Create the workspace (scratch arrays) of a thread whose trees have at most `capacity` nodes.

    The workspace has a `CutoffEvaluator` if the simulator has a network and `cutoff` is not None. `bounds` are those of the
    search's `objective.ValueScale`.
    """
    evaluator = (
        make_cutoff_evaluator(game, simulator.network, cutoff)
        if simulator.network is not None and cutoff is not None
        else None
    )
    scratch, path = np.zeros(1, game.state_dtype), np.zeros(capacity + 1, np.int64)
    return Workspace(solver, evaluator, scratch, path, np.zeros(game.max_legal_actions, np.int32), bounds)


def make_cutoff_evaluator(game: Game, network: Mlp, cutoff: int) -> CutoffEvaluator:
    """Create a `CutoffEvaluator` with its own scratch arrays.

    `cutoff` is the number of decisions of the searching player that are played before `network` evaluates the state.
    """
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
    """Play in `state` the action that the policy `policy_id` chooses."""
    ops.apply_action(rules, state, ops.policy(rules, state, policy_id, weights, rng))


@njit
def play_to_turn(rules, state, player, policy_id, weights, rng):
    """Play for the other players by the policy `policy_id` until `player` is to move or the round is over."""
    while not ops.is_terminal(rules, state) and ops.current_player(rules, state) != player:
        apply_policy(rules, state, policy_id, weights, rng)


@njit
def play_decision(rules, config, policies, state, rng):
    """Play one action in `state`, chosen by the searching player's rollout policy or by the other players' policy."""
    row = OWN_PLAYOUT if ops.current_player(rules, state) == config.player else OPPONENT_PLAYOUT
    # inlined by hand: with `apply_policy` a whole search takes a third longer
    ops.apply_action(rules, state, ops.policy(rules, state, policies.policy_ids[row], policies.weights[row], rng))


@njit
def _value_at_cutoff(rules, state, player, evaluator):
    """Return the network's value of `state`, in which `player` is to move.

    NaN if only one action is legal, or a Q-network has a Q for none of them.
    """
    n = ops.legal_actions(rules, state, evaluator.legal)
    return (
        np.nan
        if n == 1
        else _value_of_best_action(rules, state, player, n, evaluator, evaluator.position, evaluator.choices)
    )


@njit
def _value_of_best_action(rules, state, player, n, evaluator, position, choices):
    """Return the network's value of `state`, in which `player` has `n` legal actions: V, or the greatest Q of an action.

    NaN if no legal action has a Q.
    """
    # Numba removes the branch of an `is not None` test at compile time if the argument is None
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
def _play_to_cutoff(rules, config, policies, evaluator, bounds, state, rng):
    """Play `evaluator.cutoff` decisions of the searching player, then on to its first decision that the network can value.

    Returns the value of that decision by the network, or NaN if the round ends before it.
    """
    left = evaluator.cutoff
    while not ops.is_terminal(rules, state):
        if ops.current_player(rules, state) == config.player:
            if left == 0:
                value = _value_at_cutoff(rules, state, config.player, evaluator)
                if not np.isnan(value):
                    return value_of_probability(rules, state, config.player, value, config.objective, bounds)
            else:
                left -= 1
        play_decision(rules, config, policies, state, rng)
    return np.nan


@njit
def _solved_value(rules, state, player, objective, bounds, solver):
    """Return the exact value of `state` for `player` if few cards are left and it can be found, else NaN."""
    cards = 0
    for seat in range(len(state.counts)):
        cards += state.counts[seat]
    if cards > solver.max_cards or ops.is_terminal(rules, state):
        return np.nan
    value = state_value_exact(
        rules,
        state,
        np.int64(player),
        np.int64(EXACT_PAYOFF if objective == PAYOFF else EXACT_WIN),
        np.int64(solver.max_nodes),
        solver.table,
        solver.memory,
    )
    return (value - bounds[player, 0]) / (bounds[player, 1] - bounds[player, 0]) if objective == PAYOFF else value


@njit
def finish_simulation(rules, config, policies, solver, evaluator, bounds, state, tree, path, depth, rng):
    """Play a simulation to the end of the round or to the cutoff, and back up its value to the nodes `path[:depth]`."""
    if solver is not None:
        value = _solved_value(rules, state, config.player, config.objective, bounds, solver)
        if not np.isnan(value):
            backward(tree, path, depth, value)
            return
    if evaluator is not None:
        value = _play_to_cutoff(rules, config, policies, evaluator, bounds, state, rng)
        if not np.isnan(value):
            backward(tree, path, depth, value)
            return
    while not ops.is_terminal(rules, state):
        play_decision(rules, config, policies, state, rng)
    backward_outcome(rules, state, tree, path, depth, config.objective, bounds)
