"""How a network's weights follow their gradient: Adam, RMSprop and plain descent, with torch's formulas."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from cardgames.support.errors import InvalidInput


@dataclass(frozen=True)
class Optimizer:
    """What all ways of following a gradient share; use `Adam`, `RmsProp` or `Sgd`."""

    moments: ClassVar[tuple[str, ...]] = ()
    """What is kept from step to step, one number a weight: `mean` and `square`, of the gradient."""

    learning_rate: float = 1e-3
    """The learning rate."""
    max_norm: float = inf
    """A gradient that is longer, over all weights, is scaled down to this length."""

    def __post_init__(self) -> None:
        if not 0 <= self.learning_rate < inf:
            raise InvalidInput(f"a learning rate is at least 0 and finite, not {self.learning_rate}")
        if not self.max_norm > 0:
            raise InvalidInput(f"max_norm is above 0, not {self.max_norm}")


@dataclass(frozen=True)
class Adam(Optimizer):
    """Adam (Kingma, Ba 2015, algorithm 1): each weight by its mean gradient over the root of its mean square."""

    moments = ("mean", "square")
    betas: ClassVar[tuple[float, float]] = (0.9, 0.999)
    """How much of the mean, and of the mean square, is kept at each step."""
    epsilon: ClassVar[float] = 1e-8


@dataclass(frozen=True)
class RmsProp(Optimizer):
    """RMSprop (Hinton 2012, lecture 6e): each weight by its gradient over the root of its mean square."""

    moments = ("square",)
    decay: ClassVar[float] = 0.99
    """How much of the mean square is kept at each step."""
    epsilon: ClassVar[float] = 1e-5
    """As in RLCard's DMC."""


@dataclass(frozen=True)
class Sgd(Optimizer):
    """Each weight by its gradient."""


OPTIMIZERS: Mapping[str, type[Optimizer]] = {"adam": Adam, "rmsprop": RmsProp, "sgd": Sgd}
"""By the names that settings have for them."""
