"""DDQN with MCTS (paper 000, III-B, Algorithm 2): Double DQN that plays by tree searches and also learns from their Q."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.kernel_policy import check_fingerprint, fingerprint
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import new_record
from cardgames.kernels.rng import next_word
from cardgames.learners.algorithms.dqn import DoubleDqn, DqnSettings
from cardgames.learners.base.learner import reward_range
from cardgames.learners.base.metrics import divergence_error
from cardgames.learners.base.settings import Value, default, setting
from cardgames.learners.environments.collector import WIN, WIN_ONLY
from cardgames.learners.memory.replay_buffer import Batch
from cardgames.learners.networks.losses import Floats, LossAndGradient
from cardgames.learners.networks.trainable import Trainable
from cardgames.networks.policy_lookup import find_policy
from cardgames.search.network_evaluator import NetworkEvaluator
from cardgames.search.qtree.batched_qtree import QForestSettings, RootStatistics, grow_trees
from cardgames.support.errors import InvalidInput
from cardgames.support.state_dict import Arrays, join_states, substate

ROOTS = ("true", "determinized")
_Q, _REWARD = 0, 1
"""Columns of the replay memory's `remarks`: the trees' Q_m(s, a) of the action taken, and their mean reward r_m."""


@dataclass(frozen=True)
class DdqnMctsSettings(DqnSettings):
    """Hyperparameters of paper 000, section IV: those of `DqnSettings`, and 50 simulations per decision.

    The paper gives neither c_puct nor the number of updates at the end of a round: here one per decision, as for DQN. It
    plays one round at a time; here many are played in parallel, to evaluate many new states in one call of the network.
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {"000": {}}

    tables: int = default(DqnSettings, "tables", 256)
    simulations: int = setting(50, "simulations of the tree per decision", 1, 1_000_000)
    c_puct: float = setting(1.0, "exploration constant of equation 3, in units of Q", 0)
    simulated: str = setting("random", "policy of the opponents in the trees")
    roots: str = setting(
        "true", "root of the trees: the true state, as in the paper, or determinizations of it", choices=ROOTS
    )
    threads: int = setting(
        2,
        "threads for the trees; the result does not depend on it, except for torch's rounding",
        1,
        256,
        resumable=True,
        affects_learning=False,
    )


class Predictor(NetworkEvaluator):
    """Leaf evaluator of the trees by the current weights of a network in training."""

    def __init__(self, game: Game, encoding: str, reward: tuple[float, float], network: Trainable):
        super().__init__(game, encoding, reward)
        self._network = network

    def outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the outputs of the network in training ([n, outputs]) for encoded states ([n, inputs])."""
        return self._network.outputs(inputs)

    def finite_outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the outputs of the network in training. Raises `InvalidInput` if they are not finite (divergence)."""
        try:
            return super().finite_outputs(inputs)
        except InvalidInput:
            raise divergence_error("network has outputs that are not finite") from None


@njit
def draw_seeds(tables, at, seeds):
    """Draw a seed for each of the tables `at` from the table's own random stream, into `seeds` ([n] uint64)."""
    for i in range(len(at)):
        seeds[i] = next_word(tables[at[i]])


@njit
def determinize_all(rules, states, tables, at, observation, roots):
    """Fill `roots` ([n, deals]) with states drawn uniformly from the determinizations at the tables `at`."""
    for i in range(len(at)):
        state = states[at[i]]
        ops.observe(rules, state, ops.current_player(rules, state), observation)
        for deal in range(roots.shape[1]):
            ops.determinize(rules, observation, tables[at[i]], roots[i, deal])


@njit
def write_outputs(rules, tables, at, values, out):
    """Write the trees' Q of each action at the position of the action's network output.

    The symmetry of a table maps the actions to outputs; actions without an output are omitted.


    Args:
        rules: Kernel rules of the game.
        tables: Records of the tables, with the symmetry of each ([tables]).
        at: Indices of the tables ([n]).
        values: Q of the actions by the trees ([n, actions]).
        out: Receives the Q in the rows `at` and the columns of the outputs ([tables, outputs]).
    """
    for i in range(len(at)):
        for action in range(values.shape[1]):
            output = ops.apply_symmetry(rules, tables[at[i]].naming, action)
            if output < out.shape[1]:
                out[at[i], output] = values[i, action]


class DdqnMcts(DoubleDqn):
    """Double DQN learner with single-player trees.

    The trees' Q_m chooses the actions, and is a second target of Q (equation 6). Their mean reward r_m (equation 5) is added
    to the reward of the game.

    By default trees grow from the true state with its hidden cards. The network never sees these, and it alone plays after
    the training. A void round counts in trees as each player's chance of winning, in the memory as 0. With pay-off by
    points, trees count at most 200 points.
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
        """Return an action for every table, epsilon-greedy by Q_m, the trees' Q ([tables])."""
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
        """Grow new trees for the tables `rows`, which play the game `game_index`; return statistics of the roots."""
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
        """Return the targets of Double DQN with the total reward r_m + r (Algorithm 2, line 13)."""
        return super().targets(replace(batch, rewards=batch.rewards + batch.remarks[:, _REWARD]))

    def errors(self, outputs: Floats, targets: Floats, batch: Batch) -> LossAndGradient:
        """Return Q minus the Double DQN target, and the gradient of L_ddqn + L_mcts (equation 6)."""
        errors, gradient = super().errors(outputs, targets, batch)
        _, search_gradient = super().errors(outputs, np.ascontiguousarray(batch.remarks[:, _Q]), batch)
        return errors, gradient + search_gradient

    def state(self) -> Arrays:
        """Return the learner's whole state as arrays by name, for a checkpoint."""
        return super().state() | join_states(simulated={"policies": fingerprint(self._simulated)})

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the learner from the arrays that `state` returned. Raises `InvalidInput` if they do not fit."""
        super().load_state(state)
        check_fingerprint(self._simulated, substate(state, "simulated")["policies"])


def _check_reward(game: Game, reward: str) -> None:
    """Raise `InvalidInput` unless the trees' value of a finished round (`core.ops.evaluate`) agrees with `reward`."""
    payoff = game.rules.to_dict().get("payoff")
    if reward == WIN_ONLY or (reward == WIN and payoff == "points"):
        raise InvalidInput(
            f"reward={reward} does not fit ddqn-mcts, whose trees always use the pay-off {payoff!r} of the rules"
        )
    if payoff == "rlcard" and reward != WIN and game.num_players > 2:
        raise InvalidInput("ddqn-mcts with payoff=rlcard and reward=pay-off supports only two players")
