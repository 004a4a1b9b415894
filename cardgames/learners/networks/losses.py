"""Losses and their gradients with respect to a network's outputs, for `Trainable.step`.

Each loss function returns one number per row ([n] float32, for logs and priorities) and the gradient of the loss
([n, outputs] float32). The loss is the mean over the rows. To train on a sum of losses, add their gradients.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.support.errors import unknown_name

Floats = NDArray[np.float32]
LossAndGradient = tuple[Floats, Floats]

LOSSES = ("mse", "huber", "bce")
"""Names of losses: squared error; Huber loss (half the squared error, linear beyond 1); binary cross-entropy of a logit."""


def action_loss(
    outputs: Floats, actions: NDArray[Any], targets: Floats, weights: Floats | float = 1.0, loss: str = "mse"
) -> LossAndGradient:
    """Return errors and the loss gradient where one output of each row (the Q of the action taken) has a target.


    Args:
        outputs: Outputs ([n, outputs]).
        actions: Index of the output per row ([n] int).
        targets: Targets ([n]).
        weights: Weight of the loss of each row ([n]), or one weight for all rows.
        loss: One of `LOSSES`.

    Returns:
        Outputs minus targets ([n], also for prioritized replay), and the gradient with respect to `outputs` ([n, outputs]).
    """
    rows = np.arange(len(outputs))
    values = outputs[rows, actions]
    derivatives = _derivatives(values, targets, loss)
    gradient = np.zeros_like(outputs)
    gradient[rows, actions] = derivatives * weights / len(outputs)
    return (values - targets).astype(np.float32, copy=False), gradient


def output_loss(outputs: Floats, targets: Floats, weights: Floats | float, loss: str = "mse") -> LossAndGradient:
    """Return losses and the loss gradient where every output of each row has a target.

    The loss of a row is the weighted sum of the losses of its outputs: weights of 1 / (number of outputs) make it a
    mean, a mask of 0 and 1 omits outputs.


    Args:
        outputs: Outputs ([n, outputs]).
        targets: Targets ([n, outputs]).
        weights: Weights, broadcast to [n, outputs].
        loss: One of `LOSSES`.

    Returns:
        The loss of each row ([n]), and the gradient ([n, outputs]).
    """
    losses = (_losses(outputs, targets, loss) * weights).sum(axis=1, dtype=np.float32)
    gradient = _derivatives(outputs, targets, loss) * weights / len(outputs)
    return losses, gradient.astype(np.float32, copy=False)


def cross_entropy(outputs: Floats, targets: Floats, legal: NDArray[Any] | None = None) -> LossAndGradient:
    """Return losses and gradient of the cross-entropy between target distributions and the softmax of the outputs.

    Args:
        outputs: Logits ([n, outputs]).
        targets: Target probabilities ([n, outputs]), 0 for illegal actions.
        legal: Legal actions ([n, outputs] bool); others get probability 0. None: all are legal.

    Returns:
        The loss of each row ([n]), and the gradient ([n, outputs]).
    """
    probabilities = softmax(outputs, legal)
    losses = -(targets * np.log(np.maximum(probabilities, np.finfo(np.float32).tiny))).sum(axis=1, dtype=np.float32)
    gradient = (probabilities * targets.sum(axis=1, keepdims=True) - targets) / len(outputs)
    return losses, gradient.astype(np.float32, copy=False)


def softmax(outputs: Floats, legal: NDArray[Any] | None = None) -> Floats:
    """Return the softmax of each row of `outputs` ([n, outputs]); actions that are not `legal` ([n, outputs] bool) get 0."""
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
