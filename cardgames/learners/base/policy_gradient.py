"""The kernels of an actor and its critic: drawing actions, advantages, and the clipped loss's gradient."""

import math

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels import masks
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import uniform
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.learners.networks.losses import Floats

LOG_PROB, VALUE, REMARKS = 0, 1, 2
"""What is remembered beside a decision: the log probability of what was done, the critic's value."""
_MIN_PROBABILITY = 1e-30
"""The smallest probability whose logarithm is taken."""


@njit
def softmax(outputs, mask, probabilities):
    """Write the softmax of the `outputs` of the actions in `mask` into `probabilities` (float64 [actions]), 0 for others."""
    top = -np.inf
    for action in range(len(probabilities)):
        if masks.contains(mask, action):
            top = max(top, np.float64(outputs[action]))
    total = 0.0
    for action in range(len(probabilities)):
        probabilities[action] = math.exp(outputs[action] - top) if masks.contains(mask, action) else 0.0
        total += probabilities[action]
    for action in range(len(probabilities)):
        probabilities[action] /= total


@njit
def draw_actions(outputs, legal, tables, remarks, actions):
    """Draw the action of each table from the softmax of its row of `outputs` (float32 [n, actions + 1]) over what is legal,
    and note its log probability and the last output, the critic's value, in `remarks`. Return whether that could be: outputs
    that are no numbers give no chances.
    """
    n = outputs.shape[1] - 1
    probabilities = np.empty(n)
    for i in range(len(actions)):
        softmax(outputs[i], legal[i], probabilities)
        threshold, drawn = uniform(tables[i]), -1
        for action in range(n):
            if probabilities[action] > 0.0:
                drawn = action
                threshold -= probabilities[action]
                if threshold < 0.0:
                    break
        if drawn < 0:
            return False
        actions[i] = drawn
        remarks[i, LOG_PROB], remarks[i, VALUE] = math.log(probabilities[drawn]), outputs[i, n]
    return True


@njit
def write_log_probs(outputs, legal, actions, out):
    """Write the log probability of each action, by the softmax of its row of `outputs` over what is legal, into `out`."""
    probabilities = np.empty(outputs.shape[1] - 1)
    for i in range(len(actions)):
        softmax(outputs[i], legal[i], probabilities)
        out[i] = math.log(max(probabilities[actions[i]], _MIN_PROBABILITY))


@njit
def _estimate_advantages(rows, rewards, last, values, discount, gae_lambda, scale, advantages, targets):
    next_value = advantage = 0.0
    for i in range(len(rows) - 1, -1, -1):
        row = rows[i]
        if last[row]:
            next_value = advantage = 0.0
        advantage = scale * rewards[row] + discount * next_value - values[row] + discount * gae_lambda * advantage
        next_value = values[row]
        advantages[i], targets[i] = advantage, advantage + values[row]


def estimate_advantages(
    memory: Replay, rows: NDArray[np.int64], discount: float, gae_lambda: float, scale: float
) -> tuple[Floats, Floats]:
    """Return how much better each decision turned out than the critic expected, and what it should have expected.

    Generalised advantage estimation (Schulman et al. 2016, equation 16); `rows` are the memory's in the order they were
    written and end with the end of a round; rewards are multiplied by `scale`.
    """
    advantages, targets = np.empty(len(rows), np.float32), np.empty(len(rows), np.float32)
    values = memory.remarks[:, VALUE]
    _estimate_advantages(
        rows, memory.rewards, memory.last, values, float(discount), float(gae_lambda), float(scale), advantages, targets
    )
    return advantages, targets


@njit
def clipped_loss_gradient(outputs, legal, actions, log_probs, advantages, targets, weights, gradient):
    """Write the gradient of the loss into `gradient` (float32 [n, actions + 1]), like `outputs`; return the means of the
    critic's squared error, the policy's entropy and how many rows were clipped.

    The loss is the mean of -min(r A, clip(r, 1 - c, 1 + c) A) + v (V - target)^2 - e H (Schulman et al. 2017, equations 7
    and 9); `weights` are c, v, e.
    """
    clip, value_weight, entropy_weight = weights
    n, last = len(actions), outputs.shape[1] - 1
    probabilities = np.empty(last)
    errors = entropies = 0.0
    num_clipped = 0
    for i in range(n):
        softmax(outputs[i], legal[i], probabilities)
        entropy = 0.0
        for action in range(last):
            if probabilities[action] > 0.0:
                entropy -= probabilities[action] * math.log(probabilities[action])
        ratio, advantage = (
            math.exp(math.log(max(probabilities[actions[i]], _MIN_PROBABILITY)) - log_probs[i]),
            advantages[i],
        )
        is_clipped = ratio > 1.0 + clip if advantage > 0.0 else ratio < 1.0 - clip
        policy_slope = 0.0 if is_clipped else advantage * ratio
        for action in range(last):
            chance = probabilities[action]
            change = policy_slope * chance
            if chance > 0.0:
                change += entropy_weight * chance * (math.log(chance) + entropy)
            gradient[i, action] = change / n
        gradient[i, actions[i]] -= policy_slope / n
        error = outputs[i, last] - targets[i]
        gradient[i, last] = 2.0 * value_weight * error / n
        errors += error * error
        entropies += entropy
        num_clipped += is_clipped
    return errors / n, entropies / n, num_clipped / n
