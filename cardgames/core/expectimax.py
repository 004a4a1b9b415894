"""Expectimax to a fixed depth, as a kernel, for games with the verbs `chance_outcomes` and `evaluate_hand`.

Between two decisions of the player there is one chance node, which sums up chance and the other players; the decisions
of others are no nodes of their own. The agent `expectimax` calls this kernel, and so do game policies that look ahead.
Source: paper 001, section 3.3.
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
        ("outcomes", "i8"),  # number of outcomes of the chance node
        ("place", "i8"),  # index of the current outcome
        ("legal", "i8"),  # number of legal actions at the current outcome
        ("tried", "i8"),  # number of these actions already evaluated
        ("expected", "f8"),  # partial expected value of the current action
        ("best", "f8"),  # greatest value of the evaluated actions
    ],
)
"""Record with the loop variables of one level of expectimax: a chance node and the decision at its current outcome."""

NO_MODEL = -1
"""Return value of `action_values` if the chance model does not cover a position that the search reaches."""


def allocate(depth: int, dtype: np.dtype[Any], max_outcomes: int, actions: int) -> tuple[Any, ...]:
    """Return the work arrays that expectimax (`action_values`) needs.

    Args:
        depth: Depth of the search, in decisions of the searching player.
        dtype: Dtype of the game's state records.
        max_outcomes: Maximum number of outcomes of a chance node.
        actions: Maximum number of legal actions in a decision.

    Returns:
        Outcome records [depth, max_outcomes], their probabilities (float64, same shape), legal actions (int32
        [depth, actions]) and frames [depth].
    """
    return (
        np.zeros((depth, max_outcomes), dtype),
        np.zeros((depth, max_outcomes)),
        np.zeros((depth, actions), np.int32),
        np.zeros(depth, FRAME),
    )


@njit
def _expand(rules, level, outcomes, legal, frames):
    """Begin the decision at the current outcome of a search level: list its legal actions and reset the frame's counters."""
    frame = frames[level]
    frame.legal = ops.legal_actions(rules, outcomes[level, frame.place], legal[level])
    frame.tried = 0
    frame.expected = 0.0
    frame.best = -np.inf


@njit
def _evaluate_leaf(rules, state, player, weights, legal, n, values, at_root):
    """Return the greatest `evaluate_hand` value among the first `n` actions of `legal`.

    If `at_root`, also write the value of each of these actions into `values`.
    """
    best = -np.inf
    for i in range(n):
        worth = ops.evaluate_hand(rules, state, player, np.int64(legal[i]), weights)
        best = max(best, worth)
        if at_root:
            values[i] = worth
    return best


@njit
def _back_up_action(frame, values, at_root):
    """Finish the current action of a decision: raise the frame's best value to its expected value, go to the next action.

    If `at_root`, also write the expected value into `values`.
    """
    if at_root:
        values[frame.tried] = frame.expected
    frame.best = max(frame.best, frame.expected)
    frame.expected = 0.0
    frame.tried += 1


@njit
def action_values(rules, observation, chance_model_id, weights, outcomes, probs, legal, frames, values):
    """Evaluate every legal action of the player to move by expectimax.

    The search covers `len(frames)` decisions of this player in a row. The verb `evaluate_hand` gives the value of each
    action of the last one.

    Args:
        rules: Rules of the game.
        observation: Observation record of the player to move.
        chance_model_id: Id of the chance model, for the verb `chance_outcomes`.
        weights: Weights for the verb `evaluate_hand`.
        outcomes: Work array from `allocate`.
        probs: Work array from `allocate`.
        legal: Work array from `allocate`.
        frames: Work array from `allocate`; its length is the depth.
        values: Output: value of each legal action, in ascending order of action ids (float64 [actions]).

    Returns:
        The number of legal actions, or `NO_MODEL` if the chance model does not cover a position.
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
            below.outcomes = ops.chance_outcomes(
                rules, node, action, chance_model_id, outcomes[level + 1], probs[level + 1]
            )
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
