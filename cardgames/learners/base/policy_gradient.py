"""Kernels of proximal policy optimization: sampled actions, generalized advantages, gradient of the clipped loss."""

import math

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels import masks
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import uniform
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.learners.networks.losses import Floats

LOG_PROB, VALUE, REMARKS = 0, 1, 2
"""Columns of a replay memory's `remarks` (extra values of a decision), and their number.

They are the log probability of the action taken, and the value of the state by the critic.
"""
_MIN_PROBABILITY = 1e-30
"""Lower bound of a probability before its logarithm is taken."""


@njit
def softmax(outputs, mask, probabilities):
    """Write the softmax of `outputs` over the actions in `mask` into `probabilities` ([actions] float64), 0 elsewhere."""
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
    """Sample an action at each table from the softmax of the network outputs over the legal actions.


    Args:
        outputs: Logits, then the critic's value ([n, actions + 1] float32).
        legal: Bit masks of the legal actions ([n, words] uint64, `kernels.masks`).
        tables: Records of the tables, which hold random streams ([n]).
        remarks: Receives the log probability of the action taken, and the critic's value ([n, REMARKS]).
        actions: Receives the actions ([n]).

    Returns:
        False if outputs are not finite, so that no action could be sampled.
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
    """Write into `out` the log probabilities of `actions` under the softmax of `outputs` over the legal actions ([n])."""
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
    """Return the advantage of each decision, and the critic's target for its state ([n] float32 each).

    The method is generalized advantage estimation (Schulman et al. 2016, equation 16).

    Args:
        memory: Decisions with the critic's values in their remarks.
        rows: Rows of the memory, in the order they were written; the last row must end a round.
        discount: Discount per decision.
        gae_lambda: Lambda of that paper, the decay of the trace.
        scale: Factor by which all rewards are multiplied.
    """
    advantages, targets = np.empty(len(rows), np.float32), np.empty(len(rows), np.float32)
    values = memory.remarks[:, VALUE]
    _estimate_advantages(
        rows, memory.rewards, memory.last, values, float(discount), float(gae_lambda), float(scale), advantages, targets
    )
    return advantages, targets


@njit
def clipped_loss_gradient(outputs, legal, actions, log_probs, advantages, targets, weights, gradient):
    """Write the gradient of PPO's clipped loss; return the mean squared critic error, mean entropy and clipped fraction.

    The loss is the mean of -min(r A, clip(r, 1 - c, 1 + c) A) + v (V - target)^2 - e H (Schulman et al. 2017, equations
    7 and 9), with r the ratio of the new to the old probability of the action, A its advantage, V the critic's value, H
    the entropy.


    Args:
        outputs: Logits, then the critic's value ([n, actions + 1] float32).
        legal: Bit masks of the legal actions ([n, words] uint64).
        actions: Actions taken ([n]).
        log_probs: Log probabilities of `actions` under the policy that took them ([n]).
        advantages: A of each action ([n]).
        targets: Targets of the critic ([n]).
        weights: c (clipping range), v (weight of the critic's error) and e (weight of the entropy).
        gradient: Receives the gradient with respect to `outputs` ([n, actions + 1] float32).
    """
    clip, value_weight, entropy_weight = weights
    n, num_actions = len(actions), outputs.shape[1] - 1
    probabilities = np.empty(num_actions)
    errors = entropies = 0.0
    num_clipped = 0
    for i in range(n):
        softmax(outputs[i], legal[i], probabilities)
        entropy = 0.0
        for action in range(num_actions):
            if probabilities[action] > 0.0:
                entropy -= probabilities[action] * math.log(probabilities[action])
        ratio, advantage = (
            math.exp(math.log(max(probabilities[actions[i]], _MIN_PROBABILITY)) - log_probs[i]),
            advantages[i],
        )
        is_clipped = ratio > 1.0 + clip if advantage > 0.0 else ratio < 1.0 - clip
        policy_slope = 0.0 if is_clipped else advantage * ratio
        for action in range(num_actions):
            probability = probabilities[action]
            change = policy_slope * probability
            if probability > 0.0:
                change += entropy_weight * probability * (math.log(probability) + entropy)
            gradient[i, action] = change / n
        gradient[i, actions[i]] -= policy_slope / n
        error = outputs[i, num_actions] - targets[i]
        gradient[i, num_actions] = 2.0 * value_weight * error / n
        errors += error * error
        entropies += entropy
        num_clipped += is_clipped
    return errors / n, entropies / n, num_clipped / n
