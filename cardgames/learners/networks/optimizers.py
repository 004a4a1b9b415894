"""Hyperparameters of the optimizers Adam, RMSprop and SGD, which follow torch's formulas."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from cardgames.support.errors import InvalidInput


@dataclass(frozen=True)
class Optimizer:
    """Hyperparameters common to all optimizers; use one of the subclasses `Adam`, `RmsProp` and `Sgd`."""

    moments: ClassVar[tuple[str, ...]] = ()
    """Names of the running averages stored for each weight: `mean` of the gradient, `square` of the squared gradient."""

    learning_rate: float = 1e-3
    """Factor of the size of each step, at least 0 and finite."""
    max_norm: float = inf
    """Greatest norm of the gradient over all weights; a longer one is scaled down to it."""

    def __post_init__(self) -> None:
        if not 0 <= self.learning_rate < inf:
            raise InvalidInput(f"a learning rate is at least 0 and finite, not {self.learning_rate}")
        if not self.max_norm > 0:
            raise InvalidInput(f"max_norm is above 0, not {self.max_norm}")


@dataclass(frozen=True)
class Adam(Optimizer):
    """Adam (Kingma and Ba 2015, algorithm 1): divides the running mean of the gradient by the root of its mean square."""

    moments = ("mean", "square")
    betas: ClassVar[tuple[float, float]] = (0.9, 0.999)
    """Decay per step of the running mean of the gradient, and of that of the squared gradient."""
    epsilon: ClassVar[float] = 1e-8


@dataclass(frozen=True)
class RmsProp(Optimizer):
    """RMSprop (Hinton 2012, lecture 6e): divides the gradient by the root of its running mean square."""

    moments = ("square",)
    decay: ClassVar[float] = 0.99
    """Decay per step of the running mean of the squared gradient."""
    epsilon: ClassVar[float] = 1e-5
    """Constant added to the root to avoid division by 0, as large as in RLCard's DMC."""


@dataclass(frozen=True)
class Sgd(Optimizer):
    """Stochastic gradient descent without momentum."""


OPTIMIZERS: Mapping[str, type[Optimizer]] = {"adam": Adam, "rmsprop": RmsProp, "sgd": Sgd}
"""Name of an optimizer in settings -> its class."""
