"""Interface of a learner: settings in, rounds played and network updated cycle by cycle, network and checkpoint out."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game import Game
from cardgames.core.symmetry import Symmetries
from cardgames.learners.base.metrics import RunningMeans
from cardgames.learners.base.settings import Settings
from cardgames.learners.environments.collector import PAY_OFF
from cardgames.learners.memory.augmentation import AUGMENT, NONE
from cardgames.learners.memory.checkpoint_arrays import Arrays
from cardgames.learners.networks.trainable import Trainable
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import network_of
from cardgames.support.errors import InvalidInput


def reward_range(game: Game, reward: str) -> tuple[float, float]:
    """Return the rewards of a lost and of a won round under the setting `reward`."""
    return game.payoff_range if reward == PAY_OFF else (-1.0, 1.0)


def _encoding_and_symmetries(game: Game, settings: Settings) -> tuple[str, Symmetries | None]:
    """Return the encoding and the symmetries for augmentation, or None. Raises `InvalidInput` if the game has none."""
    if settings.symmetry == NONE:
        return settings.encoding, None
    symmetries = game.symmetries(settings.encoding)
    return (
        (settings.encoding, symmetries)
        if settings.symmetry == AUGMENT
        else (str(game.encoding(settings.encoding).canonical), None)
    )


class Learner(ABC):
    """Base class of learners.

    What a learner learns depends only on its games, settings and seed: not on how its cycles are grouped, nor on
    interruptions, as it continues after `state` and `load_state` as if it had not stopped.
    """

    name: ClassVar[str]
    """Name of the agent that plays the learned network; for learners of this package also that of the algorithm."""
    settings_class: ClassVar[type[Settings]] = Settings
    metric_names: ClassVar[tuple[str, ...]] = ()
    """Names of the metrics averaged in `means`."""
    online: Trainable
    """Network that is updated."""

    def __init__(self, games: Sequence[Game], settings: Settings, seed: int, device: str = "auto"):
        """Set up encoding, symmetries and metrics.

        Args:
            games: The same game under the same rules, each with another number of players.
            settings: Hyperparameters, of the class `settings_class`.
            seed: Seed of all random numbers.
            device: One of `networks.DEVICES`.

        Raises:
            InvalidInput: The games differ in more, or the settings do not fit the game.
        """
        game = games[0]
        if any((other.name, other.rules) != (game.name, game.rules) for other in games):
            raise InvalidInput("a learner's games must be the same game under the same rules")
        if len({other.num_players for other in games}) < len(games):
            raise InvalidInput("a learner's games must each have another number of players")
        if len(games) > 1 and game.action_encodings:
            raise InvalidInput(f"{self.name} learns for one number of players, not for {len(games)}")
        game.network_encoding(settings.encoding)  # so that an error names the setting, not the canonical encoding
        self.games, self.settings, self.seed = tuple(games), settings, seed
        self._device = device  # as requested, perhaps `auto`; the device in use is `online.device`
        self.encoding, self.symmetries = _encoding_and_symmetries(game, settings)
        """Encoding of the network's inputs, and the symmetries batches are augmented by, if any."""
        self.inputs = game.network_encoding(self.encoding).inputs
        self.outputs = game.num_distinct_actions
        self.means = RunningMeans(self.metric_names)
        """Means of the metrics since the last evaluation cleared them."""

    @classmethod
    def algorithm_name(cls) -> str:
        """Return the name for `algorithm_registry.algorithm`: `name`, or `module:class` for one outside this package."""
        is_internal = cls.__module__.partition(".")[0] == __name__.partition(".")[0]
        return cls.name if is_internal else f"{cls.__module__}:{cls.__qualname__}"

    @property
    @abstractmethod
    def rounds(self) -> int:
        """Number of rounds played."""

    @property
    @abstractmethod
    def decisions(self) -> int:
        """Number of decisions the learner took in these rounds."""

    @property
    def finished(self) -> bool:
        """True once the number of rounds, or of decisions, in the settings is reached."""
        settings = self.settings
        return self.rounds >= settings.rounds or 0 < settings.decisions <= self.decisions

    @property
    def has_updates(self) -> bool:
        """True once the network that plays was updated."""
        return self.online.steps > 0

    @property
    def fraction_done(self) -> float:
        """Fraction of the training that is done, in [0, 1]."""
        fraction_done = self.rounds / self.settings.rounds
        if self.settings.decisions:
            fraction_done = max(fraction_done, self.decisions / self.settings.decisions)
        return min(1.0, fraction_done)

    @abstractmethod
    def cycle(self) -> None:
        """Play to the next decision at every table, and make the updates that are due."""

    def scores(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the scores [n, outputs] for inputs [n, inputs]; evaluations take the legal action with the greatest.

        Learners of action-input networks (`Game.action_encodings`) have none: evaluations use their network policy.
        """
        raise NotImplementedError(f"{self.name} has no scores for positions alone")

    def metrics(self) -> dict[str, float]:
        """Return metrics of the training by name: the number of updates, and the means since they were cleared.

        The names are always the same.
        """
        return {"updates": self.online.steps} | self.means.to_dict()

    @abstractmethod
    def network(self) -> Mlp:
        """Return the network that plays."""

    def inference_network(self, network: Trainable, reward: tuple[float, float]) -> Mlp:
        """Return a trainable network as agents and files use it.

        Args:
            network: The network.
            reward: Rewards of a lost and of a won round.

        Raises:
            InvalidInput: A weight is not finite.
        """
        game = self.games[0]
        metadata: dict[str, Any] = {"rules": game.rules.hash, "rules_name": game.rules.name}
        metadata |= {"reward": reward, "algorithm": self.name, "activations": network.activations}
        return network_of(network.inference_tensors(), self.encoding, game.name, **metadata)

    def anneal_learning_rate(self) -> None:
        """Set the learning rate for now: it falls linearly to 0 over the training."""
        learning_rate = self.settings.learning_rate * (1 - self.fraction_done)
        self.online.optimizer = replace(self.online.optimizer, learning_rate=learning_rate)

    @abstractmethod
    def state(self) -> Arrays:
        """Return the learner's whole state as plain arrays: not copies, so the next cycle changes them."""

    @abstractmethod
    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned. Raises `InvalidInput` if that does not fit."""
