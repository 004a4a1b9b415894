"""Expectimax to a fixed depth over the verbs `chance_outcomes` and `evaluate_hand`: a player's own decisions, and between two of
them one chance node.

It serves the agent `expectimax` and, where a game calls it from its verb `policy`, playouts. Source: paper 001, section 3.3.
"""

from typing import Any

import numpy as np

from cardgames.core import ops
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type

FRAME = record_type(
    __name__,
    "FRAME",
    [
        ("outcomes", "i8"),  # outcomes of the action now being tried one level up
        ("place", "i8"),  # which of them is being looked at
        ("legal", "i8"),  # its legal actions
        ("tried", "i8"),  # so many of them are done
        ("expected", "f8"),  # value of the action now being tried, as far as summed up
        ("best", "f8"),  # of the actions done
    ],
)
"""One level of the search: the chance node that leads to it, and the decision being looked at."""

NO_MODEL = -1


def allocate(depth: int, dtype: np.dtype[Any], max_outcomes: int, actions: int) -> tuple[Any, ...]:
    """Return the arrays a search of `depth` works in: outcomes [depth, most_outcomes], their probabilities, legal
    actions (int32 [depth, actions]), frames [depth].
    """
    return (
        np.zeros((depth, max_outcomes), dtype),
        np.zeros((depth, max_outcomes)),
        np.zeros((depth, actions), np.int32),
        np.zeros(depth, FRAME),
    )


@njit
def _expand(rules, level, outcomes, legal, frames):
    """Begin with the decision at the current outcome of a level."""
    frame = frames[level]
    frame.legal = ops.legal_actions(rules, outcomes[level, frame.place], legal[level])
    frame.tried = 0
    frame.expected = 0.0
    frame.best = -np.inf


@njit
def _evaluate_leaf(rules, state, player, weights, legal, n, values, at_root):
    """Return the worth of the best action by `evaluate_hand` alone; at the root write that of each into `values`."""
    best = -np.inf
    for i in range(n):
        worth = ops.evaluate_hand(rules, state, player, np.int64(legal[i]), weights)
        best = max(best, worth)
        if at_root:
            values[i] = worth
    return best


@njit
def _back_up_action(frame, values, at_root):
    """Take in the mean over all outcomes of the action being tried, and go on to the next."""
    if at_root:
        values[frame.tried] = frame.expected
    frame.best = max(frame.best, frame.expected)
    frame.expected = 0.0
    frame.tried += 1


@njit
def action_values(rules, observation, chain_id, weights, outcomes, probs, legal, frames, values):
    """Write the value of every legal action, in their order, into `values` (float64 [actions]) and return how many there
    are, or -1 where the game's model has no answer.

    The number of frames is the depth, in decisions of the player; after the last of them `evaluate_hand` says what he
    holds. The arrays are those of `allocate`, `chain_id` and `weights` a model and its weights as the verbs take them.
    """
    depth, level = len(frames), 0
    player = ops.current_player(rules, observation)
    copy_record(outcomes[0, 0], observation)
    frames[0].place, frames[0].outcomes = 0, 1
    _expand(rules, 0, outcomes, legal, frames)
    while True:
        frame = frames[level]
        node = outcomes[level, frame.place]
        done = False
        value = 0.0
        if ops.is_terminal(rules, node):
            done, value = True, ops.evaluate_hand(rules, node, player, -1, weights)
        elif level == depth - 1:
            done, value = (
                True,
                _evaluate_leaf(rules, node, player, weights, legal[level], frame.legal, values, level == 0),
            )
        elif frame.tried == frame.legal:
            done, value = True, frame.best
        if not done:
            below = frames[level + 1]
            action = np.int64(legal[level, frame.tried])
            below.outcomes = ops.chance_outcomes(rules, node, action, chain_id, outcomes[level + 1], probs[level + 1])
            if below.outcomes < 0:
                return NO_MODEL
            below.place = 0
            level += 1
            _expand(rules, level, outcomes, legal, frames)
            continue
        if level == 0:
            return frames[0].legal
        above = frames[level - 1]
        above.expected += probs[level, frame.place] * value
        frame.place += 1
        if frame.place < frame.outcomes:
            _expand(rules, level, outcomes, legal, frames)
        else:
            level -= 1
            _back_up_action(above, values, level == 0)
