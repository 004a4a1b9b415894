"""Paper 001's expectimax agent, with the paper's settings, as a kernel for other searches and particle filters.

Each call allocates its own arrays.
"""

import numpy as np

from cardgames.core.expectimax import FRAME, action_values
from cardgames.kernels.jit import njit
from cardgames.uno.cards import NUM_ACTIONS
from cardgames.uno.expectimax.chance_outcomes import MAX_OUTCOMES
from cardgames.uno.expectimax.hand_evaluation import EVALUATION_WEIGHTS
from cardgames.uno.expectimax.opponent_replies import PAPER
from cardgames.uno.legal import legal_actions
from cardgames.uno.state import AFTER_DRAW, PLAY, STATE

_DEPTH = 2
_WEIGHTS = np.array(list(EVALUATION_WEIGHTS.values()))
_VALUE_TOLERANCE = 1e-9


@njit
def expectimax_actions(rules, state, best):
    """Write the actions of greatest expectimax value into `best` (`[NUM_ACTIONS] int32`) and return their number.

    The number is 0 in phases other than `PLAY` and `AFTER_DRAW`. Only the mover's hand, the hand sizes, the discards,
    the top card and the color in force are read.
    """
    if state.phase != PLAY and state.phase != AFTER_DRAW:
        return 0
    if legal_actions(rules, state, best) == 1:
        return 1
    outcomes, probs = np.empty((_DEPTH, MAX_OUTCOMES), STATE), np.empty((_DEPTH, MAX_OUTCOMES))
    legal, frames, values = np.empty((_DEPTH, NUM_ACTIONS), np.int32), np.empty(_DEPTH, FRAME), np.empty(NUM_ACTIONS)
    n = action_values(rules, state, PAPER, _WEIGHTS, outcomes, probs, legal, frames, values)
    if n < 0:
        return 0
    best_value, num_best = values[:n].max(), 0
    for i in range(n):
        if values[i] >= best_value - _VALUE_TOLERANCE:
            best[num_best] = legal[0, i]
            num_best += 1
    return num_best
