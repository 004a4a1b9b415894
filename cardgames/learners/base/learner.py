"""What every learner is, and what a run asks of it."""

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
    """Return what a lost and a won round pay a learner."""
    return game.payoff_range if reward == PAY_OFF else (-1.0, 1.0)


def _encoding_and_symmetries(game: Game, settings: Settings) -> tuple[str, Symmetries | None]:
    """Return the encoding and the symmetries that the settings ask for. Raises `InvalidInput` where there are none."""
    if settings.symmetry == NONE:
        return settings.encoding, None
    symmetries = game.symmetries(settings.encoding)
    return (
        (settings.encoding, symmetries)
        if settings.symmetry == AUGMENT
        else (str(game.encoding(settings.encoding).canonical), None)
    )


class Learner(ABC):
    """A learner is a function of its games, settings and seed: it is the same however its cycles are grouped, and
    after `state` and `load_state` it goes on as if nothing had been.
    """

    name: ClassVar[str]
    """Of the agent that plays what it learned, and, of those that come with the package, of the algorithm."""
    settings_class: ClassVar[type[Settings]] = Settings
    metric_names: ClassVar[tuple[str, ...]] = ()
    """What `means` are of."""
    online: Trainable
    """The network that learns."""

    def __init__(self, games: Sequence[Game], settings: Settings, seed: int, device: str = "auto"):
        """`games` differ in nothing but their number of players; `device` is one of `networks.DEVICES`. Raises
        `InvalidInput`.
        """
        game = games[0]
        if any((other.name, other.rules) != (game.name, game.rules) for other in games):
            raise InvalidInput("a learner's games differ in nothing but their number of players")
        if len({other.num_players for other in games}) < len(games):
            raise InvalidInput("a learner's games differ in their number of players")
        if len(games) > 1 and game.action_encodings:
            raise InvalidInput(f"{self.name} learns for one number of players at a time")
        game.network_encoding(settings.encoding)  # an unknown one is refused by that name
        self.games, self.settings, self.seed = tuple(games), settings, seed
        self._device = device  # as asked; what `auto` came to is `online.device`
        self.encoding, self.symmetries = _encoding_and_symmetries(game, settings)
        """What the network sees; under which symmetries batches are to be seen, if so."""
        self.inputs = game.network_encoding(self.encoding).inputs
        self.outputs = game.num_distinct_actions
        self.means = RunningMeans(self.metric_names)
        """What `metrics` tells of the cycles since they were cleared."""

    @classmethod
    def algorithm_name(cls) -> str:
        """Return by what name `algorithms.algorithm` finds it: its own, or `module:class` outside this package."""
        own = cls.__module__.partition(".")[0] == __name__.partition(".")[0]
        return cls.name if own else f"{cls.__module__}:{cls.__qualname__}"

    @property
    @abstractmethod
    def rounds(self) -> int:
        """How many rounds were played."""

    @property
    @abstractmethod
    def decisions(self) -> int:
        """How many decisions the learner took in them."""

    @property
    def finished(self) -> bool:
        """Whether all rounds, or all decisions, were played that the settings ask for."""
        settings = self.settings
        return self.rounds >= settings.rounds or 0 < settings.decisions <= self.decisions

    @property
    def has_updates(self) -> bool:
        """Whether there was an update of what it plays by."""
        return self.online.steps > 0

    @property
    def fraction_done(self) -> float:
        """How much of the training is done, in [0, 1]."""
        fraction_done = self.rounds / self.settings.rounds
        if self.settings.decisions:
            fraction_done = max(fraction_done, self.decisions / self.settings.decisions)
        return min(1.0, fraction_done)

    @abstractmethod
    def cycle(self) -> None:
        """Play on to the next decision at every table, and learn what is due."""

    def scores(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return what the learner's player takes the greatest legal one of ([n, outputs]) for inputs [n, inputs].

        Not of learners whose networks are shown choices (`Game.action_encodings`): a policy plays by these.
        """
        raise NotImplementedError(f"{self.name} is shown no positions")

    def metrics(self) -> dict[str, float]:
        """Return what there is to say of the training: name -> number, always the same names.

        The number of updates so far, and the means since they were cleared.
        """
        return {"updates": self.online.steps} | self.means.to_dict()

    @abstractmethod
    def network(self) -> Mlp:
        """Return the network that plays what was learned."""

    def inference_network(self, network: Trainable, reward: tuple[float, float]) -> Mlp:
        """Return a network as agents and files have it; `reward`: what losing and winning paid. Raises `InvalidInput` if its
        weights have come to be no numbers.
        """
        game = self.games[0]
        about: dict[str, Any] = {"rules": game.rules.hash, "rules_name": game.rules.name}
        about |= {"reward": reward, "algorithm": self.name, "activations": network.activations}
        return network_of(network.inference_tensors(), self.encoding, game.name, **about)

    def anneal_learning_rate(self) -> None:
        """Let the learning rate fall evenly to 0 over the training: set it to what it is to be now."""
        learning_rate = self.settings.learning_rate * (1 - self.fraction_done)
        self.online.optimizer = replace(self.online.optimizer, learning_rate=learning_rate)

    @abstractmethod
    def state(self) -> Arrays:
        """Return everything the learner goes on from as plain arrays: its own, which the next cycle changes."""

    @abstractmethod
    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned. Raises `InvalidInput` if that does not fit."""
