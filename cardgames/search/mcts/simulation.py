"""Kernels of Monte Carlo tree search over determinizations: one simulation, and the loop over all trees.

The nodes of a tree are decisions. Either they are the decisions of the searching player only, and policies play everything
between two of them (open loop; paper 001, 3.1 and 3.2.1), or they are the decisions of all players (Cowling, Powley,
Whitehouse 2012). Simulations reach the same node with different hidden cards, so each one computes the legal actions of the
node again. A simulation starts from the determinization of its tree, or from one drawn at random from a common pool.
"""

import math

import numpy as np

from cardgames.core import ops
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type
from cardgames.kernels.rng import below, next_word
from cardgames.search.playout import OPPONENT_PLAYOUT, PRIOR, finish_simulation, play_decision
from cardgames.search.selection import PUCT, bound
from cardgames.search.tree import NO_NODE, add_child, find_child_of_mover

STOP, DONE = 0, 1
"""Indices into `control` (int64), the array that a running search shares with other threads.

`control[STOP]` is set to 1 to stop the search; `control[DONE + t]` is the number of simulations that thread t has run.
"""

OWN, ALL, OBSERVED = range(3)
NODES = {"own": OWN, "all": ALL, "observed": OBSERVED}
"""Ids of the option `nodes`, whose decisions are nodes of the tree: the searching player's (own) or all players' (all).

With `observed` all players' decisions are nodes, but a policy chooses the actions of the other players.
"""

PER_TREE, PER_SIMULATION = range(2)
DETERMINIZE = {"tree": PER_TREE, "simulation": PER_SIMULATION}
"""Ids of the option `determinize`, when a determinization is drawn: once for each tree, or for each simulation."""

FRESH, FIXED = range(2)
CHANCE = {"fresh": FRESH, "fixed": FIXED}
"""Ids of the option `chance`: future chance events are drawn again for every simulation, or fixed by the determinization."""

SEARCH_CONFIG = record_type(
    __name__,
    "SEARCH_CONFIG",
    [
        ("player", "i8"),  # the seat that searches
        ("select", "i8"),  # id of a selection rule (`selection.SELECTIONS`)
        ("nodes", "i8"),
        ("determinize", "i8"),
        ("chance", "i8"),
        ("prior", "i8"),  # whether nodes get priors
        ("objective", "i8"),  # id of the objective (`objective.UTILITY`, `PAYOFF` or `WIN`)
        ("c", "f8"),
        ("bias", "f8"),
        ("widen", "f8"),  # a node with n visits has at most widen * sqrt(n) children; 0: no limit
    ],
)
"""Options of a search as a record for kernels; see `search.mcts.mcts_settings.MctsSettings`."""

_UNIFORM_SHARE = 0.25


@njit
def prior_probability(rules, config, policies, state, action, n):
    """Return the prior probability of `action`, one of `n` legal actions; 0 in a search without priors.

    It is 3/4 of the probability under the policy of the option `prior`, plus 1/4 of the uniform probability 1/n, so that no
    action is ruled out.
    """
    if not config.prior:
        return 0.0
    return _mix_with_uniform(
        ops.likelihood(rules, state, action, policies.policy_ids[PRIOR], policies.weights[PRIOR]), n
    )


@njit
def _mix_with_uniform(likelihood, n):
    return (1.0 - _UNIFORM_SHARE) * likelihood + _UNIFORM_SHARE / n


@njit
def set_root_priors(rules, config, policies, state, tree, n):
    """Set the prior probabilities of the root's children, nodes 1 to `n` of `tree`, one for each legal action."""
    if not config.prior:
        return
    actions, probabilities = np.empty(n, np.int32), np.empty(n)
    for i in range(n):
        actions[i] = tree[1 + i].action
    ops.likelihoods(rules, state, actions, policies.policy_ids[PRIOR], policies.weights[PRIOR], probabilities)
    for i in range(n):
        tree[1 + i].prior = _mix_with_uniform(probabilities[i], n)


@njit
def _best_child(config, tree, node, mover, legal, n):
    """Return the child of `node` with the greatest upper confidence bound among those with a legal action.

    The legal actions are the first `n` of `legal`; those without a child (untried) are moved to its front.

    Returns:
        The index of the best child (NO_NODE if there is none), its bound, and the number of untried actions.
    """
    best, best_bound, num_untried = NO_NODE, -np.inf, n
    child = tree[node].child
    while child != NO_NODE:
        for i in range(num_untried):
            # the seat to decide after the same actions may depend on hidden cards
            if legal[i] == tree[child].action and mover == tree[child].mover:
                num_untried -= 1
                legal[i], legal[num_untried] = legal[num_untried], legal[i]
                child_node = tree[child]
                child_node.available += 1
                trials = child_node.available if config.nodes == ALL else tree[node].visits
                child_bound = bound(
                    config,
                    child_node.total / child_node.visits,
                    child_node.squares,
                    child_node.visits,
                    trials,
                    child_node.prior,
                )
                if child_bound > best_bound:
                    best, best_bound = child, child_bound
                break
        child = tree[child].sibling
    return best, best_bound, num_untried


@njit
def _can_widen(config, tree, node, tried):
    """Return whether a node that has children for `tried` of the legal actions may get one more (progressive widening)."""
    return config.widen == 0 or tried < config.widen * math.sqrt(np.float64(tree[node].visits + 1))


@njit
def _sample_untried(rules, config, policies, state, legal, num_untried, rng):
    """Return one of the first `num_untried` actions of `legal`, drawn uniformly.

    With progressive widening, return instead the action sampled from the prior policy if it is one of these actions.
    """
    if config.widen > 0:
        preferred = ops.policy(rules, state, policies.policy_ids[PRIOR], policies.weights[PRIOR], rng)
        for i in range(num_untried):
            if legal[i] == preferred:
                return preferred
    return np.int64(legal[below(rng, num_untried)])


@njit
def _next_untried(rules, config, policies, state, tree, node, legal, n, num_untried, bound_to_beat, rng):
    """Return the untried action to expand and its prior, or action -1 to descend to the best child instead.

    With UCB an untried action is expanded whenever progressive widening allows another child. With PUCT it is expanded if
    its bound exceeds `bound_to_beat`, the bound of the best child; its value is taken to be the mean value of the root if
    `node` is the root, and 0.5 below the root.
    """
    if config.select != PUCT:
        if not _can_widen(config, tree, node, n - num_untried):
            return np.int64(-1), 0.0
        action = _sample_untried(rules, config, policies, state, legal, num_untried, rng)
        return action, prior_probability(rules, config, policies, state, action, n)
    best, best_prior = np.int64(-1), 0.0
    parent = tree[node]
    mean = parent.total / parent.visits if node == 0 and parent.visits > 0 else 0.5
    probabilities = np.empty(num_untried)
    ops.likelihoods(
        rules, state, legal[:num_untried], policies.policy_ids[PRIOR], policies.weights[PRIOR], probabilities
    )
    for i in range(num_untried):
        prior = _mix_with_uniform(probabilities[i], n)
        child_bound = bound(config, mean, 0.0, 0, parent.visits, prior)
        if child_bound > bound_to_beat:
            best, best_prior, bound_to_beat = np.int64(legal[i]), prior, child_bound
    return best, best_prior


@njit
def _sample_opponent_child(rules, policies, state, tree, num_nodes, node, mover, rng):
    """Sample the action of `mover` from the opponents' policy and find its child of `node`, which is added if missing.

    Returns:
        The index of the child and the new number of nodes of the tree.
    """
    action = ops.policy(rules, state, policies.policy_ids[OPPONENT_PLAYOUT], policies.weights[OPPONENT_PLAYOUT], rng)
    child = find_child_of_mover(tree, node, action, mover)
    if child != NO_NODE:
        return child, num_nodes
    return add_child(tree, num_nodes, node, action, mover, 0.0), num_nodes + 1


@njit
def _choose_child(rules, config, policies, state, tree, num_nodes, node, mover, legal, n, rng):
    """Choose the child of `node` to descend to; a child for an untried action is added to the tree.

    Returns:
        The index of the child and the new number of nodes of the tree.
    """
    child, bound_to_beat, num_untried = _best_child(config, tree, node, mover, legal, n)
    action, prior = np.int64(-1), 0.0
    if num_untried > 0:
        action, prior = _next_untried(
            rules, config, policies, state, tree, node, legal, n, num_untried, bound_to_beat, rng
        )
    if action < 0:
        return child, num_nodes
    child = add_child(tree, num_nodes, node, action, mover, prior)
    tree[child].available = 1
    return child, num_nodes + 1


@njit
def descend(rules, config, policies, state, tree, num_nodes, path, depth, legal, rng):
    """Descend from the node `path[depth - 1]` until a new node is added or the round ends.

    Plays the actions in `state` and appends the node indices to `path`. Returns the new length of `path` and the new number
    of nodes of the tree.
    """
    node = np.int64(path[depth - 1])
    while not ops.is_terminal(rules, state):
        mover = ops.current_player(rules, state)
        if config.nodes == OWN and mover != config.player:
            play_decision(rules, config, policies, state, rng)
            continue
        if config.nodes == OBSERVED and mover != config.player:
            node, num_nodes = _sample_opponent_child(rules, policies, state, tree, num_nodes, node, mover, rng)
        else:
            n = ops.legal_actions(rules, state, legal)
            if n == 1 and node != 0:
                ops.apply_action(rules, state, np.int64(legal[0]))
                continue
            node, num_nodes = _choose_child(rules, config, policies, state, tree, num_nodes, node, mover, legal, n, rng)
        path[depth] = node
        depth += 1
        ops.apply_action(rules, state, np.int64(tree[node].action))
        if tree[node].visits == 0:
            break
    return depth, num_nodes


@njit
def simulate(rules, config, policies, workspace, root, tree, num_nodes, rng):
    """Run one simulation (descent, evaluation, backup) from the state `root`; return the tree's new number of nodes."""
    state = workspace.scratch[0]
    copy_record(state, root)
    if config.chance == FRESH:
        state.rng = next_word(rng)
    workspace.path[0] = 0
    depth, num_nodes = descend(
        rules, config, policies, state, tree, num_nodes, workspace.path, np.int64(1), workspace.legal, rng
    )
    finish_simulation(
        rules,
        config,
        policies,
        workspace.solver,
        workspace.evaluator,
        workspace.bounds,
        state,
        tree,
        workspace.path,
        depth,
        rng,
    )
    return num_nodes


@njit
def search(rules, config, policies, workspace, roots, trees, num_nodes, streams, budgets, control, thread):
    """Run `budgets[i]` simulations in tree i, taking turns among the trees, until done or `control[STOP]` is set.

    At least one simulation runs, if any budget is positive.

    Args:
        rules: Kernel rules of the game.
        config: SEARCH_CONFIG record.
        policies: `search.playout.SimulationPolicies`.
        workspace: `search.playout.Workspace` of this thread.
        roots: Determinizations (states [n]; one per tree if `config.determinize` is PER_TREE).
        trees: NODE [trees, capacity].
        num_nodes: Number of nodes of each tree (int64 [trees]), updated.
        streams: Random stream of each tree (STREAM [trees]).
        budgets: Number of simulations of each tree (int64 [trees]).
        control: Stop flag at index STOP, count of thread t's simulations at index DONE + t (int64).
        thread: Index of this thread, from 0.
    """
    rounds = 0
    for i in range(len(budgets)):
        rounds = max(rounds, budgets[i])
    for turn in range(rounds):
        for i in range(len(budgets)):
            if turn < budgets[i]:
                rng = streams[i]
                root = roots[i] if config.determinize == PER_TREE else roots[below(rng, len(roots))]
                num_nodes[i] = simulate(rules, config, policies, workspace, root, trees[i], num_nodes[i], rng)
                control[DONE + thread] += 1
            if control[STOP]:
                return
