"""CANDQN, paper 002, section 5.3: DQN whose first layer looks at the colour and at the number of the top card apart.

x_c is a layer of D_c units on the hand and the colour of the top card, x_n one of D_n units on the hand and its number;
both, and the top card itself, are what the network of DQN begins with. That is an ordinary perceptron on all 240
inputs: units of x_c have one weight for the 15 cards of a colour, units of x_n one for the 4 cards of a number, and 60
more units pass the top card on, which ReLU leaves as it is. So that is how it is trained, saved and played.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cardgames.learners.algorithms.dqn import Dqn, DqnSettings
from cardgames.learners.base.settings import Value, default, setting
from cardgames.networks.mlp import Layer

_HAND, _COLORS, _NUMBERS = 180, 4, 15
_CARDS = _COLORS * _NUMBERS
"""The encoding 4x4x15 (section 3.1): three planes of the hand, then the top card's, a row a colour."""


@dataclass(frozen=True)
class CandqnSettings(DqnSettings):
    """Paper 002, section 5.3; D_c = 128 and D_n = 256 are best by section 6.2. (The best of table 5, and what its code
    has when nothing is said, are 256 and 128.)

    The text gives no sizes or rates: 512-512 behind the two branches and evaluations after every 2,000 rounds are its
    code's, the rest RLCard's. It played the rules `rlcard-2022`.
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {"002": {}}

    hidden: tuple[int, ...] = default(DqnSettings, "hidden", (512, 512))
    encoding: str = setting("4x4x15", "what the network sees", choices=("4x4x15",))
    evaluate_every: int = default(DqnSettings, "evaluate_every", 2_000)
    color_units: int = setting(128, "D_c, units that see the hand and the top card's colour", 1, 65536)
    number_units: int = setting(256, "D_n, units that see the hand and the top card's number", 1, 65536)


@dataclass(frozen=True)
class Branches:
    """How the first layer is bound (`networks.WeightTying`): colour units, then number units, then the top card.

    The text does not say how the colour alone is written. The paper's code sets all 15 cards of it, each with a weight
    of its own; their sum is the one weight here. It begins as that sum would (on RLCard's network smaller: Xavier's bounds
    go by the outputs of the whole layer) and can become what that can, but Adam, which moved 15 equal weights at once
    there, moves it more slowly.
    """

    color_units: int
    number_units: int

    @property
    def units(self) -> int:
        """All units of the layer."""
        return self.color_units + self.number_units + _CARDS

    def initialize(self, first: Layer) -> None:
        """Tie the weights drawn, and have the last units pass the top card on."""
        self.tie_gradient(first)
        weights, _ = first
        weights[-_CARDS:, _HAND:] = np.eye(_CARDS)

    def tie_gradient(self, gradient: Layer) -> None:
        """Sum over the cards of each colour and of each number; leave the last units as they are. The weights are [...,
        units, inputs], the biases [..., units].
        """
        weights, biases = gradient
        top = weights.swapaxes(-1, -2)[..., _HAND:, :].reshape(*weights.shape[:-2], _COLORS, _NUMBERS, -1)
        colors, numbers = top[..., : self.color_units], top[..., self.color_units : -_CARDS]
        colors[:] = colors.sum(axis=-2, keepdims=True)
        numbers[:] = numbers.sum(axis=-3, keepdims=True)
        weights[..., -_CARDS:, :], biases[..., -_CARDS:] = 0, 0


class Candqn(Dqn):
    """DQN with two branches before its hidden layers (figure 3): "the following stages are the same as the baseline".

    Each branch is one layer with ReLU, as in the paper's code. The stages after them have plain layers with ReLU unless
    `network=rlcard` asks for what that code has: normalised batches and tanh.
    """

    name = "candqn"
    settings_class: ClassVar[type[CandqnSettings]] = CandqnSettings
    settings: CandqnSettings

    @property
    def sizes(self) -> tuple[int, ...]:
        """As DQN's, with the branches' units before the hidden layers."""
        inputs, *after = super().sizes
        return (inputs, self.weight_tying.units, *after)

    @property
    def weight_tying(self) -> Branches:
        """The branches."""
        return Branches(self.settings.color_units, self.settings.number_units)
