"""Proximal policy optimization (Schulman et al. 2017): an actor-critic, which paper 000 leaves as future work.

One network outputs the logits of all actions and, last, the value of the state. Illegal actions are masked: they have
probability 0 in play and in the loss (Huang and Ontañón 2022).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game import Game
from cardgames.kernels import rng
from cardgames.learners.base.learner import reward_range
from cardgames.learners.base.metrics import divergence_error
from cardgames.learners.base.policy_gradient import (
    LOG_PROB,
    REMARKS,
    clipped_loss_gradient,
    draw_actions,
    estimate_advantages,
    write_log_probs,
)
from cardgames.learners.base.replay_learner import ReplayLearner, ReplaySettings
from cardgames.learners.base.settings import default, setting
from cardgames.learners.memory.augmentation import apply_random_symmetries
from cardgames.learners.memory.random_indices import minibatches
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.learners.networks.losses import Floats
from cardgames.learners.networks.optimizers import Adam
from cardgames.learners.networks.trainable_factory import make_trainable
from cardgames.networks.mlp import Layer
from cardgames.networks.network import Mlp
from cardgames.networks.pretrained import load_named_network
from cardgames.support.errors import InvalidInput, error_context
from cardgames.support.state_dict import Arrays, join_states, substate

_NETWORK_SEED, _TABLES_SEED, _ORDER_SEED, _SYMMETRY_SEED = range(4)
"""Labels that `rng.derive` combines with the learner's seed, so that each random component has its own seed."""


@dataclass(frozen=True)
class ActorCriticSettings(ReplaySettings):
    """Hyperparameters of proximal policy optimization: this project's own, as none of its papers has the algorithm.

    Self-play, canonicalized colors, the encoding `evidence` (what opponents' draws reveal) and a small lambda each
    saved many rounds of training (docs/research/strength.md). `clip` is that of Schulman et al.
    """

    hidden: tuple[int, ...] = default(ReplaySettings, "hidden", (256, 256))
    encoding: str = default(ReplaySettings, "encoding", "evidence")
    symmetry: str = default(ReplaySettings, "symmetry", "canonical")
    seats: str = default(ReplaySettings, "seats", "all")
    reward: str = default(ReplaySettings, "reward", "win")
    rounds: int = default(ReplaySettings, "rounds", 1_000_000)
    tables: int = default(ReplaySettings, "tables", 256)
    batch: int = default(ReplaySettings, "batch", 4_096)
    learning_rate: float = default(ReplaySettings, "learning_rate", 1e-3)
    discount: float = default(ReplaySettings, "discount", 1.0)
    memory: int = default(ReplaySettings, "memory", 65_536)
    max_norm: float = default(ReplaySettings, "max_norm", 0.5)
    evaluate: str = default(ReplaySettings, "evaluate", "random+reflex+linear")
    evaluate_every: int = default(ReplaySettings, "evaluate_every", 50_000)
    evaluate_games: int = default(ReplaySettings, "evaluate_games", 10_000)
    passes: int = setting(4, "passes over the decisions of each learning step", 1, 1_000)
    clip: float = setting(0.2, "clipping range of the ratio of new to old probability: 1 - clip to 1 + clip", 0, 1)
    trace: float = setting(0.6, "lambda of generalized advantage estimation (Schulman et al. 2016)", 0, 1)
    value_weight: float = setting(0.5, "weight of the critic's squared error in the loss", 0)
    entropy: float = setting(0.01, "weight of the policy's entropy in the loss", 0)
    start: str = setting("", "initial actor-critic network: FILE, or the name of a pretrained one")


class _TrainingData(NamedTuple):
    """Decisions to learn from, a row each, in the order of arguments of `policy_gradient.clipped_loss_gradient`."""

    inputs: NDArray[np.int8]
    legal: NDArray[np.uint64]
    actions: NDArray[np.int64]
    log_probs: Floats
    """Log probabilities of the actions under the policy that took them; with augmentation recomputed before learning."""
    advantages: Floats
    targets: Floats


class ActorCritic(ReplayLearner):
    """PPO learner: it samples actions from its policy, learns from every `memory` new decisions, and then drops them.

    Decisions with a single legal action are not recorded: there is nothing to learn from them.
    """

    name = "actor-critic"
    settings_class = ActorCriticSettings
    settings: ActorCriticSettings
    metric_names = "value error", "entropy", "clipped"

    def __init__(self, games: Sequence[Game], settings: ActorCriticSettings, seed: int, device: str = "auto"):
        super().__init__(games, settings, seed, device)
        self._scale = 1 / reward_range(games[0], settings.reward)[1]
        self.online = make_trainable(
            self._weights_or_sizes(),
            Adam(settings.learning_rate, settings.max_norm),
            seed=rng.derive(seed, _NETWORK_SEED),
            device=device,
            batch=max(settings.batch, settings.tables),
        )
        # whole rounds are written: the last ones may exceed settings.memory
        self.memory = Replay(2 * settings.memory, self.inputs, self.outputs, remarks=REMARKS)
        self.start_tables(rng.derive(seed, _TABLES_SEED), include_forced=False)
        self._decisions_learned = 0
        """Number of decisions written to the memory before the last learning step."""
        self._num_updates = 0
        self._actions = np.zeros(settings.tables, np.int64)

    def _weights_or_sizes(self) -> dict[str, Floats] | tuple[int, ...]:
        """Return the weights of the network named by the setting `start`, or layer sizes for random weights if it is empty.

        Raises `InvalidInput` if that network cannot be loaded, or is no actor-critic of the same encoding and sizes.
        """
        sizes, start = (self.inputs, *self.settings.hidden, self.outputs + 1), self.settings.start
        if not start:
            return sizes
        with error_context(f"start={start}"):
            network = load_named_network(self.games[0], start, any_rules=True)
        if network.critic is None:
            raise InvalidInput(f"start={start}: the network is not an actor-critic: it has no critic")
        if "tanh" in network.activations:
            raise InvalidInput(f"start={start}: the network has tanh activations, not ReLU")
        network_sizes = (*network.sizes[:-1], network.sizes[-1] + 1)
        if (network.encoding, network_sizes) != (self.encoding, sizes):
            network_layers, expected_layers = ("-".join(map(str, layers)) for layers in (network_sizes, sizes))
            raise InvalidInput(
                f"start={start}: the network is {network.encoding} {network_layers}, not {self.encoding} {expected_layers}"
            )
        return _with_critic(network, network.critic)

    def cycle(self) -> None:
        """Play one decision at every table, and make a learning step once enough new decisions are recorded.

        The learning rate falls linearly to 0 over the training.
        """
        self.anneal_learning_rate()  # before playing: the last cycle may end many rounds, and so reach rate 0
        collector = self.collector
        logits = self.online.outputs(collector.observations)
        if not draw_actions(logits, collector.legal, collector.tables, collector.remarks, self._actions):
            raise divergence_error("policy has outputs that are not finite")
        collector.step(self._actions)
        if self.memory.written - self._decisions_learned < self.settings.memory:
            return
        self._learn()
        self._decisions_learned = self.memory.written
        self.update_past_selves()

    def _learn(self) -> None:
        """Update the network from all decisions recorded since the last learning step, in `passes` passes over them."""
        settings, data = self.settings, self._collect_data()
        random = np.random.default_rng(rng.derive(self.seed, _ORDER_SEED, self._num_updates))
        self._num_updates += 1
        for part in minibatches(random, len(data.actions), settings.batch, settings.passes):
            self._update(_TrainingData._make(column[part] for column in data))

    def _collect_data(self) -> "_TrainingData":
        """Return all decisions recorded since the last learning step, with their advantages and critic targets.

        With symmetry=augment a random symmetry of the game is applied to each decision.
        """
        settings, memory = self.settings, self.memory
        num_new = min(memory.written - self._decisions_learned, memory.capacity)
        rows = np.arange(memory.written - num_new, memory.written) % memory.capacity
        advantages, targets = estimate_advantages(memory, rows, settings.discount, settings.trace, self._scale)
        advantages = (advantages - advantages.mean()) / (advantages.std() + np.float32(1e-6))
        inputs, legal, actions = memory.observations[rows], memory.legal[rows], memory.actions[rows]
        log_probs = memory.remarks[rows, LOG_PROB]
        if self.symmetries is not None:
            symmetry_stream = rng.stream(rng.derive(self.seed, _SYMMETRY_SEED, self._num_updates))
            apply_random_symmetries(
                self.symmetries, symmetry_stream, num_new, inputs=[inputs], action_sets=[legal], actions=[actions]
            )
            self._recompute_log_probs(inputs, legal, actions, log_probs)
        return _TrainingData(inputs, legal, actions, log_probs, advantages, targets)

    def _recompute_log_probs(
        self, inputs: NDArray[np.int8], legal: NDArray[np.uint64], actions: NDArray[np.int64], log_probs: Floats
    ) -> None:
        """Overwrite `log_probs` with the log probabilities of `actions` after a random symmetry, by the present network.

        The network is not symmetric, and clipping must measure only the change by learning.
        """
        for start in range(0, len(actions), self.settings.batch):
            part = slice(start, start + self.settings.batch)
            write_log_probs(self.online.outputs(inputs[part]), legal[part], actions[part], log_probs[part])

    def _update(self, data: "_TrainingData") -> None:
        settings = self.settings
        outputs = self.online.forward(data.inputs)
        gradient = np.empty_like(outputs)
        weights = settings.clip, settings.value_weight, settings.entropy
        means = clipped_loss_gradient(outputs, *data[1:], weights, gradient)
        for name, mean in zip(self.metric_names, means, strict=True):
            self.means.add(name, mean)
        self.online.step(gradient)

    def scores(self, inputs: NDArray[np.int8]) -> Floats:
        """Return the policy's logits ([n, outputs]) for inputs ([n, inputs])."""
        return np.ascontiguousarray(self.online.outputs(inputs)[:, : self.outputs])

    def network(self) -> Mlp:
        """Return the policy network with its critic."""
        low, high = reward_range(self.games[0], self.settings.reward)
        network = self.inference_network(self.online, (low * self._scale, high * self._scale))
        weight, bias = network.layers()[-1]
        return replace(network.with_outputs(self.outputs), critic=(weight[self.outputs :], bias[self.outputs :]))

    def state(self) -> Arrays:
        """Return the learner's whole state as arrays by name, for a checkpoint."""
        return super().state() | join_states(learner={"counts": np.array([self._decisions_learned, self._num_updates])})

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the learner from the arrays that `state` returned. Raises `InvalidInput` if they do not fit."""
        super().load_state(state)
        self._decisions_learned, self._num_updates = substate(state, "learner")["counts"].tolist()


def _with_critic(network: Mlp, critic: Layer) -> dict[str, Floats]:
    """Return the weights of a network (`Mlp.tensors`) that has the critic as an additional, last output."""
    last = 2 * (len(network.sizes) - 2)
    weights, biases = (np.concatenate(both) for both in zip(network.layers()[-1], critic, strict=True))
    return network.tensors() | {f"{last}.weight": weights, f"{last}.bias": biases}
