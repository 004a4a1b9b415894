"""Actor and critic by proximal policy optimisation (Schulman et al. 2017), which paper 000 leaves as future work.

One network has the logits of all actions and, as its last output, the value of the state. Illegal actions have no
probability, neither in play nor in the loss (Huang, Ontañón 2022).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game import Game
from cardgames.kernels import rng
from cardgames.learners.base.learner import reward_range
from cardgames.learners.base.metrics import diverged
from cardgames.learners.base.policy_gradient import (
    LOG_CHANCE,
    REMARKS,
    advantages,
    clipped,
    draw_actions,
    log_chances_of,
)
from cardgames.learners.base.settings import default, setting
from cardgames.learners.base.table_learner import TableLearner, TableSettings
from cardgames.learners.memory.augmentation import rename_at_random
from cardgames.learners.memory.batch_sampling import minibatches
from cardgames.learners.memory.checkpoint_arrays import Arrays, joined, part_of
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.learners.networks.losses import Floats
from cardgames.learners.networks.network_factory import trainable
from cardgames.learners.networks.optimizers import Adam
from cardgames.networks.mlp import Layer
from cardgames.networks.network import Mlp
from cardgames.networks.pretrained import load_named_network
from cardgames.support.errors import InvalidInput, error_context

_NETWORK, _TABLES, _ORDER, _RENAMING = range(4)
"""The parts that are seeded apart."""


@dataclass(frozen=True)
class ActorCriticSettings(TableSettings):
    """Ours: no paper here has it. Self-play on positions whose colours have been renamed, what the draws of others tell,
    and a lambda this small: each saved many rounds (docs/strength.md). Clip is Schulman et al.'s.
    """

    hidden: tuple[int, ...] = default(TableSettings, "hidden", (256, 256))
    encoding: str = default(TableSettings, "encoding", "evidence")
    symmetry: str = default(TableSettings, "symmetry", "canonical")
    seats: str = default(TableSettings, "seats", "all")
    reward: str = default(TableSettings, "reward", "win")
    rounds: int = default(TableSettings, "rounds", 1_000_000)
    tables: int = default(TableSettings, "tables", 256)
    batch: int = default(TableSettings, "batch", 4_096)
    learning_rate: float = default(TableSettings, "learning_rate", 1e-3)
    discount: float = default(TableSettings, "discount", 1.0)
    memory: int = default(TableSettings, "memory", 65_536)
    max_norm: float = default(TableSettings, "max_norm", 0.5)
    evaluate: str = default(TableSettings, "evaluate", "random+reflex+linear")
    evaluate_every: int = default(TableSettings, "evaluate_every", 50_000)
    evaluate_games: int = default(TableSettings, "evaluate_games", 10_000)
    passes: int = setting(4, "so often it learns from each decision", 1, 1_000)
    clip: float = setting(0.2, "how far the chance of an action may move, as a share of what it was", 0, 1)
    trace: float = setting(0.6, "lambda of generalised advantage estimation (Schulman et al. 2016)", 0, 1)
    value_weight: float = setting(0.5, "of the critic's squared error in the loss", 0)
    entropy: float = setting(0.01, "weight of the policy's entropy in the loss", 0)
    start: str = setting(
        "", "a network of actor-critic to begin with: FILE, or the name of one that comes with the game"
    )


class _Lesson(NamedTuple):
    """Decisions to learn from, a row each, as `policy_gradient.clipped` takes them."""

    inputs: NDArray[np.int8]
    legal: NDArray[np.uint64]
    actions: NDArray[np.int64]
    log_chances: Floats
    """Of the actions, by the policy that played them; under symmetries by that before this lesson."""
    gains: Floats
    targets: Floats


class ActorCritic(TableLearner):
    """Plays by chance, as its policy has it, until so many decisions are remembered; learns from them and forgets them.

    Decisions without a choice are not the learner's: there is nothing to learn from them.
    """

    name = "actor-critic"
    settings_class = ActorCriticSettings
    settings: ActorCriticSettings
    measured = "value error", "entropy", "clipped"

    def __init__(self, games: Sequence[Game], settings: ActorCriticSettings, seed: int, device: str = "auto"):
        super().__init__(games, settings, seed, device)
        self._scale = 1 / reward_range(games[0], settings.reward)[1]
        self.online = trainable(
            self._weights_or_sizes(),
            Adam(settings.learning_rate, settings.max_norm),
            seed=rng.derive(seed, _NETWORK),
            device=device,
            batch=max(settings.batch, settings.tables),
        )
        # rounds are written whole: those that end last may fill more than was asked for
        self.memory = Replay(2 * settings.memory, self.inputs, self.outputs, remarks=REMARKS)
        self.sit_down(rng.derive(seed, _TABLES), forced=False)
        self._learned = 0
        """How many decisions had been written when it learned last."""
        self._lessons = 0
        self._actions = np.zeros(settings.tables, np.int64)

    def _weights_or_sizes(self) -> dict[str, Floats] | tuple[int, ...]:
        """Return the weights to begin with, or the sizes of layers whose weights are to be drawn. Raises `InvalidInput`."""
        sizes, start = (self.inputs, *self.settings.hidden, self.outputs + 1), self.settings.start
        if not start:
            return sizes
        with error_context(f"start={start}"):
            network = load_named_network(self.games[0], start, any_rules=True)
        if network.critic is None:
            raise InvalidInput(f"start={start}: that network has no critic beside a policy")
        if "tanh" in network.activations:
            raise InvalidInput(f"start={start}: that network has tanh between its layers, not ReLU")
        theirs = (*network.sizes[:-1], network.sizes[-1] + 1)
        if (network.encoding, theirs) != (self.encoding, sizes):
            told, own = ("-".join(map(str, layers)) for layers in (theirs, sizes))
            raise InvalidInput(f"start={start}: that network is {network.encoding} {told}, not {self.encoding} {own}")
        return _with_critic(network, network.critic)

    def cycle(self) -> None:
        """Play on to the next decision at every table, and learn once enough of them are remembered; the learning rate falls
        evenly to 0.
        """
        self.lower_rate()  # before, since a cycle that ends many rounds may end the training
        collector = self.collector
        logits = self.online.outputs(collector.observations)
        if not draw_actions(logits, collector.legal, collector.tables, collector.remarks, self._actions):
            raise diverged("policy has outputs that are no numbers")
        collector.step(self._actions)
        if self.memory.written - self._learned < self.settings.memory:
            return
        self._learn()
        self._learned = self.memory.written
        self.renew_past()

    def _learn(self) -> None:
        """Learn from all decisions since the last time, some passes over them."""
        settings, lesson = self.settings, self._lesson()
        random = np.random.default_rng(rng.derive(self.seed, _ORDER, self._lessons))
        self._lessons += 1
        for part in minibatches(random, len(lesson.actions), settings.batch, settings.passes):
            self._update(_Lesson._make(column[part] for column in lesson))

    def _lesson(self) -> "_Lesson":
        """Return all decisions since the last time, under symmetries if it learns so."""
        settings, memory = self.settings, self.memory
        fresh = min(memory.written - self._learned, memory.capacity)
        rows = np.arange(memory.written - fresh, memory.written) % memory.capacity
        gains, targets = advantages(memory, rows, settings.discount, settings.trace, self._scale)
        gains = (gains - gains.mean()) / (gains.std() + np.float32(1e-6))
        inputs, legal, actions = memory.observations[rows], memory.legal[rows], memory.actions[rows]
        log_chances = memory.remarks[rows, LOG_CHANCE]
        if self.symmetries is not None:
            renaming = rng.stream(rng.derive(self.seed, _RENAMING, self._lessons))
            rename_at_random(self.symmetries, renaming, fresh, inputs=[inputs], sets=[legal], actions=[actions])
            self._compare_with_renamed(inputs, legal, actions, log_chances)
        return _Lesson(inputs, legal, actions, log_chances, gains, targets)

    def _compare_with_renamed(
        self, inputs: NDArray[np.int8], legal: NDArray[np.uint64], actions: NDArray[np.int64], log_chances: Floats
    ) -> None:
        """Overwrite what chances the actions had: a policy seldom gives a renamed action the chance of the one played, and
        clipping is of what changes by learning alone.
        """
        for start in range(0, len(actions), self.settings.batch):
            part = slice(start, start + self.settings.batch)
            log_chances_of(self.online.outputs(inputs[part]), legal[part], actions[part], log_chances[part])

    def _update(self, lesson: "_Lesson") -> None:
        settings = self.settings
        outputs = self.online.forward(lesson.inputs)
        gradient = np.empty_like(outputs)
        weights = settings.clip, settings.value_weight, settings.entropy
        means = clipped(outputs, *lesson[1:], weights, gradient)
        for name, mean in zip(self.measured, means, strict=True):
            self.means.add(name, mean)
        self.online.step(gradient)

    def scores(self, inputs: NDArray[np.int8]) -> Floats:
        """Return the policy's logits [n, outputs] for inputs [n, inputs]."""
        return np.ascontiguousarray(self.online.outputs(inputs)[:, : self.outputs])

    def network(self) -> Mlp:
        """Return the network of the policy's logits, and the critic beside it."""
        low, high = reward_range(self.games[0], self.settings.reward)
        network = self.as_played(self.online, (low * self._scale, high * self._scale))
        weight, bias = network.layers()[-1]
        return replace(network.with_outputs(self.outputs), critic=(weight[self.outputs :], bias[self.outputs :]))

    def state(self) -> Arrays:
        """Return everything the learner goes on from as plain arrays."""
        return super().state() | joined(learner={"counts": np.array([self._learned, self._lessons])})

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned. Raises `InvalidInput` if that does not fit."""
        super().load_state(state)
        self._learned, self._lessons = part_of(state, "learner")["counts"].tolist()


def _with_critic(network: Mlp, critic: Layer) -> dict[str, Floats]:
    """Return the tensors of a policy's network with the critic as its last output."""
    last = 2 * (len(network.sizes) - 2)
    weights, biases = (np.concatenate(both) for both in zip(network.layers()[-1], critic, strict=True))
    return network.tensors() | {f"{last}.weight": weights, f"{last}.bias": biases}
