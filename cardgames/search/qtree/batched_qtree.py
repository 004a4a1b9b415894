"""Batched growth of single-player trees: one network call predicts the Q of the new states of all trees.

The kernels are in `search.qtree.qtree_search`.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.option_defaults import DerivedDefault
from cardgames.core.game import Game
from cardgames.core.kernel_policy import Policy
from cardgames.kernels import rng
from cardgames.kernels.record_type import new_record
from cardgames.networks.policy_lookup import find_policy
from cardgames.search.evaluators import Evaluator, check_evaluator_game, checked_values
from cardgames.search.network_evaluator import NetworkEvaluator
from cardgames.search.option_parsing import check_constants, check_count
from cardgames.search.qtree import qtree_search
from cardgames.search.tree import NODE
from cardgames.support.errors import InvalidInput

BATCH = 256
"""Number of trees grown together: few enough for the CPU cache, enough states per call for perceptrons in kernels."""
_INITIAL_EDGES = 8  # edges per state that arrays have room for at first


@dataclass(frozen=True)
class QForestSettings:
    """Options of a single-player tree search with a Q-network (paper 000, Algorithm 1).

    Raises:
        InvalidInput: If a value is out of range.
    """

    simulations: int = 50
    """Number of simulations in each tree; the first one only predicts the Q of the root's actions (Algorithm 1)."""
    c: float = 1.0
    """Exploration constant c_puct of equation 3, in units of Q; paper 000 does not give its value."""
    discount: float = 0.99
    """Discount lambda of equation 4, in [0, 1]."""
    opponents: Annotated[str, DerivedDefault(lambda game: game.default_policy)] = ""
    """Policy of the other players in simulations, and of the searching player where no legal action has a Q.

    By default the game's default policy.
    """

    def __post_init__(self) -> None:
        check_count("simulations", self.simulations)
        check_constants(self.c)
        if not 0 <= self.discount <= 1:
            raise InvalidInput(f"discount is a number from 0 to 1, not {self.discount}")


class RootStatistics(NamedTuple):
    """Q, visit counts and rewards at the roots of a batch of trees."""

    q: NDArray[np.float64]
    """[trees, actions] Q_m in units of the network's rewards; -inf for actions that are illegal or have no Q."""
    visits: NDArray[np.int64]
    """[trees, actions] visit counts N(s, a)."""
    reward: NDArray[np.float64]
    """[trees] r_m of equation 5: sum of the rewards of finished rounds, divided by the number of simulations."""


class QForest:
    """A batch of single-player trees; simulation t of tree i starts from `roots[i, t % deals]`.

    Each tree has its own random stream, so it grows the same alone and together with others.

    Args:
        game: Game of the states.
        roots: State records [trees, deals]; the same player is to move in all states of a row.
        evaluator: A network with several outputs predicts Q. Any other evaluator gives the value of a state, which becomes
            the Q of all its legal actions.
        settings: Options of the search.
        seeds: Seeds of the trees' random streams (uint64 [trees]).
        reshuffle: Whether every simulation draws new chance events (shuffles the draw pile again); otherwise they follow
            from the random streams in the root states.
        policy: Policy of the other players, if it is loaded already; by default the policy `settings.opponents`.

    Raises:
        InvalidInput: If the evaluator or the policy does not fit the game, or a root has no player to move.
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
        """Number of action ids that have a Q: actions with an id below this number."""
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
        """Number of simulations run in each tree so far."""
        qtree_search.initialize_roots(game.kernel_rules, roots, self._players, self._nodes, self._counts)
        if (self._players < 0).any():
            raise InvalidInput("a search needs a player who is to move")

    def simulate(self) -> None:
        """Run one simulation in every tree.

        Raises:
            InvalidInput: If the network has no Q for any legal action of a root.
        """
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
            raise InvalidInput("the network has no Q for any legal action of a root")
        owners, trees = self._owners[:new], (self._nodes, self._edges, self._ends)
        rules = self._game.kernel_rules
        qtree_search.back_up_trees(rules, self._config, *trees, owners, self._predict(owners), self._rewards)
        self.simulations += 1

    def _predict(self, owners: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the predicted Q of all actions in the new states of a simulation ([len(owners), actions] float32).

        `owners` are the tree indices of the new states. If there are none, because every tree's simulation reached the end
        of the round, the evaluator is not called.

        Raises:
            InvalidInput: If the evaluator returns wrong values, or values that are not finite.
        """
        if not len(owners):
            return np.empty((0, self._game.num_distinct_actions), np.float32)
        if self._predicts and isinstance(self._evaluator, NetworkEvaluator):
            return self._evaluator.finite_outputs(self._inputs[: len(owners)])
        values = checked_values(self._evaluator, self._states[: len(owners)], self._players[owners])
        q_values = self._config.low + (self._config.high - self._config.low) * values
        return np.repeat(q_values.astype(np.float32)[:, None], self._game.num_distinct_actions, axis=1)

    def _ensure_capacity(self) -> None:
        """Enlarge the arrays of nodes and edges if they lack room for one new state in every tree."""
        trees = len(self._roots)
        if self._counts.nodes + trees > len(self._nodes):
            self._nodes = np.concatenate([self._nodes, np.empty_like(self._nodes)])
        edges = trees * self._game.max_legal_actions
        if self._counts.edges + edges > len(self._edges):
            new_edges = np.empty(len(self._edges) + edges, qtree_search.EDGE)
            self._edges = np.concatenate([self._edges, new_edges])

    def root_statistics(self) -> RootStatistics:
        """Return Q, visit counts and rewards at the roots after the simulations run so far."""
        shape = (len(self._roots), self._game.num_distinct_actions)
        q, visits = np.full(shape, -np.inf), np.zeros(shape, np.int64)
        qtree_search.read_roots(self._nodes, self._edges, q, visits)
        return RootStatistics(q, visits, self._rewards / max(1, self.simulations))

    def value(self, q: float) -> float:
        """Map a Q linearly to a value: 0 for the reward of a lost round, 1 for that of a won round, clipped to [0, 1]."""
        return float(qtree_search.value(self._config, q))

    def merged_tree(self) -> NDArray[Any]:
        """Return the first tree in the format of `search.tree` (NODE [nodes]).

        States reached by the same actions become one node.
        """
        nodes, edges = int(self._counts.nodes), int(self._counts.edges)
        tree = np.zeros(1 + edges, NODE)
        merged_nodes = np.empty(nodes, np.int64)
        size = qtree_search.merge_states(
            self._config, self._nodes, self._edges, nodes, int(self._players[0]), merged_nodes, tree
        )
        return tree[:size]


def _prediction_format(game: Game, evaluator: Evaluator) -> tuple[str, tuple[float, float], int]:
    """Return the encoding that identifies states, the rewards of a lost and a won round, and the number of Q outputs.

    The number of Q outputs is 1 if the evaluator gives values of states instead of Q of actions.
    """
    if not isinstance(evaluator, NetworkEvaluator):
        return game.default_encoding, (-1.0, 1.0), 1
    inputs = game.encoding(evaluator.encoding).inputs
    outputs = evaluator.outputs(np.zeros((1, inputs), np.int8)).shape[1]
    return evaluator.encoding, evaluator.reward if outputs > 1 else (-1.0, 1.0), outputs


def _config(
    settings: QForestSettings, encoding: int, reward: tuple[float, float], outputs: int, reshuffle: bool
) -> Any:
    """Return the options as a QTREE_CONFIG record for kernels."""
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
    """Run a whole single-player tree search from each of `roots`, and return Q, visit counts and rewards at the roots.

    Training as in paper 000 starts from true states, order of the draw pile included; an agent starts from determinizations.

    Args:
        game: Game of the states.
        roots: State records [n], one per tree, or [n, deals] if the simulations of a tree start from its deals in turn.
        evaluator: Predicts Q or values of new states (see `QForest`).
        settings: Options of the search.
        seeds: Seeds of the trees' random streams (uint64 [n]).
        reshuffle: Whether every simulation draws new chance events (see `QForest`).
        policy: Policy of the other players, if it is loaded already (see `QForest`).
        batch: Number of trees that one thread grows together; the evaluator gets all their new states in one call. It does
            not change the result, except that torch may round differently in batches of another size.
        threads: Number of threads; it does not change the result.

    Raises:
        InvalidInput: If the evaluator or the policy does not fit the game, a root has no player to move, or the network has
            no Q for any legal action of a root.
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
