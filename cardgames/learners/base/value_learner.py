"""Base class of learners of Q values: epsilon-greedy play, a replay memory, and updates from random batches.

DQN, Double DQN, deep SARSA and deep Monte Carlo differ only in the target of an update (`targets`). Other subclasses also
change the outputs of the network (`values`), the loss (`errors`) or the choice of actions (`decide`).
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game import Game
from cardgames.kernels.rng import derive
from cardgames.learners.base.learner import reward_range
from cardgames.learners.base.replay_learner import ReplayLearner, ReplaySettings
from cardgames.learners.base.settings import linear_schedule, setting
from cardgames.learners.memory.augmentation import NONE
from cardgames.learners.memory.prioritized_replay import PrioritizedReplay
from cardgames.learners.memory.replay_buffer import Batch, Replay, updates_due
from cardgames.learners.networks.losses import Floats, LossAndGradient, action_loss
from cardgames.learners.networks.optimizers import OPTIMIZERS
from cardgames.learners.networks.trainable import Trainable, WeightTying
from cardgames.learners.networks.trainable_factory import make_trainable
from cardgames.networks.network import Mlp, check_outputs
from cardgames.support.errors import InvalidInput

PLAIN, RLCARD = NETWORK_KINDS = "plain", "rlcard"
_NETWORK_SEED, TABLES_SEED, _MEMORY_SEED = range(3)
"""Labels that `rng.derive` combines with the learner's seed, so that each random component has its own seed."""


@dataclass(frozen=True)
class ValueSettings(ReplaySettings):
    """Hyperparameters of learners of Q values: exploration, updates, optimizer, loss and prioritized replay."""

    outputs: int = setting(0, "outputs of the network: Q of the first actions by id; 0: of all", 0)
    memory_init: int = setting(100, "decisions remembered before the first update", 1)
    train_every: int = setting(1, "decisions between updates", 1)
    epsilon_start: float = setting(1.0, "probability of a random action at the start", 0, 1)
    epsilon_end: float = setting(0.1, "probability of a random action at the end", 0, 1)
    epsilon_decisions: int = setting(20_000, "decisions over which epsilon falls linearly", 1)
    epsilon_factor: float = setting(
        1.0, "below 1: epsilon is multiplied by it every 100 rounds, down to epsilon_end", 0, 1
    )
    optimizer: str = setting("adam", "optimizer of the weights", choices=OPTIMIZERS)
    loss: str = setting("mse", "loss of the error of Q", choices=("mse", "huber"))
    network: str = setting(
        PLAIN, "plain: layers with ReLU; rlcard: batch normalization of the inputs, tanh", choices=NETWORK_KINDS
    )
    priority: float = setting(0.0, "exponent alpha of prioritized replay, 0.6 in Schaul et al. 2016; 0: uniform", 0, 1)
    priority_weight: float = setting(0.4, "exponent beta of its importance weights, constant", 0, 1)

    def epsilon(self, decisions: int, rounds: int) -> float:
        """Return epsilon, the probability of a random action, after `decisions` decisions in `rounds` rounds."""
        if self.epsilon_factor < 1:
            return float(max(self.epsilon_end, self.epsilon_start * self.epsilon_factor ** (rounds // 100)))
        return linear_schedule(self.epsilon_start, self.epsilon_end, decisions / self.epsilon_decisions)


class ValueLearner(ReplayLearner):
    """Learner of Q values: one update from a random batch of its replay memory per `train_every` decisions.

    As in RLCard, the decisions of a round are written to the memory when the round ends; the updates due for them
    follow.
    """

    settings_class = ValueSettings
    settings: ValueSettings
    metric_names: ClassVar[tuple[str, ...]] = ("error", "target")
    remarks: ClassVar[int] = 0
    """Number of extra values stored with each decision in the replay memory (`Replay.remarks`)."""

    def __init__(self, games: Sequence[Game], settings: ValueSettings, seed: int, device: str = "auto"):
        super().__init__(games, settings, seed, device)
        if settings.outputs > self.outputs:
            raise InvalidInput(f"outputs is at most {self.outputs}, the number of actions, not {settings.outputs}")
        self.outputs = settings.outputs or self.outputs
        if settings.symmetry != NONE and not games[0].symmetries(settings.encoding).is_closed(self.outputs):
            raise InvalidInput(
                f"outputs={self.outputs} cannot be used with symmetry={settings.symmetry}, which maps some to other actions"
            )
        check_outputs(games[0], self.encoding, self.outputs)
        if settings.batch > settings.memory:
            raise InvalidInput(f"batch is at most memory, {settings.memory:,}, not {settings.batch:,}")
        sizes = settings.memory, self.inputs, self.outputs, derive(seed, _MEMORY_SEED)
        options: dict[str, Any] = {"remarks": self.remarks, "symmetries": self.symmetries}
        self.memory: Replay
        if settings.priority > 0:
            self.memory = PrioritizedReplay(*sizes, **options, alpha=settings.priority, beta=settings.priority_weight)
        else:
            self.memory = Replay(*sizes, **options)
        self.make_networks()
        self.start_tables(derive(seed, TABLES_SEED))

    def make_networks(self) -> None:
        """Make the network `online` with random weights; subclasses add further networks."""
        self.online = self.make_network(self.settings.learning_rate, _NETWORK_SEED)

    def make_network(self, learning_rate: float, seed_label: int, activation: str = "tanh") -> Trainable:
        """Return a trainable network with random weights, of the kind and size in the settings.


        Args:
            learning_rate: Learning rate of the optimizer.
            seed_label: Label that is combined with the learner's seed to give the seed of the weights.
            activation: Activation between the layers with `network=rlcard`.

        Raises:
            InvalidInput: The batch is too small for batch normalization.
        """
        settings = self.settings
        if settings.network == RLCARD and settings.batch < 2:
            raise InvalidInput(
                f"batch is at least 2 with network=rlcard, which has batch normalization, not {settings.batch}"
            )
        return make_trainable(
            self.sizes,
            OPTIMIZERS[settings.optimizer](learning_rate, settings.max_norm),
            seed=derive(self.seed, seed_label),
            device=self._device,
            batch=max(settings.batch, settings.tables),
            weight_tying=self.weight_tying,
            batch_norm_activation=activation if settings.network == RLCARD else "",
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of inputs, units of each hidden layer, and outputs of the network."""
        return (self.inputs, *self.settings.hidden, self.outputs)

    @property
    def weight_tying(self) -> WeightTying | None:
        """Constraint that ties weights of the network's first layer to each other; None without one."""
        return None

    @property
    def epsilon(self) -> float:
        """Present probability of a random action in epsilon-greedy play."""
        return self.settings.epsilon(self.decisions, self.rounds)

    def cycle(self) -> None:
        """Play every table to the next decision, then make one update per `train_every` decisions newly stored."""
        written_before = self.memory.written
        self.collector.step(self.decide())
        if self.memory.written == written_before:
            return
        self.memory.prioritize_new()
        self.update_past_selves()
        settings = self.settings
        due = updates_due(self.memory.written, settings.memory_init, settings.train_every)
        while self.online.steps < due:
            self.update()

    def decide(self) -> NDArray[np.int64]:
        """Return an epsilon-greedy action for the pending decision at every table ([tables] int64)."""
        return self.collector.choose(self.values(self.online, self.collector.observations), self.epsilon)

    def update(self) -> None:
        """Update the network once, from a random batch of the replay memory."""
        settings = self.settings
        batch = self.memory.sample(settings.batch)
        targets = self.targets(batch)
        _check_targets(targets, batch.actions)
        outputs = self.online.forward(batch.observations)
        errors, gradient = self.errors(outputs, targets, batch)
        self.online.step(gradient)
        self.memory.update_priorities(batch, errors)
        self.means.add("error", float(np.square(errors, dtype=np.float64).sum()), len(errors))
        self.means.add("target", float(targets.sum()), len(targets))
        self.after_update()

    def errors(self, outputs: Floats, targets: Floats, batch: Batch) -> LossAndGradient:
        """Return Q minus target of the actions taken ([n] float32), and the gradient of the loss in the outputs."""
        return action_loss(outputs, batch.actions, targets, batch.weights, self.settings.loss)

    @abstractmethod
    def targets(self, batch: Batch) -> NDArray[np.float32]:
        """Return the target of Q for the action taken in each decision of the batch ([n] float32)."""

    def after_update(self) -> None:
        """Hook that `update` calls at its end; it does nothing in this class."""

    def scores(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the Q of each action ([n, outputs]) for encoded observations ([n, inputs])."""
        return self.values(self.online, inputs)

    def values(self, network: Trainable, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the Q of each action ([n, outputs]) for `inputs`, by `network`: the online network or a target network."""
        return network.outputs(inputs)

    def metrics(self) -> dict[str, float]:
        """Return by name epsilon, the number of updates, and running means of squared error, target and others."""
        return {"epsilon": self.epsilon} | super().metrics()

    def network(self) -> Mlp:
        """Return the network of Q values in the form that agents play by and files store."""
        return self.inference_network(self.online, reward_range(self.games[0], self.settings.reward))


def _check_targets(targets: object, actions: NDArray[np.int64]) -> None:
    """Raise `InvalidInput` unless `targets` has one target per action: numpy would silently broadcast other shapes."""
    if not isinstance(targets, np.ndarray) or targets.shape != actions.shape:
        shape = f"shape {list(targets.shape)}" if isinstance(targets, np.ndarray) else type(targets).__name__
        raise InvalidInput(f"targets must return an array of shape {list(actions.shape)}, one per action, not {shape}")
