"""`Policy`, a policy in the form that kernels take: an id for the verb `policy`, and an array of parameters."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.sparse_matmul import LANES, aligned
from cardgames.support.errors import InvalidInput

NO_WEIGHTS = np.zeros(0, np.float32)


class Policy(NamedTuple):
    """A policy of a game in the form that kernels take: an id and an array of parameters."""

    policy_id: np.int64
    """Id that selects the policy in the verbs `policy` and `likelihood`."""
    weights: NDArray[np.float32] = NO_WEIGHTS
    """Parameters of the policy, such as those of a network (float32 [n]); empty if it has none."""


def stack_policies(policies: Sequence[Policy]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the ids and the parameters of several policies as two arrays for kernels, one row for each policy.

    Returns:
        Policy ids [n] and weights [n, width]. Rows of weights are padded with zeros, and each begins at a cache line.
    """
    width = -(-max(len(policy.weights) for policy in policies) // LANES) * LANES
    weights = aligned(np.zeros(len(policies) * width, np.float32)).reshape(len(policies), width)
    for row, policy in zip(weights, policies, strict=True):
        row[: len(policy.weights)] = policy.weights
    return np.array([policy.policy_id for policy in policies], np.int64), weights


def fingerprint(policies: Sequence[Policy]) -> NDArray[np.uint8]:
    """Return a SHA-256 hash of the ids and parameters of policies in this order (uint8 [32])."""
    policy_ids, weights = stack_policies(policies)
    return np.frombuffer(hashlib.sha256(policy_ids.tobytes() + weights.tobytes()).digest(), np.uint8)


def check_fingerprint(policies: Sequence[Policy], saved: NDArray[np.generic]) -> None:
    """Raise `InvalidInput` if `saved`, a `fingerprint` stored when a run began, is not that of `policies` now.

    They differ if the weights file of a policy has changed since.
    """
    if not np.array_equal(fingerprint(policies), saved):
        raise InvalidInput("a policy that this run plays with or against has changed since the run began")
