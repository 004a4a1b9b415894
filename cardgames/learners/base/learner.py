"""Base class of learners: a learner plays rounds and updates its network cycle by cycle, and can be checkpointed."""

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
from cardgames.learners.networks.trainable import Trainable
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import network_of
from cardgames.support.errors import InvalidInput
from cardgames.support.state_dict import Arrays


def reward_range(game: Game, reward: str) -> tuple[float, float]:
    """Return the rewards (lost round, won round): the pay-off range of the game if `reward` is "pay-off", else (-1, 1)."""
    return game.payoff_range if reward == PAY_OFF else (-1.0, 1.0)


def _encoding_and_symmetries(game: Game, settings: Settings) -> tuple[str, Symmetries | None]:
    """Return the encoding of the network's inputs, and the symmetries of the game for data augmentation or None.

    With symmetry=canonical the encoding is the canonical form of that in the settings. Raises `InvalidInput` if the
    game has none.
    """
    if settings.symmetry == NONE:
        return settings.encoding, None
    symmetries = game.symmetries(settings.encoding)
    return (
        (settings.encoding, symmetries)
        if settings.symmetry == AUGMENT
        else (str(game.encoding(settings.encoding).canonical), None)
    )


class Learner(ABC):
    """Base class of learners, which play rounds of a game and update a network cycle by cycle.

    The outcome of the training depends only on the games, the settings and the seed, not on how its cycles are grouped
    or interrupted: after `state` and `load_state` a learner continues as if it had not stopped.
    """

    name: ClassVar[str]
    """Name of the agent that plays the learned network; for learners of this package also the name of the algorithm."""
    settings_class: ClassVar[type[Settings]] = Settings
    metric_names: ClassVar[tuple[str, ...]] = ()
    """Names of the metrics of the training whose running means are in `means`."""
    online: Trainable
    """Network whose weights the updates change."""

    def __init__(self, games: Sequence[Game], settings: Settings, seed: int, device: str = "auto"):
        """Check the games, and set up the encoding, the symmetries and the metrics.


        Args:
            games: The same game under the same rules, each with another number of players.
            settings: Hyperparameters, of the class `settings_class`.
            seed: Seed of all random numbers.
            device: One of `search.evaluators.DEVICES`.

        Raises:
            InvalidInput: The games differ in more than the number of players, or the settings do not fit the game.
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
        """Name of the encoding of the network's inputs; `symmetries` are those of the data augmentation, or None."""
        self.inputs = game.network_encoding(self.encoding).inputs
        self.outputs = game.num_distinct_actions
        self.means = RunningMeans(self.metric_names)
        """Running means of the metrics since the last evaluation, which clears them."""

    @classmethod
    def algorithm_name(cls) -> str:
        """Return the name for `algorithm_registry.algorithm`: `name`, or `module:class` outside this package."""
        is_internal = cls.__module__.partition(".")[0] == __name__.partition(".")[0]
        return cls.name if is_internal else f"{cls.__module__}:{cls.__qualname__}"

    @property
    @abstractmethod
    def rounds(self) -> int:
        """Number of rounds played so far."""

    @property
    @abstractmethod
    def decisions(self) -> int:
        """Number of decisions that the learner itself, not its opponents, took in the rounds played so far."""

    @property
    def finished(self) -> bool:
        """True once the training has reached the number of rounds or of decisions at which its settings end it."""
        settings = self.settings
        return self.rounds >= settings.rounds or 0 < settings.decisions <= self.decisions

    @property
    def has_updates(self) -> bool:
        """True once the network that agents and evaluations play by was updated at least once."""
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
        """Play every table (a round in progress) to the next decision of the learner, and make the updates that are due."""

    def scores(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return a score for each action ([n, outputs]) for encoded observations ([n, inputs]).

        Evaluations take the legal action with the greatest score. Learners of action-input networks
        (`Game.action_encodings`) have no scores and raise an error: evaluations play by their network policy instead.
        """
        raise NotImplementedError(f"{self.name} has no scores for positions alone")

    def metrics(self) -> dict[str, float]:
        """Return metrics of the training by name: the number of updates, and the means since the last evaluation.

        Every call returns the same names.
        """
        return {"updates": self.online.steps} | self.means.to_dict()

    @abstractmethod
    def network(self) -> Mlp:
        """Return the network that agents and evaluations play by, with its present weights."""

    def inference_network(self, network: Trainable, reward: tuple[float, float]) -> Mlp:
        """Convert a trainable network into the form that agents play by and files store.


        Args:
            network: Network to convert.
            reward: Rewards of a lost and of a won round.

        Raises:
            InvalidInput: A weight is not finite.
        """
        game = self.games[0]
        metadata: dict[str, Any] = {"rules": game.rules.hash, "rules_name": game.rules.name}
        metadata |= {"reward": reward, "algorithm": self.name, "activations": network.activations}
        return network_of(network.inference_tensors(), self.encoding, game.name, **metadata)

    def anneal_learning_rate(self) -> None:
        """Set the optimizer's present learning rate: it falls linearly from its setting to 0 over the training."""
        learning_rate = self.settings.learning_rate * (1 - self.fraction_done)
        self.online.optimizer = replace(self.online.optimizer, learning_rate=learning_rate)

    @abstractmethod
    def state(self) -> Arrays:
        """Return the learner's whole state as arrays by name, for a checkpoint.

        The arrays are not copies: the next cycle changes them.
        """

    @abstractmethod
    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the learner from the arrays that `state` returned. Raises `InvalidInput` if they do not fit."""
