"""A search that grows many trees in lock step and has all their leaves evaluated in one call.

The trees are those of `search.simulate`: nodes are the searching player's own decisions, everything between two of them
is played by a rule-based policy. Each step walks every tree a few times; a walk ends at a new node, after its action,
where the searching player decides next. Several walks in one tree are kept apart by a virtual loss: on its way down a
walk counts as a visit worth nothing (Chaslot, Winands, van den Herik, "Parallel Monte-Carlo Tree Search", 2008).
Since each tree has a random stream of its own, a search answers the same alone and among others.
"""

import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops, rng
from cardgames.core.agents import Decision, Limit
from cardgames.core.errors import InvalidInput, unknown
from cardgames.core.game import Game
from cardgames.core.jit import njit
from cardgames.core.observation import Observation
from cardgames.core.records import copy_record
from cardgames.core.rng import below, next_word
from cardgames.search.evaluators import Evaluator, PlayoutEvaluator, act, make_evaluator
from cardgames.search.inspect import report_of
from cardgames.search.report import visit_shares
from cardgames.search.tree import NO_NODE, NODE, add_child, add_root, backward, ucb1

DEEPEST = 64
"""Own decisions after which a walk is evaluated wherever it is."""

_CAPACITY = 256  # nodes a tree has room for to begin with


@njit
def _child_by(tree, node, action):
    child = tree[node].child
    while child != NO_NODE and tree[child].action != action:
        child = tree[child].sibling
    return child


@njit
def _choose(tree, node, legal, n, c, rng):
    """Return the legal action to go on with: a random untried one, else that of the greatest upper confidence bound."""
    best, best_bound, untried = -1, -1.0, 0
    for i in range(n):
        child = _child_by(tree, node, legal[i])
        if child == NO_NODE:
            untried += 1
            if below(rng, untried) == 0:
                best = legal[i]
        elif untried == 0:
            bound = ucb1(tree, node, child, c)
            if bound > best_bound:
                best, best_bound = legal[i], bound
    return np.int64(best)


@njit
def _to_decision(rules, state, player, which, legal, rng):
    """Play on until `player` has a choice or the round is over; return the number of his actions, 0 at the end."""
    while not ops.is_terminal(rules, state):
        if ops.current_player(rules, state) != player:
            act(rules, state, which, rng)
            continue
        n = ops.legal_actions(rules, state, legal)
        if n > 1:
            return n
        ops.apply_action(rules, state, np.int64(legal[0]))
    return 0


@njit
def _walk(rules, state, player, tree, used, c, which, path, legal, rng):
    """Walk down to a new node, adding it, and play `state` on to what it is judged by; return depth and nodes used."""
    path[0] = 0
    tree[0].visits += 1
    node, depth = 0, 1
    n = ops.legal_actions(rules, state, legal)
    while n > 0 and depth < len(path):
        action = _choose(tree, node, legal, n, c, rng)
        child = _child_by(tree, node, action)
        if child == NO_NODE:
            child = add_child(tree, used, node, action)
        node = child
        tree[node].visits += 1
        path[depth] = node
        depth += 1
        ops.apply_action(rules, state, action)
        n = _to_decision(rules, state, player, which, legal, rng)
        if node == used:
            return depth, used + 1
    return depth, used


@njit
def select(rules, roots, players, trees, used, budgets, c, which, streams, states, owners, paths, depths, legal):
    """Walk tree i `budgets[i]` times from `roots[i]`; return how many leaves there are.

    Leaf k is `states[k]`, of tree `owners[k]`, reached by the nodes `paths[k, :depths[k]]`, which count it as a visit
    without value until `back_up`. `trees` is NODE [trees, capacity], `streams` STREAM [trees].
    """
    leaves = 0
    for i in range(len(trees)):
        for _ in range(budgets[i]):
            state = states[leaves]
            copy_record(state, roots[i])
            state.rng = next_word(streams[i])
            depths[leaves], used[i] = _walk(
                rules, state, players[i], trees[i], used[i], c, which, paths[leaves], legal, streams[i]
            )
            owners[leaves] = i
            leaves += 1
    return leaves


@njit
def back_up(trees, owners, paths, depths, values):
    """Put the leaves' values in the place of their virtual losses."""
    for k in range(len(values)):
        tree = trees[owners[k]]
        for at in range(depths[k]):
            tree[paths[k, at]].visits -= 1
        backward(tree, paths[k], depths[k], values[k])


@dataclass(frozen=True)
class BatchedSettings:
    """The options of a batched search, those of one decision."""

    simulations: int = 500
    """In all, over the trees."""
    trees: int = 5
    leaves: int = 4
    """Walks in each tree between two evaluations."""
    c: float = 1.0
    """Exploration constant of paper 001's equation 1, for values in [0, 1]."""
    policy: str = "reflex"
    """The rule-based policy the other players are simulated with."""

    def __post_init__(self) -> None:
        for name in ("simulations", "trees", "leaves"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"{name} is a whole number from 1, not {getattr(self, name)}")
        if not 0 <= self.c < np.inf:
            raise InvalidInput(f"c is at least 0, not {self.c}")


@dataclass
class _Forest:
    """The trees of one decision."""

    trees: NDArray[Any]
    used: NDArray[np.int64]
    roots: NDArray[Any]


class _LockStep:
    """The arrays of a search of many decisions; decision d has the trees from `d * settings.trees` on."""

    def __init__(self, observations: Sequence[Observation], settings: BatchedSettings, simulations: int, seed: int):
        game, trees = observations[0].game, len(observations) * settings.trees
        if settings.policy not in game.policies:
            raise unknown("policy", settings.policy, game.policies)
        self._game, self._settings = game, settings
        self._which = np.int64(game.policies[settings.policy])
        # the first trees take the rest of a budget the trees do not divide
        shares = [(simulations + settings.trees - 1 - i) // settings.trees for i in range(settings.trees)]
        self.left = np.array(shares * len(observations), np.int64)
        self._players = np.repeat(np.array([seen.player for seen in observations], np.int64), settings.trees)
        self._trees, self._used = np.zeros((trees, _CAPACITY), NODE), np.ones(trees, np.int64)
        self._roots, self._streams = np.zeros(trees, game.state_dtype), np.zeros(trees, rng.STREAM)
        for i, tree in enumerate(self._trees):
            seen = observations[i // settings.trees]
            add_root(tree)
            self._streams["rng"][i] = rng.derive(seed, zlib.crc32(seen.to_bytes()), i % settings.trees)
            ops.determinize(game.kernel_rules, seen.record, self._streams[i], self._roots[i])
        most = trees * settings.leaves
        self._states, self._owners = np.zeros(most, game.state_dtype), np.zeros(most, np.int64)
        self._paths, self._depths = np.zeros((most, DEEPEST), np.int64), np.zeros(most, np.int64)
        self._legal = np.zeros(game.num_distinct_actions, np.int16)

    def step(self, evaluator: Evaluator) -> None:
        """Walk every tree, have the leaves evaluated, and back their values up."""
        budgets = np.minimum(self.left, self._settings.leaves)
        self._make_room()
        n = select(
            self._game.kernel_rules,
            self._roots,
            self._players,
            self._trees,
            self._used,
            budgets,
            self._settings.c,
            self._which,
            self._streams,
            self._states,
            self._owners,
            self._paths,
            self._depths,
            self._legal,
        )
        values = evaluator.evaluate(self._states[:n], self._players[self._owners[:n]])
        back_up(self._trees, self._owners, self._paths, self._depths, values)
        self.left -= budgets

    def _make_room(self) -> None:
        """See that every tree has room for the nodes of one step."""
        capacity = self._trees.shape[1]
        if self._used.max() + self._settings.leaves > capacity:
            larger = np.zeros((len(self._trees), 2 * capacity + self._settings.leaves), NODE)
            larger[:, :capacity] = self._trees
            self._trees = larger

    def forest(self, decision: int) -> _Forest:
        """Return the trees of one decision."""
        mine = slice(decision * self._settings.trees, (decision + 1) * self._settings.trees)
        return _Forest(self._trees[mine], self._used[mine], self._roots[mine])


def search_many(
    observations: Sequence[Observation],
    evaluator: Evaluator,
    settings: BatchedSettings | None = None,
    seed: int = 0,
    limit: Limit | None = None,
    name: str = "batched",
) -> list[Decision]:
    """Search all `observations` (of one game, their players to move) at once and return their decisions in order.

    Each is searched as it would be alone; a `limit` in simulations is each one's, a limit in time that of all. The
    evaluator sees `len(observations) * trees * leaves` states a call. Raises `InvalidInput` for observations of
    different games, or without a legal action.
    """
    if not observations:
        return []
    settings = settings or BatchedSettings()
    game = observations[0].game
    if any((seen.game.name, seen.game.kernel_rules) != (game.name, game.kernel_rules) for seen in observations):
        raise InvalidInput("the observations of one search are of one game")
    if not all(seen.legal_actions for seen in observations):
        raise InvalidInput("a search is for a player who is to move")
    started = time.perf_counter()
    simulations, seconds = _budget(settings, limit)
    search = _LockStep(observations, settings, simulations, seed)
    while search.left.any():
        search.step(evaluator)
        if time.perf_counter() - started >= seconds:
            break
    seconds = time.perf_counter() - started
    return [_decision(name, seen, search.forest(number), seconds) for number, seen in enumerate(observations)]


def _budget(settings: BatchedSettings, limit: Limit | None) -> tuple[int, float]:
    """Return the simulations a decision and the seconds of all; who limits the time alone wants all that fit in."""
    if limit is None:
        return settings.simulations, np.inf
    untold = settings.simulations if limit.time is None else np.iinfo(np.int64).max
    simulations = untold if limit.simulations is None else max(1, limit.simulations)
    return int(simulations), np.inf if limit.time is None else limit.time


def _decision(name: str, observation: Observation, forest: _Forest, seconds: float) -> Decision:
    simulations = int(forest.trees["visits"][:, 0].sum())
    report = report_of(name, observation, cast(Any, forest), simulations, seconds, None, complete=True)
    best = report.best
    return Decision(best.action, visit_shares(report.actions), best.value, report)


class BatchedAgent:
    """The batched search of one decision at a time, on uniformly drawn hidden cards."""

    def __init__(self, game: Game, seed: int, evaluator: Evaluator, settings: BatchedSettings, name: str = "batched"):
        self.name = name
        self._seed, self._evaluator, self._settings = seed, evaluator, settings

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search and return the action with the most visits; a forced move is answered at once, without a search."""
        if len(observation.legal_actions) == 1:
            return Decision(observation.legal_actions[0], {observation.legal_actions[0]: 1.0})
        return search_many([observation], self._evaluator, self._settings, self._seed, limit, self.name)[0]


def make_batched(game: Game, seed: int, network: str = "", device: str = "auto", **options: Any) -> BatchedAgent:
    """Return a batched search that asks the network in the file `network`, or (without one) plays its leaves out.

    `options` are those of `BatchedSettings`, as values or texts. Raises `InvalidInput`.
    """
    kinds = {field: type(value) for field, value in vars(BatchedSettings()).items()}
    for option in options:
        if option not in kinds:
            raise unknown("option", option, ["network", "device", *kinds])
    try:
        settings = BatchedSettings(**{option: kinds[option](value) for option, value in options.items()})
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    evaluator: Evaluator = PlayoutEvaluator(game)
    if network:
        evaluator = make_evaluator(game, network, device, batch=settings.trees * settings.leaves)
    return BatchedAgent(game, seed, evaluator, settings)
