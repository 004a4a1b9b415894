"""Neural fictitious self-play, NFSP (Heinrich and Silver 2016, Algorithm 1; paper 000, II-D).

A DQN learns a best response; a second network learns the average policy from a reservoir of the best response's actions.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game import Game
from cardgames.kernels import rng
from cardgames.kernels.jit import njit
from cardgames.kernels.masks import to_bools
from cardgames.kernels.rng import derive, uniform
from cardgames.learners.algorithms.dqn import Dqn, DqnSettings
from cardgames.learners.base.settings import Value, default, setting
from cardgames.learners.environments.learner_env import MAX_SEATS
from cardgames.learners.memory.reservoir_buffer import Reservoir
from cardgames.learners.networks.losses import Floats, cross_entropy
from cardgames.networks.network import Mlp
from cardgames.support.errors import InvalidInput
from cardgames.support.state_dict import Arrays, join_states, substate

_POLICY_SEED, _RESERVOIR_SEED, _NOISE_SEED = 3, 4, 5
"""Labels that `rng.derive` combines with the learner's seed; they follow the labels in `value_learner`."""


@dataclass(frozen=True)
class NfspSettings(DqnSettings):
    """Hyperparameters of neural fictitious self-play in paper 000, section IV.

    Both networks are 240-64-64-61, with batch 32, learning rate 0.00005, discount 0.99, and one learner against random
    players. The paper gives no settings specific to NFSP: these are RLCard's defaults, epsilon among them (although it says
    that all agents share hyperparameters, for which reason `dmc` has DQN's epsilon).

    With `seats=all` it learns in self-play, as in Heinrich and Silver.
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {"000": {}}

    epsilon_start: float = default(DqnSettings, "epsilon_start", 0.06)
    epsilon_end: float = default(DqnSettings, "epsilon_end", 0.0)
    epsilon_decisions: int = default(DqnSettings, "epsilon_decisions", 1_000_000)
    anticipatory: float = setting(0.1, "probability that a seat plays the best response in a round", 0, 1)
    reservoir: int = setting(20_000, "capacity of the reservoir, in decisions of the best response", 1, 100_000_000)
    policy_rate: float = setting(5e-5, "learning rate of the average policy", 0, 1)


@njit
def draw_modes(tables, anticipatory, best_response, out):
    """Write into `out` ([tables] bool) whether the seat to move at each table plays the best response in this round.

    This is drawn with probability `anticipatory` at a seat's first decision in a round, and stored in `best_response`
    ([tables, seats] bool).
    """
    for t in range(len(tables)):
        table = tables[t]
        if table.decisions[table.seat] == 0:
            best_response[t, table.seat] = uniform(table) < anticipatory
        out[t] = best_response[t, table.seat]


@njit
def add_gumbel_noise(logits, streams, at):
    """Add Gumbel noise to `logits` ([n, outputs] float32), so that the argmax of any subset is a draw from its softmax.

    Row i uses the random stream `streams[at[i]]`.
    """
    for i in range(len(logits)):
        for j in range(logits.shape[1]):
            logits[i, j] -= np.log(-np.log(uniform(streams[at[i]])))


class Nfsp(Dqn):
    """NFSP learner with two networks: a best response (DQN), and the average policy of all best responses so far.

    In each round each seat of the learner plays by one of the two. The best response learns from every decision. Its own
    decisions are also offered to a reservoir. The average policy learns from the reservoir by the negative log-likelihood
    of the actions, with a softmax over the legal ones (over all in RLCard, which masks only in play). All seats share both
    networks. Evaluated and saved is the average policy; its actions are drawn at random, as in RLCard.
    """

    name = "nfsp"
    settings_class = NfspSettings
    settings: NfspSettings
    metric_names = *Dqn.metric_names, "policy loss"

    def __init__(self, games: Sequence[Game], settings: NfspSettings, seed: int, device: str = "auto"):
        if settings.reservoir < settings.memory_init:
            problem = f"reservoir is at least memory_init, {settings.memory_init:,}, not {settings.reservoir:,}"
            raise InvalidInput(f"{problem}: the average policy would never learn")
        if settings.anticipatory == 0:
            raise InvalidInput("anticipatory is greater than 0: otherwise the average policy would never learn")
        super().__init__(games, settings, seed, device)
        sizes = settings.reservoir, self.inputs, self.outputs
        self.reservoir = Reservoir(*sizes, derive(seed, _RESERVOIR_SEED), symmetries=self.symmetries)
        self._best_response = np.zeros((settings.tables, MAX_SEATS), np.bool_)

    def make_networks(self) -> None:
        """Make the networks of best response and average policy."""
        super().make_networks()
        self.policy = self.make_network(self.settings.policy_rate, _POLICY_SEED, "relu")

    def decide(self) -> NDArray[np.int64]:
        """Return an action for every table, by the network that the seat to move follows in this round ([tables])."""
        collector = self.collector
        plays_best_response = np.empty(len(collector.tables), np.bool_)
        draw_modes(collector.tables, float(self.settings.anticipatory), self._best_response, plays_best_response)
        actions = np.empty(len(plays_best_response), np.int64)
        if len(rows := np.flatnonzero(plays_best_response)):
            actions[rows] = collector.choose(self.online.outputs(collector.observations[rows]), self.epsilon, rows)
            self.reservoir.offer(collector.observations[rows], collector.legal[rows], actions[rows])
        if len(rows := np.flatnonzero(~plays_best_response)):
            logits = self.policy.outputs(collector.observations[rows])
            add_gumbel_noise(logits, collector.tables, rows)
            actions[rows] = collector.choose(logits, 0.0, rows)
        return actions

    def after_update(self) -> None:
        """Update the average policy too, once the reservoir has `memory_init` decisions."""
        super().after_update()
        if len(self.reservoir) < self.settings.memory_init:
            return
        observations, legal, actions = self.reservoir.sample(self.settings.batch)
        one_hot = np.zeros((len(actions), self.outputs), np.float32)
        one_hot[np.arange(len(actions)), actions] = 1
        losses, gradient = cross_entropy(self.policy.forward(observations), one_hot, to_bools(legal, self.outputs))
        self.policy.step(gradient)
        self.means.add("policy loss", float(losses.mean()))

    @property
    def has_updates(self) -> bool:
        """True once the average policy was updated."""
        return self.policy.steps > 0

    def scores(self, inputs: NDArray[np.int8]) -> Floats:
        """Return the average policy's logits with Gumbel noise: the greatest legal one is a draw from the policy.

        The noise is seeded by the inputs, so that evaluations do not change the learner's random streams.
        """
        logits = self.policy.outputs(inputs)
        noise_stream = np.zeros(1, rng.STREAM)
        noise_stream["rng"] = derive(self.seed, _NOISE_SEED, zlib.crc32(inputs.tobytes()))
        add_gumbel_noise(logits, noise_stream, np.zeros(len(logits), np.int64))
        return logits

    def network(self) -> Mlp:
        """Return the network of the average policy, with the best response as its Q network."""
        best = super().network()
        return replace(self.inference_network(self.policy, best.reward), q=replace(best, algorithm=""))

    def state(self) -> Arrays:
        """Return the learner's whole state as arrays by name, for a checkpoint."""
        roles = {"responding": self._best_response}
        return super().state() | join_states(policy=self.policy.state(), reservoir=self.reservoir.state(), roles=roles)

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the learner from the arrays that `state` returned. Raises `InvalidInput` if they do not fit."""
        super().load_state(state)
        self.policy.load_state(substate(state, "policy"))
        self.reservoir.load_state(substate(state, "reservoir"))
        self._best_response[:] = substate(state, "roles")["responding"]
