"""REINFORCE in self-play for Uno's linear policy (Williams 1992; the baseline is the chance of winning, 1 / players).

All seats share the weights. After each batch of rounds the weights follow the mean over rounds of
(won - 1 / players) * (features of the action taken - expected features), summed over all decisions with several actions.
Steps are Adam's (Kingma and Ba 2015; the mean square decays ten times as fast), and the learning rate falls linearly to 0.
The result is the mean of the weights over the second half of the steps (Polyak and Juditsky 1992).
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.kernels import rng
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import new_record
from cardgames.kernels.rng import mix
from cardgames.uno.legal import card_actions, closing_action, is_card_decision
from cardgames.uno.policies import linear_policy
from cardgames.uno.policies.rule_policies import LINEAR

_INITIAL_DRAW_WEIGHT = -3.0
_BETAS = 0.9, 0.99
"""Decay per step of the running mean of the gradient, and of that of the squared gradient."""
_LEARNING_RATE = 0.2
"""Learning rate of the first step, from which it falls linearly to 0."""
BATCHES = 400
"""Number of steps of a training, each after a batch of rounds."""
ROUNDS = 1_600_000
"""Default number of rounds of a training."""


@njit
def _add_features(state, seen, action, scale, out):
    """Add `scale` times the features of an action to the segment of `out` ([NUM_WEIGHTS] float64) for the action's type."""
    i = linear_policy.action_type(action) * len(linear_policy.FEATURES)
    for value in linear_policy.action_features(state, seen, action):
        out[i] += scale * value
        i += 1


@njit
def _add_gradient(state, legal, n, action, weights, scores, out):
    """Add the gradient of the log probability of `action`, among the `n` in `legal`, to `out` ([NUM_WEIGHTS])."""
    seen = linear_policy.visible_color_counts(state)
    total = 0.0
    for i in range(n):
        scores[i] = math.exp(linear_policy.score(state, seen, np.int64(legal[i]), weights))
        total += scores[i]
    for i in range(n):
        probability = scores[i] / total
        _add_features(state, seen, np.int64(legal[i]), (1.0 if legal[i] == action else 0.0) - probability, out)


@njit
def _list_choices(rules, state, legal):
    """Write the actions that the linear policy chooses among into `legal`, and return their number.

    They are the legal card plays and draws and, if there is one, the action that ends the turn or takes a pending penalty.
    """
    n = 0
    actions = card_actions(rules, state)
    for action in range(61):
        if actions >> np.uint64(action) & np.uint64(1):
            legal[n] = action
            n += 1
    closing = closing_action(rules, state)
    if closing >= 0:
        legal[n] = closing
        n += 1
    return n


@njit
def mean_gradient(rules, state, weights, rounds, seed, stream, legal, scores, traces, gradient):
    """Play `rounds` rounds of self-play, and write the mean policy gradient into `gradient`.

    Args:
        rules: Kernel rules of the game.
        state: Work record for the state.
        weights: Weights of the policy ([NUM_WEIGHTS] float32).
        rounds: Number of rounds.
        seed: Seed of the deals.
        stream: Random stream of the policy.
        legal: Work array ([actions] int32).
        scores: Work array ([actions] float64).
        traces: Work array for the sum of gradients of each player ([players, NUM_WEIGHTS] float64).
        gradient: Receives the gradient ([NUM_WEIGHTS] float64).
    """
    gradient[:] = 0.0
    for number in range(rounds):
        ops.deal(rules, state, mix(seed + np.uint64(number)))
        traces[:] = 0.0
        while not ops.is_terminal(rules, state):
            action = ops.policy(rules, state, LINEAR, weights, stream)
            if is_card_decision(state):
                n = _list_choices(rules, state, legal)
                if n > 1:
                    _add_gradient(state, legal, n, action, weights, scores, traces[state.to_move])
            ops.apply_action(rules, state, action)
        if state.winner >= 0:
            for seat in range(len(traces)):
                advantage = (1.0 if state.winner == seat else 0.0) - 1.0 / len(traces)
                for i in range(len(gradient)):
                    gradient[i] += advantage * traces[seat, i] / rounds


def train(
    game: Game,
    *,
    rounds: int = ROUNDS,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.float32]:
    """Train the linear policy, and return its weights ([NUM_WEIGHTS] float32).

    Args:
        game: Uno with the rules and number of players to train for.
        rounds: Rounds of self-play, at least `BATCHES`.
        seed: Seed of all random numbers.
        progress: Called after each step with the fraction done, in (0, 1].
    """
    weights = np.zeros(linear_policy.NUM_WEIGHTS)
    # at first everybody would draw at random, and rounds would take thousands of decisions
    weights[linear_policy.ACTION_TYPES.index("draw") * len(linear_policy.FEATURES)] = _INITIAL_DRAW_WEIGHT
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    average = np.zeros_like(weights)
    gradient = np.zeros_like(weights)
    state, stream = new_record(game.state_dtype), rng.stream(rng.derive(seed, 1))
    legal, scores = np.zeros(game.num_distinct_actions, np.int32), np.zeros(game.num_distinct_actions)
    traces = np.zeros((game.num_players, len(weights)))
    for batch in range(BATCHES):
        mean_gradient(
            game.kernel_rules,
            state,
            weights.astype(np.float32),
            rounds * (batch + 1) // BATCHES - rounds * batch // BATCHES,
            np.uint64(rng.derive(seed, 2, batch)),
            stream,
            legal,
            scores,
            traces,
            gradient,
        )
        mean = _BETAS[0] * mean + (1 - _BETAS[0]) * gradient
        square = _BETAS[1] * square + (1 - _BETAS[1]) * gradient**2
        corrected = [moment / (1 - beta ** (batch + 1)) for moment, beta in zip((mean, square), _BETAS, strict=True)]
        weights += _LEARNING_RATE * (1 - batch / BATCHES) * corrected[0] / (np.sqrt(corrected[1]) + 1e-8)
        if batch >= BATCHES // 2:
            average += weights / (BATCHES - BATCHES // 2)
        if progress is not None:
            progress((batch + 1) / BATCHES)
    return average.astype(np.float32)
