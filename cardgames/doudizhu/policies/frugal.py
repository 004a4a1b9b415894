"""Policy `frugal`: plays the move that reduces the value of its hand (`hand_value`) least, and helps its partner.

It uses the hand of the player to move, the cards played and the other seats' numbers of cards. `rules` is a record of
type `DOUDIZHU_RULES`, `workspace` comes from `hand_value.new_workspace`.
"""

import numpy as np

from cardgames.doudizhu.hands.hand_value import new_workspace
from cardgames.doudizhu.moves.move_table import PASS
from cardgames.doudizhu.policies.frugal_lead import frugal_lead
from cardgames.doudizhu.policies.frugal_reply import frugal_reply
from cardgames.kernels.jit import njit


@njit
def frugal(rules, state):
    """Return the id of the action that `frugal` takes for the seat to move; the state must be in the phase of play."""
    workspace = new_workspace()
    if state.last == PASS:
        return np.int64(frugal_lead(rules, state, workspace))
    return np.int64(frugal_reply(rules, state, workspace))
