"""Monte Carlo tree search over determinizations: one simulation, and the loop over a forest.

The nodes of a tree are decisions: the searching player's own alone, everything between two of them being played by a
simulator (open loop; paper 001, 3.1 and 3.2.1), or those of all players (Cowling, Powley, Whitehouse 2012). The same
node is reached with different hidden cards, so which of its actions are legal is looked up anew each time. A simulation
begins at its tree's determinization or at one drawn anew from all there are.
"""

import math

import numpy as np

from cardgames.core import ops
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type
from cardgames.kernels.rng import below, next_word
from cardgames.search.playout import OTHERS_PLAY, PRIOR, finish, play
from cardgames.search.selection import PUCT, bound
from cardgames.search.tree import NO_NODE, add_child, child_of_mover

STOP, DONE = 0, 1
"""Places in the `control` array (int64) a running search shares with other threads: set to stop it; the simulations so
far of the first thread, behind it those of the others."""

OWN, ALL, SEEN = range(3)
NODES = {"own": OWN, "all": ALL, "seen": SEEN}
"""Whose decisions are nodes: the searching player's, everybody's, or everybody's with the others' made by their policy."""

PER_TREE, PER_SIMULATION = range(2)
DEALS = {"tree": PER_TREE, "simulation": PER_SIMULATION}
"""When a determinization is drawn."""

FRESH, FIXED = range(2)
CHANCE = {"fresh": FRESH, "fixed": FIXED}
"""Whether the cards to come are shuffled anew for every simulation, or stay those of the determinization."""

HOW = record_type(
    __name__,
    "HOW",
    [
        ("player", "i8"),  # the seat that searches
        ("select", "i8"),  # a number of `selection.SELECTIONS`
        ("nodes", "i8"),
        ("deals", "i8"),
        ("chance", "i8"),
        ("prior", "i8"),  # whether priors are asked for
        ("c", "f8"),
        ("bias", "f8"),
        (
            "widen",
            "f8",
        ),  # a node visited n times has at most this times the root of n children; 0: as many as it likes
    ],
)
"""The options of a search, as kernels take them."""

_EVEN = 0.25


@njit
def prior_of(rules, how, policies, state, action, n):
    """Return the prior of one of `n` legal actions: the policy's, mixed with an even one so that nothing is ruled out."""
    if not how.prior:
        return 0.0
    return _mixed(ops.likelihood(rules, state, action, policies.which[PRIOR], policies.weights[PRIOR]), n)


@njit
def _mixed(likelihood, n):
    return (1.0 - _EVEN) * likelihood + _EVEN / n


@njit
def give_priors(rules, how, policies, state, tree, n):
    """Give the nodes 1 to `n`, children of the root by all legal actions, their priors."""
    if not how.prior:
        return
    actions, likely = np.empty(n, np.int32), np.empty(n)
    for i in range(n):
        actions[i] = tree[1 + i].action
    ops.likelihoods(rules, state, actions, policies.which[PRIOR], policies.weights[PRIOR], likely)
    for i in range(n):
        tree[1 + i].prior = _mixed(likely[i], n)


@njit
def _best_tried(how, tree, node, mover, legal, n):
    """Return the child with the greatest bound among those whose action is legal, that bound, and how many actions are
    left untried; these stand first in `legal` then.
    """
    best, best_bound, left = NO_NODE, -1.0, n
    child = tree[node].child
    while child != NO_NODE:
        for i in range(left):
            # who decides after the same actions may depend on hidden cards
            if legal[i] == tree[child].action and mover == tree[child].mover:
                left -= 1
                legal[i], legal[left] = legal[left], legal[i]
                kid = tree[child]
                kid.available += 1
                trials = kid.available if how.nodes == ALL else tree[node].visits
                worth = bound(how, kid.total / kid.visits, kid.squares, kid.visits, trials, kid.prior)
                if worth > best_bound:
                    best, best_bound = child, worth
                break
        child = tree[child].sibling
    return best, best_bound, left


@njit
def _may_widen(how, tree, node, tried):
    """Return whether a node of which `tried` of the legal actions are children may have one more."""
    return how.widen == 0 or tried < how.widen * math.sqrt(np.float64(tree[node].visits + 1))


@njit
def _choose_untried(rules, how, policies, state, legal, left, rng):
    """Return one of the first `left` actions of `legal`: where nodes widen, what the prior's policy does, if it is there."""
    if how.widen > 0:
        favourite = ops.policy(rules, state, policies.which[PRIOR], policies.weights[PRIOR], rng)
        for i in range(left):
            if legal[i] == favourite:
                return favourite
    return np.int64(legal[below(rng, left)])


@njit
def _untried(rules, how, policies, state, tree, node, legal, n, left, least, rng):
    """Return the untried action to try now and its prior, or -1 to go on to a child whose bound is `least`.

    PUCT takes an untried action to be worth what its parent is at the root, and 0.5 below it.
    """
    if how.select != PUCT:
        if not _may_widen(how, tree, node, n - left):
            return np.int64(-1), 0.0
        action = _choose_untried(rules, how, policies, state, legal, left, rng)
        return action, prior_of(rules, how, policies, state, action, n)
    best, best_prior = np.int64(-1), 0.0
    parent = tree[node]
    mean = parent.total / parent.visits if node == 0 and parent.visits > 0 else 0.5
    likely = np.empty(left)
    ops.likelihoods(rules, state, legal[:left], policies.which[PRIOR], policies.weights[PRIOR], likely)
    for i in range(left):
        prior = _mixed(likely[i], n)
        worth = bound(how, mean, 0.0, 0, parent.visits, prior)
        if worth > least:
            best, best_prior, least = np.int64(legal[i]), prior, worth
    return best, best_prior


@njit
def _follow_other(rules, policies, state, tree, used, node, mover, rng):
    """Return the child for what another player's policy does, a new one if need be, and the number of nodes then."""
    action = ops.policy(rules, state, policies.which[OTHERS_PLAY], policies.weights[OTHERS_PLAY], rng)
    child = child_of_mover(tree, node, action, mover)
    if child != NO_NODE:
        return child, used
    return add_child(tree, used, node, action, mover, 0.0), used + 1


@njit
def _choose_child(rules, how, policies, state, tree, used, node, mover, legal, n, rng):
    """Return the child to go on to, a new one if need be, and the number of nodes then."""
    child, least, left = _best_tried(how, tree, node, mover, legal, n)
    action, prior = np.int64(-1), 0.0
    if left > 0:
        action, prior = _untried(rules, how, policies, state, tree, node, legal, n, left, least, rng)
    if action < 0:
        return child, used
    child = add_child(tree, used, node, action, mover, prior)
    tree[child].available = 1
    return child, used + 1


@njit
def descend(rules, how, policies, state, tree, used, path, depth, legal, rng):
    """Walk down from the node `path[depth - 1]` until a new node is added or the round ends; return the depth of the path
    and the nodes used.
    """
    node = np.int64(path[depth - 1])
    while not ops.is_terminal(rules, state):
        mover = ops.current_player(rules, state)
        if how.nodes == OWN and mover != how.player:
            play(rules, how, policies, state, rng)
            continue
        if how.nodes == SEEN and mover != how.player:
            node, used = _follow_other(rules, policies, state, tree, used, node, mover, rng)
        else:
            n = ops.legal_actions(rules, state, legal)
            if n == 1 and node != 0:
                ops.apply_action(rules, state, np.int64(legal[0]))
                continue
            node, used = _choose_child(rules, how, policies, state, tree, used, node, mover, legal, n, rng)
        path[depth] = node
        depth += 1
        ops.apply_action(rules, state, np.int64(tree[node].action))
        if tree[node].visits == 0:
            break
    return depth, used


@njit
def simulate(rules, how, policies, room, root, tree, used, rng):
    """Run one simulation from the state `root` and return the number of nodes the tree has then."""
    state = room.scratch[0]
    copy_record(state, root)
    if how.chance == FRESH:
        state.rng = next_word(rng)
    room.path[0] = 0
    depth, used = descend(rules, how, policies, state, tree, used, room.path, np.int64(1), room.legal, rng)
    finish(rules, how, policies, room.judge, state, tree, room.path, depth, rng)
    return used


@njit
def search(rules, how, policies, room, roots, trees, used, streams, budgets, control, thread):
    """Run `budgets[i]` simulations on tree i, turn about, until done or told to stop; one at least, if there are any.

    `how` is a HOW, `policies` and `room` are those of `search.playout`, `roots` the determinizations (states [n], n = trees
    if each has its own), `trees` NODE [trees, capacity], `used` int64 [trees] the nodes each tree has, `streams` its random
    stream. `control` tells whether to stop, and is told of the simulations of this `thread`.
    """
    rounds = 0
    for i in range(len(budgets)):
        rounds = max(rounds, budgets[i])
    for turn in range(rounds):
        for i in range(len(budgets)):
            if turn < budgets[i]:
                rng = streams[i]
                root = roots[i] if how.deals == PER_TREE else roots[below(rng, len(roots))]
                used[i] = simulate(rules, how, policies, room, root, trees[i], used[i], rng)
                control[DONE + thread] += 1
            if control[STOP]:
                return
