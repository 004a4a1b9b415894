"""CANDQN (paper 002, section 5.3): DQN with separate input branches for color and number of the top card.

Branch x_c has D_c units on the hand and the color of the top card, branch x_n has D_n units on the hand and its number.
DQN's network follows, on both branches and the top card itself. This equals a plain perceptron on all 240 inputs with
tied weights in its first layer: a unit of x_c has one weight for the 15 cards of a color, a unit of x_n one for the 4
cards of a number, and 60 further units copy the top card (ReLU leaves it unchanged). It is trained, saved and played so.
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
"""Layout of the encoding 4x4x15 (section 3.1): three planes of the hand, then one of the top card, with a row per color."""


@dataclass(frozen=True)
class CandqnSettings(DqnSettings):
    """Hyperparameters of CANDQN in paper 002, section 5.3.

    D_c = 128 and D_n = 256 are the best of section 6.2. (The best of table 5, and the defaults of the paper's code, are
    256 and 128.) The text gives no sizes or rates: the layers 512-512 after the branches and an evaluation every 2,000
    rounds are from its code, the rest from RLCard. The paper used the rules `rlcard-2022`.
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {"002": {}}

    hidden: tuple[int, ...] = default(DqnSettings, "hidden", (512, 512))
    encoding: str = setting("4x4x15", "always 4x4x15: input of the network", choices=("4x4x15",))
    evaluate_every: int = default(DqnSettings, "evaluate_every", 2_000)
    color_units: int = setting(128, "D_c, units on the hand and the top card's color", 1, 65536)
    number_units: int = setting(256, "D_n, units on the hand and the top card's number", 1, 65536)


@dataclass(frozen=True)
class Branches:
    """Weight tying of CANDQN's first layer (`networks.trainable.WeightTying`): color units, number units, top card.

    The paper does not say how the color alone is encoded. Its code sets all 15 cards of the color, each with its own
    weight; here one weight stands for their sum. It is initialized as that sum would be (smaller with `network=rlcard`,
    as Xavier's bounds depend on the outputs of the whole layer), and can take the same values. But Adam moves one
    weight here more slowly than the 15 equal ones of the paper's code.
    """

    color_units: int
    number_units: int

    @property
    def units(self) -> int:
        """Number of units of the first layer: color units, number units, and one copy of each input of the top card."""
        return self.color_units + self.number_units + _CARDS

    def initialize(self, first: Layer) -> None:
        """Tie the random weights of the first layer, and make its last units copy the inputs of the top card."""
        self.tie_gradient(first)
        weights, _ = first
        weights[-_CARDS:, _HAND:] = np.eye(_CARDS)

    def tie_gradient(self, gradient: Layer) -> None:
        """Sum the gradient over the cards of each color and of each number, and set it to 0 for units copying the top card.

        The weights are [..., units, inputs], the biases [..., units].
        """
        weights, biases = gradient
        top = weights.swapaxes(-1, -2)[..., _HAND:, :].reshape(*weights.shape[:-2], _COLORS, _NUMBERS, -1)
        colors, numbers = top[..., : self.color_units], top[..., self.color_units : -_CARDS]
        colors[:] = colors.sum(axis=-2, keepdims=True)
        numbers[:] = numbers.sum(axis=-3, keepdims=True)
        weights[..., -_CARDS:, :], biases[..., -_CARDS:] = 0, 0


class Candqn(Dqn):
    """DQN learner with two branches before the hidden layers (figure 3).

    "The following stages are the same as the baseline." Each branch is one layer with ReLU, as in the paper's code. The
    layers after them are plain with ReLU; `network=rlcard` gives them batch normalization and tanh, as in that code.
    """

    name = "candqn"
    settings_class: ClassVar[type[CandqnSettings]] = CandqnSettings
    settings: CandqnSettings

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of inputs, units of the layer of branches and of each hidden layer, and outputs."""
        inputs, *layers = super().sizes
        return (inputs, self.weight_tying.units, *layers)

    @property
    def weight_tying(self) -> Branches:
        """Weight tying that splits the first layer into the branches for color and number."""
        return Branches(self.settings.color_units, self.settings.number_units)
