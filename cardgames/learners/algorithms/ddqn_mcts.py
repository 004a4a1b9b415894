"""DDQN with MCTS: Double DQN that decides and learns by a tree search (paper 000, III-B, Algorithm 2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.policy import check_fingerprint, fingerprint
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import new_record
from cardgames.kernels.rng import next_word
from cardgames.learners.algorithms.dqn import DoubleDqn, DqnSettings
from cardgames.learners.base.learner import reward_range
from cardgames.learners.base.metrics import divergence_error
from cardgames.learners.base.settings import Value, default, setting
from cardgames.learners.environments.collector import WIN, WIN_ONLY
from cardgames.learners.memory.checkpoint_arrays import Arrays, join_states, substate
from cardgames.learners.memory.replay_buffer import Batch
from cardgames.learners.networks.losses import Floats, LossAndGradient
from cardgames.learners.networks.trainable import Trainable
from cardgames.networks.policy_lookup import find_policy
from cardgames.search.network_evaluator import NetworkEvaluator
from cardgames.search.qtree.qforest import QForestSettings, RootStatistics, grow_trees
from cardgames.support.errors import InvalidInput

ROOTS = ("true", "determinized")
_Q, _REWARD = 0, 1
"""What is remembered beside a decision: Q_m(s, a) and r_m."""


@dataclass(frozen=True)
class DdqnMctsSettings(DqnSettings):
    """Paper 000, section IV: what `DqnSettings` has of it, and 50 simulations a state.

    It does not tell c_puct, nor how many batches the training at the end of a round is: as for DQN, one a decision. It
    plays one round at a time; many at once let the network see many new states in one call.
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {"000": {}}

    tables: int = default(DqnSettings, "tables", 256)
    simulations: int = setting(50, "of the tree at each decision", 1, 1_000_000)
    c_puct: float = setting(1.0, "equation 3's constant of exploration, in units of Q", 0)
    simulated: str = setting("random", "policy of the others in the trees")
    roots: str = setting(
        "true", "what trees start from: the true state, as the paper's, or determinized", choices=ROOTS
    )
    threads: int = setting(
        2,
        "in which trees grow; the same is learned with any number, but for how torch rounds",
        1,
        256,
        resumable=True,
        affects_learning=False,
    )


class Predictor(NetworkEvaluator):
    """Tells trees the Q of a network as it is now, while it learns."""

    def __init__(self, game: Game, encoding: str, reward: tuple[float, float], network: Trainable):
        super().__init__(game, encoding, reward)
        self._network = network

    def outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the network's outputs."""
        return self._network.outputs(inputs)

    def finite_outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return them too. Raises `InvalidInput`, which names the training, if they are no numbers any more."""
        try:
            return super().finite_outputs(inputs)
        except InvalidInput:
            raise divergence_error("network has outputs that are no numbers") from None


@njit
def draw_seeds(tables, at, seeds):
    """Draw a seed (uint64 [n]) for each of the tables `at` from its own stream."""
    for i in range(len(at)):
        seeds[i] = next_word(tables[at[i]])


@njit
def determinize_all(rules, states, tables, at, observation, roots):
    """Fill `roots` (states [n, deals]) with what the seats to move at the tables `at` hold possible, drawn uniformly."""
    for i in range(len(at)):
        state = states[at[i]]
        ops.observe(rules, state, ops.current_player(rules, state), observation)
        for deal in range(roots.shape[1]):
            ops.determinize(rules, observation, tables[at[i]], roots[i, deal])


@njit
def write_outputs(rules, tables, at, values, out):
    """Write what trees tell of every action (`values`, float [n, actions]) to the rows `at` of `out` (float [tables,
    outputs]), where the networks of these tables have it, if they do.
    """
    for i in range(len(at)):
        for action in range(values.shape[1]):
            output = ops.apply_symmetry(rules, tables[at[i]].naming, action)
            if output < out.shape[1]:
                out[at[i], output] = values[i, action]


class DdqnMcts(DoubleDqn):
    """Double DQN on what single-player trees find: their Q_m is what is played by, and a second target (equation 6);
    their average reward r_m (equation 5) is added to that of the game.

    Trees grow from the true state, hidden cards included, which the network never sees; it alone is what plays. They pay a
    void round as each player's chance of winning it, where the memory has 0. Under pay-off by points they count at most
    200.
    """

    name = "ddqn-mcts"
    settings_class = DdqnMctsSettings
    settings: DdqnMctsSettings
    metric_names = *DoubleDqn.metric_names, "shaped reward"
    remarks = 2

    def __init__(self, games: Sequence[Game], settings: DdqnMctsSettings, seed: int, device: str = "auto"):
        super().__init__(games, settings, seed, device)
        self._growth = QForestSettings(settings.simulations, settings.c_puct, settings.discount, settings.simulated)
        self._predictors = [
            Predictor(game, self.encoding, reward_range(game, settings.reward), self.online) for game in games
        ]
        self._simulated = [find_policy(game, settings.simulated, "simulated") for game in games]
        for game in games:
            _check_reward(game, settings.reward)

    def decide(self) -> NDArray[np.int64]:
        """Return what the learner does at every table: mostly what has the greatest Q_m."""
        collector = self.collector
        q = np.empty((len(collector.tables), self.outputs), np.float32)
        for game_index in range(len(self.games)):
            if len(rows := np.flatnonzero(collector.tables["game_index"] == game_index)):
                root_statistics = self._grow(game_index, rows)
                write_outputs(self.games[game_index].kernel_rules, collector.tables, rows, root_statistics.q, q)
                collector.remarks[rows, _REWARD] = root_statistics.reward
        actions = collector.choose(q, self.epsilon)
        collector.remarks[:, _Q] = q[np.arange(len(q)), actions]
        self.means.add("shaped reward", float(collector.remarks[:, _REWARD].sum()), len(q))
        return actions

    def _grow(self, game_index: int, rows: NDArray[np.int64]) -> RootStatistics:
        """Return what trees tell of the decisions at the tables `rows`, at which the game of this `game_index` is played."""
        collector, game, settings = self.collector, self.games[game_index], self.settings
        seeds = np.empty(len(rows), np.uint64)
        draw_seeds(collector.tables, rows, seeds)
        roots = collector.states[rows]
        if settings.roots == "determinized":
            roots = np.zeros((len(rows), settings.simulations), game.state_dtype)
            observation = new_record(game.state_dtype)
            determinize_all(game.kernel_rules, collector.states, collector.tables, rows, observation, roots)
        batch_size = -(-len(rows) // settings.threads)
        options: dict[str, Any] = {
            "policy": self._simulated[game_index],
            "batch": batch_size,
            "threads": settings.threads,
        }
        return grow_trees(game, roots, self._predictors[game_index], self._growth, seeds, **options)

    def targets(self, batch: Batch) -> NDArray[np.float32]:
        """Return Double DQN's with the total reward r_m + r (Algorithm 2, line 13)."""
        return super().targets(replace(batch, rewards=batch.rewards + batch.remarks[:, _REWARD]))

    def errors(self, outputs: Floats, targets: Floats, batch: Batch) -> LossAndGradient:
        """Return how far Q is from Double DQN's targets, and the gradient of L_ddqn + L_mcts (equation 6)."""
        errors, gradient = super().errors(outputs, targets, batch)
        _, search_gradient = super().errors(outputs, np.ascontiguousarray(batch.remarks[:, _Q]), batch)
        return errors, gradient + search_gradient

    def state(self) -> Arrays:
        """Return everything the learner goes on from as plain arrays."""
        return super().state() | join_states(simulated={"policies": fingerprint(self._simulated)})

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned. Raises `InvalidInput` if that does not fit."""
        super().load_state(state)
        check_fingerprint(self._simulated, substate(state, "simulated")["policies"])


def _check_reward(game: Game, reward: str) -> None:
    """Raise `InvalidInput` if trees, which pay by the verb `evaluate`, would not pay a finished round as `reward` does."""
    paid = game.rules.to_dict().get("payoff")
    if reward == WIN_ONLY or (reward == WIN and paid == "points"):
        raise InvalidInput(
            f"the trees of ddqn-mcts pay what the rules {paid!r} pay: reward={reward} would pay otherwise"
        )
    if paid == "rlcard" and reward != WIN and game.num_players > 2:
        raise InvalidInput("the trees of ddqn-mcts cannot pay by payoff=rlcard among more than two players")
