"""Tests of losses and their gradients against torch."""

import numpy as np
import pytest

from cardgames.learners.networks import losses
from cardgames.support.errors import InvalidInput

torch = pytest.importorskip("torch")
F = torch.nn.functional

RANDOM = np.random.default_rng(0)
OUTPUTS = RANDOM.normal(0, 2, (9, 5)).astype(np.float32)
TARGETS = RANDOM.random((9, 5)).astype(np.float32)
ACTIONS = RANDOM.integers(5, size=9)
WEIGHTS = RANDOM.random(9).astype(np.float32)
THEIRS = {"mse": F.mse_loss, "huber": F.smooth_l1_loss, "bce": F.binary_cross_entropy_with_logits}


def by_torch(loss) -> tuple[np.ndarray, np.ndarray]:
    """Return the losses of the rows, and the gradient of their mean, by torch; `loss` maps outputs to these losses."""
    outputs = torch.tensor(OUTPUTS, requires_grad=True)
    rows = loss(outputs)
    rows.mean().backward()
    return rows.detach().numpy(), outputs.grad.numpy()


@pytest.mark.parametrize("weights", [1.0, WEIGHTS])
@pytest.mark.parametrize("loss", ["mse", "huber"])
def test_action_loss_equals_torch(loss: str, weights: np.ndarray | float) -> None:
    errors, gradient = losses.action_loss(OUTPUTS, ACTIONS, TARGETS[:, 0], weights, loss)
    factor = torch.tensor(weights)
    _, expected = by_torch(
        lambda outputs: factor * THEIRS[loss](outputs[range(9), ACTIONS], torch.tensor(TARGETS[:, 0]), reduction="none")
    )
    np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(errors, OUTPUTS[range(9), ACTIONS] - TARGETS[:, 0])
    assert errors.dtype == gradient.dtype == np.float32


@pytest.mark.parametrize("weights", [0.2, TARGETS > 0.5])
@pytest.mark.parametrize("loss", losses.LOSSES)
def test_output_loss_equals_torch(loss: str, weights: float | np.ndarray) -> None:
    result = losses.output_loss(OUTPUTS, TARGETS, weights, loss)
    factor = torch.tensor(weights)
    expected = by_torch(
        lambda outputs: (factor * THEIRS[loss](outputs, torch.tensor(TARGETS), reduction="none")).sum(1)
    )
    for ours, theirs in zip(result, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-7)
        assert ours.dtype == np.float32


@pytest.mark.parametrize("masked", [False, True])
def test_cross_entropy_over_legal_actions_equals_torch(masked: bool) -> None:
    legal = RANDOM.random((9, 5)) < (0.5 if masked else 2)
    legal[range(9), ACTIONS] = True
    result = losses.cross_entropy(OUTPUTS, np.eye(5, dtype=np.float32)[ACTIONS], legal)

    def rows(outputs):
        logits = outputs.masked_fill(~torch.tensor(legal), -torch.inf)
        return F.cross_entropy(logits, torch.tensor(ACTIONS), reduction="none")

    for ours, theirs in zip(result, by_torch(rows), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-7)
        assert ours.dtype == np.float32
    assert not result[1][~legal].any()


def test_cross_entropy_with_target_distribution_equals_torch() -> None:
    targets = TARGETS / TARGETS.sum(axis=1, keepdims=True)
    result = losses.cross_entropy(OUTPUTS, targets)
    expected = by_torch(lambda outputs: F.cross_entropy(outputs, torch.tensor(targets), reduction="none"))
    for ours, theirs in zip(result, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-7)


def test_losses_of_huge_outputs_are_finite() -> None:
    huge = np.array([[3e4, -3e4]], np.float32)
    targets = np.array([[0, 1]], np.float32)
    for result in (losses.output_loss(huge, targets, 1.0, "bce"), losses.cross_entropy(huge, targets)):
        assert all(np.isfinite(part).all() for part in result)


def test_unknown_loss_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"unknown loss 'l3': choose from mse, huber, bce"):
        losses.action_loss(OUTPUTS, ACTIONS, TARGETS[:, 0], loss="l3")
