"""Neural Fictitious Self-Play (Heinrich and Silver 2016, Algorithm 1; paper 000, II-D)."""

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
from cardgames.learners.memory.checkpoint_arrays import Arrays, join_states, substate
from cardgames.learners.memory.reservoir_buffer import Reservoir
from cardgames.learners.networks.losses import Floats, cross_entropy
from cardgames.networks.network import Mlp
from cardgames.support.errors import InvalidInput

_POLICY_SEED, _RESERVOIR_SEED, _NOISE_SEED = 3, 4, 5
"""The parts that are seeded apart, beside a value learner's."""


@dataclass(frozen=True)
class NfspSettings(DqnSettings):
    """Paper 000, section IV: both networks 240-64-64-61, batch 32, learning rate 0.00005, discount 0.99, one learner among
    players who play at random. It names nothing of NFSP's own: those are RLCard's defaults, epsilon among them (where the
    paper's words that all agents share hyperparameters give `dmc` DQN's).

    With `seats=all` it plays against itself, as Heinrich and Silver's does.
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {"000": {}}

    epsilon_start: float = default(DqnSettings, "epsilon_start", 0.06)
    epsilon_end: float = default(DqnSettings, "epsilon_end", 0.0)
    epsilon_decisions: int = default(DqnSettings, "epsilon_decisions", 1_000_000)
    anticipatory: float = setting(0.1, "chance that a seat plays its best response in a round", 0, 1)
    reservoir: int = setting(20_000, "decisions of best responses that are kept", 1, 100_000_000)
    policy_rate: float = setting(5e-5, "learning rate of the average policy", 0, 1)


@njit
def draw_modes(tables, anticipatory, best_response, out):
    """Write into `out` (bool [tables]) whether the seat to move at each table plays its best response.

    It is drawn where a seat begins a round, and kept in `best_response` (bool [tables, seats]).
    """
    for t in range(len(tables)):
        table = tables[t]
        if table.decisions[table.seat] == 0:
            best_response[t, table.seat] = uniform(table) < anticipatory
        out[t] = best_response[t, table.seat]


@njit
def add_gumbel_noise(logits, streams, at):
    """Add Gumbel noise to `logits` (float32 [n, outputs]): the greatest of some is then a draw from their softmax.

    Chance of row i is that of `streams[at[i]]`.
    """
    for i in range(len(logits)):
        for j in range(logits.shape[1]):
            logits[i, j] -= np.log(-np.log(uniform(streams[at[i]])))


class Nfsp(Dqn):
    """Two networks: a best response, learned as DQN learns, and the average of all best responses so far.

    In each round each seat of the learner plays one of the two. Every decision is remembered for the best response; those
    that it took are offered to a reservoir, from which the average policy learns: by the negative log-likelihood of
    what was done, among the legal actions (among all, in RLCard, which masks only what is played). All seats share both
    networks. What is evaluated and saved is the average policy, which plays by chance, as in RLCard.
    """

    name = "nfsp"
    settings_class = NfspSettings
    settings: NfspSettings
    metric_names = *Dqn.metric_names, "policy loss"

    def __init__(self, games: Sequence[Game], settings: NfspSettings, seed: int, device: str = "auto"):
        if settings.reservoir < settings.memory_init:
            words = f"reservoir is at least memory_init, {settings.memory_init:,}, not {settings.reservoir:,}"
            raise InvalidInput(f"{words}: the average policy would never learn")
        if settings.anticipatory == 0:
            raise InvalidInput("anticipatory is more than 0: else the average policy would never learn")
        super().__init__(games, settings, seed, device)
        sizes = settings.reservoir, self.inputs, self.outputs
        self.reservoir = Reservoir(*sizes, derive(seed, _RESERVOIR_SEED), symmetries=self.symmetries)
        self._best_response = np.zeros((settings.tables, MAX_SEATS), np.bool_)

    def make_networks(self) -> None:
        """Make the best response and the average policy."""
        super().make_networks()
        self.policy = self.make_network(self.settings.policy_rate, _POLICY_SEED, "relu")

    def decide(self) -> NDArray[np.int64]:
        """Return what the learner does at every table: by the network its seat plays this round."""
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
        """Let the average policy learn, once it has enough to learn from."""
        super().after_update()
        if len(self.reservoir) < self.settings.memory_init:
            return
        observations, legal, actions = self.reservoir.sample(self.settings.batch)
        taken = np.zeros((len(actions), self.outputs), np.float32)
        taken[np.arange(len(actions)), actions] = 1
        losses, gradient = cross_entropy(self.policy.forward(observations), taken, to_bools(legal, self.outputs))
        self.policy.step(gradient)
        self.means.add("policy loss", float(losses.mean()))

    @property
    def has_updates(self) -> bool:
        """Whether the average policy was updated."""
        return self.policy.steps > 0

    def scores(self, inputs: NDArray[np.int8]) -> Floats:
        """Return the average policy's logits and a lot each: the greatest legal one is a draw from the policy.

        Chance is that of the inputs as a whole, so that evaluations leave no trace.
        """
        logits = self.policy.outputs(inputs)
        noise_stream = np.zeros(1, rng.STREAM)
        noise_stream["rng"] = derive(self.seed, _NOISE_SEED, zlib.crc32(inputs.tobytes()))
        add_gumbel_noise(logits, noise_stream, np.zeros(len(logits), np.int64))
        return logits

    def network(self) -> Mlp:
        """Return the average policy's network of logits, beside it the best response's Q."""
        best = super().network()
        return replace(self.inference_network(self.policy, best.reward), q=replace(best, algorithm=""))

    def state(self) -> Arrays:
        """Return everything the learner goes on from as plain arrays."""
        roles = {"responding": self._best_response}
        return super().state() | join_states(policy=self.policy.state(), reservoir=self.reservoir.state(), roles=roles)

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned. Raises `InvalidInput` if that does not fit."""
        super().load_state(state)
        self.policy.load_state(substate(state, "policy"))
        self.reservoir.load_state(substate(state, "reservoir"))
        self._best_response[:] = substate(state, "roles")["responding"]
