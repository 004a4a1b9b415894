"""Many single-player trees (`search.qtree.qtree_search`) grown side by side, the Q of all their new states predicted in one call."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game import Game
from cardgames.core.policy import Policy
from cardgames.kernels import rng
from cardgames.kernels.record_type import new_record
from cardgames.networks.policy_lookup import find_policy
from cardgames.search.evaluators import Evaluator, check_evaluator_game, checked_values
from cardgames.search.network_evaluator import NetworkEvaluator
from cardgames.search.options import check_constants, check_count
from cardgames.search.qtree import qtree_search
from cardgames.search.tree import NODE
from cardgames.support.errors import InvalidInput

BATCH = 256
"""Trees grown together: few enough for the cache, and as many states a call as perceptrons in kernels need."""
_INITIAL_EDGES = 8  # edges a new state has room for to begin with


@dataclass(frozen=True)
class QForestSettings:
    """How single-player trees grow."""

    simulations: int = 50
    """In each tree; the first predicts its root (Algorithm 1)."""
    c: float = 1.0
    """Equation 3's c_puct, which paper 000 does not tell, in units of Q."""
    discount: float = 0.99
    """The discount lambda of equation 4."""
    opponents: str = ""
    """The policy of the others in simulations, and of the player's own decisions in which no action has a Q; the game's
    pacemaker if not given.
    """

    def __post_init__(self) -> None:
        check_count("simulations", self.simulations)
        check_constants(self.c)
        if not 0 <= self.discount <= 1:
            raise InvalidInput(f"discount lies in 0 to 1, not {self.discount}")


class RootStatistics(NamedTuple):
    """What trees tell of their roots."""

    q: NDArray[np.float64]
    """[trees, actions] Q_m in units of the network's rewards; -inf for what is not legal, or has no Q."""
    visits: NDArray[np.int64]
    """[trees, actions] N(s, a)."""
    reward: NDArray[np.float64]
    """[trees] r_m of equation 5: the rewards of finished rounds, shared among all simulations."""


class QForest:
    """Trees, each grown from states of its own; simulation t of tree i starts from `roots[i, t % deals]`.

    `roots` is [trees, deals], the same player to move in all states of a row. An `evaluator` that is a network of several
    outputs predicts Q; any other tells what a state is worth, which then is the Q of all its legal actions. With `reshuffle`
    the cards to come are shuffled anew for every simulation, else they are those of the roots. `seeds` (uint64 [trees])
    start the trees' random streams: a tree grows the same alone and among others. `policy` is the others', if it is at
    hand, instead of being read by its name in `settings`.
    """

    def __init__(
        self,
        game: Game,
        roots: NDArray[Any],
        evaluator: Evaluator,
        settings: QForestSettings,
        seeds: NDArray[np.uint64],
        *,
        reshuffle: bool,
        policy: Policy | None = None,
    ):
        check_evaluator_game(evaluator, game)
        trees, actions = len(roots), game.num_distinct_actions
        encoding, reward, outputs = _prediction_format(game, evaluator)
        encoding_spec = game.encoding(encoding)
        self._game, self._roots, self._evaluator = game, roots, evaluator
        self._predicts = outputs > 1
        self._config = _config(
            settings, encoding_spec.encoding_id, reward, outputs if self._predicts else actions, reshuffle
        )
        self.actions = int(self._config.outputs)
        """Those with a Q: ids below this."""
        self._policy = policy or find_policy(game, settings.opponents or game.default_policy)
        self._streams = np.zeros(trees, rng.STREAM)
        self._streams["rng"] = seeds
        self._nodes = np.empty(trees * (1 + min(settings.simulations, _INITIAL_EDGES)), qtree_search.STATE_NODE)
        self._edges = np.empty(_INITIAL_EDGES * len(self._nodes), qtree_search.EDGE)
        self._counts, self._ends = new_record(qtree_search.COUNTS), np.empty(trees, qtree_search.WALK_END)
        self._inputs = np.empty((trees, encoding_spec.inputs), np.int8)
        self._hash_words = np.random.SeedSequence(0).generate_state(self._inputs.shape[1] + actions, np.uint64)
        self._states = np.empty(trees, game.state_dtype)
        self._players, self._owners = np.empty(trees, np.int64), np.empty(trees, np.int64)
        self._legal = np.empty(game.max_legal_actions, np.int32)
        self._rewards = np.zeros(trees)
        self.simulations = 0
        """Run so far in each tree."""
        qtree_search.initialize_roots(game.kernel_rules, roots, self._players, self._nodes, self._counts)
        if (self._players < 0).any():
            raise InvalidInput("a search is for a player who is to move")

    def simulate(self) -> None:
        """Run one simulation in every tree. Raises `InvalidInput` if the network has no Q for a root."""
        self._ensure_capacity()
        new = qtree_search.walk_trees(
            self._game.kernel_rules,
            self._config,
            self._roots,
            self.simulations,
            self._players,
            self._nodes,
            self._edges,
            self._counts,
            *self._policy,
            self._hash_words,
            self._streams,
            self._states,
            self._inputs,
            self._owners,
            self._ends,
            self._legal,
        )
        if new < 0:
            raise InvalidInput("the network has no Q for a root: it knows no legal action there")
        owners, trees = self._owners[:new], (self._nodes, self._edges, self._ends)
        rules = self._game.kernel_rules
        qtree_search.back_up_trees(rules, self._config, *trees, owners, self._predict(owners), self._rewards)
        self.simulations += 1

    def _predict(self, owners: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the Q of all actions of the new states: float32 [new, actions]; where every tree has come to the end of
        its round there are none, and nothing is asked. Raises `InvalidInput` if the network's are not all finite.
        """
        if not len(owners):
            return np.empty((0, self._game.num_distinct_actions), np.float32)
        if self._predicts and isinstance(self._evaluator, NetworkEvaluator):
            return self._evaluator.finite_outputs(self._inputs[: len(owners)])
        values = checked_values(self._evaluator, self._states[: len(owners)], self._players[owners])
        q_values = self._config.low + (self._config.high - self._config.low) * values
        return np.repeat(q_values.astype(np.float32)[:, None], self._game.num_distinct_actions, axis=1)

    def _ensure_capacity(self) -> None:
        """See that there is room for a new state in every tree."""
        trees = len(self._roots)
        if self._counts.nodes + trees > len(self._nodes):
            self._nodes = np.concatenate([self._nodes, np.empty_like(self._nodes)])
        edges = trees * self._game.max_legal_actions
        if self._counts.edges + edges > len(self._edges):
            more = np.empty(len(self._edges) + edges, qtree_search.EDGE)
            self._edges = np.concatenate([self._edges, more])

    def root_statistics(self) -> RootStatistics:
        """Return what the trees tell by now."""
        shape = (len(self._roots), self._game.num_distinct_actions)
        q, visits = np.full(shape, -np.inf), np.zeros(shape, np.int64)
        qtree_search.read_roots(self._nodes, self._edges, q, visits)
        return RootStatistics(q, visits, self._rewards / max(1, self.simulations))

    def value(self, q: float) -> float:
        """Return a Q as a value in [0, 1]."""
        return float(qtree_search.value(self._config, q))

    def merged_tree(self) -> NDArray[Any]:
        """Return the first tree as one of `search.tree` (NODE), whose nodes know the actions before them alone."""
        nodes, edges = int(self._counts.nodes), int(self._counts.edges)
        tree = np.zeros(1 + edges, NODE)
        merged_nodes = np.empty(nodes, np.int64)
        size = qtree_search.merge_states(
            self._config, self._nodes, self._edges, nodes, int(self._players[0]), merged_nodes, tree
        )
        return tree[:size]


def _prediction_format(game: Game, evaluator: Evaluator) -> tuple[str, tuple[float, float], int]:
    """Return the encoding that tells states apart, the rewards of a lost and a won round, and the number of Q."""
    if not isinstance(evaluator, NetworkEvaluator):
        return game.default_encoding, (-1.0, 1.0), 1
    inputs = game.encoding(evaluator.encoding).inputs
    outputs = evaluator.outputs(np.zeros((1, inputs), np.int8)).shape[1]
    return evaluator.encoding, evaluator.reward if outputs > 1 else (-1.0, 1.0), outputs


def _config(
    settings: QForestSettings, encoding: int, reward: tuple[float, float], outputs: int, reshuffle: bool
) -> Any:
    """Return the record that tells kernels how trees grow."""
    config = new_record(qtree_search.QTREE_CONFIG)
    config.c, config.discount = settings.c, settings.discount
    config.low, config.high = reward
    config.encoding, config.outputs, config.reshuffle = encoding, outputs, reshuffle
    return config


def grow_trees(
    game: Game,
    roots: NDArray[Any],
    evaluator: Evaluator,
    settings: QForestSettings,
    seeds: NDArray[np.uint64],
    *,
    reshuffle: bool = False,
    policy: Policy | None = None,
    batch: int = BATCH,
    threads: int = 1,
) -> RootStatistics:
    """Grow a tree from every one of `roots` (state records [n], or [n, deals] to start from in turn) to its end.

    `batch` trees at a time in each of so many `threads`, of which the evaluator sees all new states at once; neither makes
    a difference to what is found (but for torch, which may round otherwise in batches of another size). Other arguments
    are `QForest`'s. True states as roots, cards to come included, are paper 000's training; an agent's roots are
    determinizations. Raises `InvalidInput`.
    """
    roots = roots[:, None] if roots.ndim == 1 else roots

    def grow_batch(start: int) -> RootStatistics:
        batch_slice = slice(start, start + batch)
        forest = QForest(
            game, roots[batch_slice], evaluator, settings, seeds[batch_slice], reshuffle=reshuffle, policy=policy
        )
        for _ in range(settings.simulations):
            forest.simulate()
        return forest.root_statistics()

    starts = range(0, max(1, len(roots)), batch)
    if threads == 1 or len(starts) == 1:
        results = [grow_batch(start) for start in starts]
    else:
        with ThreadPoolExecutor(threads) as pool:
            results = list(pool.map(grow_batch, starts))
    return RootStatistics(*(np.concatenate(columns) for columns in zip(*results, strict=True)))
