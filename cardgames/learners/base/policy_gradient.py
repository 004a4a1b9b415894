"""The kernels of an actor and its critic: drawing actions, advantages, and the clipped loss's gradient."""

import math

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels import masks
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import uniform
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.learners.networks.losses import Floats

LOG_CHANCE, VALUE, REMARKS = 0, 1, 2
"""What is remembered beside a decision: the log probability of what was done, the critic's value."""
_LEAST = 1e-30
"""The smallest probability whose logarithm is taken."""


@njit
def softmax(outputs, mask, chances):
    """Write the softmax of the `outputs` of the actions in `mask` into `chances` (float64 [actions]), 0 for others."""
    top = -np.inf
    for action in range(len(chances)):
        if masks.contains(mask, action):
            top = max(top, np.float64(outputs[action]))
    total = 0.0
    for action in range(len(chances)):
        chances[action] = math.exp(outputs[action] - top) if masks.contains(mask, action) else 0.0
        total += chances[action]
    for action in range(len(chances)):
        chances[action] /= total


@njit
def draw_actions(outputs, legal, tables, remarks, actions):
    """Draw the action of each table from the softmax of its row of `outputs` (float32 [n, actions + 1]) over what is legal,
    and note its log probability and the last output, the critic's value, in `remarks`. Return whether that could be: outputs
    that are no numbers give no chances.
    """
    n = outputs.shape[1] - 1
    chances = np.empty(n)
    for i in range(len(actions)):
        softmax(outputs[i], legal[i], chances)
        part, found = uniform(tables[i]), -1
        for action in range(n):
            if chances[action] > 0.0:
                found = action
                part -= chances[action]
                if part < 0.0:
                    break
        if found < 0:
            return False
        actions[i] = found
        remarks[i, LOG_CHANCE], remarks[i, VALUE] = math.log(chances[found]), outputs[i, n]
    return True


@njit
def log_chances_of(outputs, legal, actions, out):
    """Write the log probability of each action, by the softmax of its row of `outputs` over what is legal, into `out`."""
    chances = np.empty(outputs.shape[1] - 1)
    for i in range(len(actions)):
        softmax(outputs[i], legal[i], chances)
        out[i] = math.log(max(chances[actions[i]], _LEAST))


@njit
def _advantages(rows, rewards, last, values, discount, trace, scale, gains, targets):
    following = gain = 0.0
    for i in range(len(rows) - 1, -1, -1):
        row = rows[i]
        if last[row]:
            following = gain = 0.0
        gain = scale * rewards[row] + discount * following - values[row] + discount * trace * gain
        following = values[row]
        gains[i], targets[i] = gain, gain + values[row]


def advantages(
    memory: Replay, rows: NDArray[np.int64], discount: float, trace: float, scale: float
) -> tuple[Floats, Floats]:
    """Return how much better each decision turned out than the critic expected, and what it should have expected.

    Generalised advantage estimation (Schulman et al. 2016, equation 16); `rows` are the memory's in the order they were
    written and end with the end of a round; rewards are multiplied by `scale`.
    """
    gains, targets = np.empty(len(rows), np.float32), np.empty(len(rows), np.float32)
    values = memory.remarks[:, VALUE]
    _advantages(rows, memory.rewards, memory.last, values, float(discount), float(trace), float(scale), gains, targets)
    return gains, targets


@njit
def clipped(outputs, legal, actions, log_chances, gains, targets, weights, gradient):
    """Write the gradient of the loss into `gradient` (float32 [n, actions + 1]), like `outputs`; return the means of the
    critic's squared error, the policy's entropy and how many rows were clipped.

    The loss is the mean of -min(r A, clip(r, 1 - c, 1 + c) A) + v (V - target)^2 - e H (Schulman et al. 2017, equations 7
    and 9); `weights` are c, v, e.
    """
    clip, value_weight, entropy_weight = weights
    n, last = len(actions), outputs.shape[1] - 1
    chances = np.empty(last)
    errors = entropies = 0.0
    cut = 0
    for i in range(n):
        softmax(outputs[i], legal[i], chances)
        entropy = 0.0
        for action in range(last):
            if chances[action] > 0.0:
                entropy -= chances[action] * math.log(chances[action])
        ratio, gain = math.exp(math.log(max(chances[actions[i]], _LEAST)) - log_chances[i]), gains[i]
        outside = ratio > 1.0 + clip if gain > 0.0 else ratio < 1.0 - clip
        slope = 0.0 if outside else gain * ratio
        for action in range(last):
            chance = chances[action]
            change = slope * chance
            if chance > 0.0:
                change += entropy_weight * chance * (math.log(chance) + entropy)
            gradient[i, action] = change / n
        gradient[i, actions[i]] -= slope / n
        error = outputs[i, last] - targets[i]
        gradient[i, last] = 2.0 * value_weight * error / n
        errors += error * error
        entropies += entropy
        cut += outside
    return errors / n, entropies / n, cut / n
