"""Policies as kernels take them: a number for the verb `policy`, and parameters."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.sparse_matmul import LANES, aligned
from cardgames.support.errors import InvalidInput

NO_WEIGHTS = np.zeros(0, np.float32)


class Policy(NamedTuple):
    """One of a game's policies."""

    policy_id: np.int64
    """Its number for the verb `policy`."""
    weights: NDArray[np.float32] = NO_WEIGHTS
    """[n] its parameters."""


def stack_policies(policies: Sequence[Policy]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the policies' numbers [n] and their weights [n, most], zeros behind those of fewer; each row begins at a
    cache line.
    """
    width = -(-max(len(policy.weights) for policy in policies) // LANES) * LANES
    weights = aligned(np.zeros(len(policies) * width, np.float32)).reshape(len(policies), width)
    for row, policy in zip(weights, policies, strict=True):
        row[: len(policy.weights)] = policy.weights
    return np.array([policy.policy_id for policy in policies], np.int64), weights


def fingerprint(policies: Sequence[Policy]) -> NDArray[np.uint8]:
    """Return 32 bytes that tell these policies, in this order, from any others."""
    policy_ids, weights = stack_policies(policies)
    return np.frombuffer(hashlib.sha256(policy_ids.tobytes() + weights.tobytes()).digest(), np.uint8)


def check_fingerprint(policies: Sequence[Policy], saved: NDArray[np.generic]) -> None:
    """Raise `InvalidInput` unless `saved` is the fingerprint of `policies`: a file that one was read from was rewritten."""
    if not np.array_equal(fingerprint(policies), saved):
        raise InvalidInput("a policy that it plays with or against is not what it was when the run began")
