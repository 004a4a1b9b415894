"""How losses change with a network's outputs: what `Trainable.step` takes.

Every function returns one number a row (float32 [n], for logs and priorities) and the gradient of the loss (float32
[n, outputs]). The loss is the mean over rows; gradients of a sum of losses are added.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.support.errors import unknown_name

Floats = NDArray[np.float32]
LossAndGradient = tuple[Floats, Floats]

LOSSES = ("mse", "huber", "bce")
"""The square of the error; half of it, but linear beyond an error of 1; binary cross-entropy of a logit."""


def action_loss(
    outputs: Floats, actions: NDArray[Any], targets: Floats, weights: Floats | float = 1.0, loss: str = "mse"
) -> LossAndGradient:
    """Return errors and gradient where each row's output of one action (int [n]) is to become its target (float [n]).

    The errors are outputs minus targets, for prioritised replay; `weights` (float [n]) count some rows more.
    """
    rows = np.arange(len(outputs))
    values = outputs[rows, actions]
    derivatives = _derivatives(values, targets, loss)
    gradient = np.zeros_like(outputs)
    gradient[rows, actions] = derivatives * weights / len(outputs)
    return (values - targets).astype(np.float32, copy=False), gradient


def output_loss(outputs: Floats, targets: Floats, weights: Floats | float, loss: str = "mse") -> LossAndGradient:
    """Return losses and gradient where all outputs are to become `targets` ([n, outputs]).

    A row's loss is the sum over its outputs, each counted by its weight (`weights` broadcasts to [n, outputs]): 1 /
    outputs makes it a mean, a mask leaves some out.
    """
    losses = (_losses(outputs, targets, loss) * weights).sum(axis=1, dtype=np.float32)
    gradient = _derivatives(outputs, targets, loss) * weights / len(outputs)
    return losses, gradient.astype(np.float32, copy=False)


def cross_entropy(outputs: Floats, targets: Floats, legal: NDArray[Any] | None = None) -> LossAndGradient:
    """Return losses and gradient where the softmax of the outputs is to become the distribution `targets` [n, outputs].

    `legal` (bool [n, outputs]) leaves other actions without probability; their targets are 0.
    """
    probabilities = softmax(outputs, legal)
    losses = -(targets * np.log(np.maximum(probabilities, np.finfo(np.float32).tiny))).sum(axis=1, dtype=np.float32)
    gradient = (probabilities * targets.sum(axis=1, keepdims=True) - targets) / len(outputs)
    return losses, gradient.astype(np.float32, copy=False)


def softmax(outputs: Floats, legal: NDArray[Any] | None = None) -> Floats:
    """Return the probabilities [n, outputs] in proportion to exp(outputs), 0 for what is not `legal` (bool [n, outputs])."""
    logits = outputs if legal is None else np.where(legal, outputs, np.float32(-np.inf))
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: Floats = exponentials / exponentials.sum(axis=1, keepdims=True)
    return probabilities


def sigmoid(logits: Floats) -> Floats:
    """Return 1 / (1 + exp(-logits)), without overflow."""
    probabilities: Floats = np.exp(-np.logaddexp(np.float32(0), -logits))
    return probabilities


def _losses(outputs: Floats, targets: Floats, loss: str) -> Any:
    errors = outputs - targets
    match loss:
        case "mse":
            return errors**2
        case "huber":
            size = np.abs(errors)
            return np.where(size <= 1, errors**2 / 2, size - 0.5)
        case "bce":
            return np.logaddexp(0, outputs) - targets * outputs
    raise unknown_name("loss", loss, LOSSES)


def _derivatives(outputs: Floats, targets: Floats, loss: str) -> Any:
    match loss:
        case "mse":
            return 2 * (outputs - targets)
        case "huber":
            return np.clip(outputs - targets, -1, 1)
        case "bce":
            return sigmoid(outputs) - targets
    raise unknown_name("loss", loss, LOSSES)
