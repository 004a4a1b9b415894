"""REINFORCE for the linear policy of Uno, in self-play (Williams 1992; the baseline is the chance of winning).

All seats play the same weights. After a batch of rounds the weights move along the mean of
(won - 1 / players) * (inputs of the action taken - inputs expected), summed over every decision with a choice, with
Adam's step sizes (Kingma, Ba 2015; the mean square forgets ten times as fast as theirs), the rate falling evenly to 0.
What is learned is the mean of the weights over the second half of the steps (Polyak, Juditsky 1992).
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
"""How much of the gradient's mean, and of its mean square, is kept at each step."""
_LEARNING_RATE = 0.2
"""Of the first step."""
BATCHES = 400
"""Of so many steps, each after a batch of rounds, a training consists."""
ROUNDS = 1_600_000
"""Played in a training unless told."""


@njit
def _add_inputs(state, seen, action, scale, out):
    """Add `scale` times the inputs of an action to its type's row of `out` (float64 [NUM_WEIGHTS])."""
    i = linear_policy.action_type(action) * len(linear_policy.FEATURES)
    for value in linear_policy.action_features(state, seen, action):
        out[i] += scale * value
        i += 1


@njit
def _add_gradient(state, legal, n, action, weights, scores, out):
    """Add the gradient of the log probability of `action` among `n` legal ones to `out`."""
    seen = linear_policy.visible_color_counts(state)
    total = 0.0
    for i in range(n):
        scores[i] = math.exp(linear_policy.score(state, seen, np.int64(legal[i]), weights))
        total += scores[i]
    for i in range(n):
        chance = scores[i] / total
        _add_inputs(state, seen, np.int64(legal[i]), (1.0 if legal[i] == action else 0.0) - chance, out)


@njit
def _list_choices(rules, state, legal):
    """Write the actions the policy chooses among into `legal` and return how many there are."""
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
    """Play so many rounds of self-play and write the mean policy gradient into `gradient` (float64 [NUM_WEIGHTS]).

    `traces` is float64 [players, NUM_WEIGHTS], `legal` int32 and `scores` float64 [actions] are room to work in.
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
    """Return weights [NUM_WEIGHTS] learned in so many rounds of self-play, at least `BATCHES`, under the rules and players
    of `game`.

    `progress` is told the share done.
    """
    weights = np.zeros(linear_policy.NUM_WEIGHTS)
    # rounds in which everybody draws at random take thousands of decisions
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
