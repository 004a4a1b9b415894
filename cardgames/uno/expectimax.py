"""Expectimax as a way to play in kernels: paper 001's agent at its setting, with arrays of its own for each call."""

import numpy as np

from cardgames.core.jit import njit
from cardgames.core.lookahead import FRAME, action_values
from cardgames.core.rng import below
from cardgames.uno.appraise import WEIGHTS
from cardgames.uno.cards import NUM_ACTIONS
from cardgames.uno.chance import MOST_OUTCOMES
from cardgames.uno.replies import PAPER
from cardgames.uno.state import STATE

_WEIGHTS = np.array(list(WEIGHTS.values()))
_SAME = 1e-9


@njit
def expectimax_action(rules, state, depth, rng):
    """Return the action of greatest expectimax value for the seat to move, ties at random; -1 for questions beside the
    turn itself.

    It reads the mover's hand, the counts, the discards, the top card and the colour, nothing else.
    """
    outcomes = np.empty((depth, MOST_OUTCOMES), STATE)
    probs, legal = np.empty((depth, MOST_OUTCOMES)), np.empty((depth, NUM_ACTIONS), np.int32)
    frames, values = np.empty(depth, FRAME), np.empty(NUM_ACTIONS)
    n = action_values(rules, state, PAPER, _WEIGHTS, outcomes, probs, legal, frames, values)
    best, ties = -1, 0
    for i in range(n):
        if best < 0 or values[i] > values[best] + _SAME:
            best, ties = i, 1
        elif values[i] >= values[best] - _SAME:
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return np.int64(legal[0, best]) if best >= 0 else np.int64(-1)
