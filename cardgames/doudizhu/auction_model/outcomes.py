"""Outcome classes: everything about a finished round that any rule set pays for, as one number from 0 to 55.

A class combines the side that won, which seats never played (or, for the landlord, played once), the number of bombs (3
stands for 3 and more) and whether the rocket was played. A distribution over classes therefore gives the expected payoff
under every rule for payoffs: bombs, rocket, springs, shutouts and a cap of the multiplier.
"""

import numpy as np

from cardgames.doudizhu.rules.payoff import write_payoffs
from cardgames.kernels.jit import njit

MAX_BOMBS = 3
"""Largest number of bombs that classes distinguish."""
ENDINGS = (
    "landlord wins",
    "landlord wins, one peasant never played",
    "landlord wins, no peasant played",
    "peasants win",
    "peasants win, one peasant never played",
    "peasants win, the landlord played once",
    "peasants win, the landlord played once, one peasant never played",
)
"""Name of each ending; an outcome class is 8 times the index of its ending + 2 times the bombs + the rocket (0 or 1)."""
NUM_OUTCOMES = len(ENDINGS) * (MAX_BOMBS + 1) * 2
FIRST_LOSS = 3
"""Index of the first ending in which the peasants win."""
FIRST_LOST_OUTCOME = FIRST_LOSS * (MAX_BOMBS + 1) * 2
"""First outcome class in which the peasants win; the landlord wins in all classes below."""
_LANDLORD_ONCE = 5
_MANY = 2
"""Number of plays that stands for several plays."""


@njit
def outcome_class(state):
    """Return the outcome class of a finished round (a state record with a winner)."""
    landlord = np.int64(state.landlord)
    silent = np.int64(state.play_counts[(landlord + 1) % 3] == 0) + np.int64(state.play_counts[(landlord + 2) % 3] == 0)
    if state.winner == landlord:
        ending = silent
    elif state.play_counts[landlord] == 1:
        ending = _LANDLORD_ONCE + silent
    else:
        ending = FIRST_LOSS + silent
    bombs, rocket = np.int64(state.bombs), np.int64(state.rockets > 0)
    return (ending * (MAX_BOMBS + 1) + (bombs if bombs < MAX_BOMBS else MAX_BOMBS)) * 2 + rocket


@njit
def set_outcome(state, outcome):
    """Change `state`, a record with a landlord, into the end of a round of the class `outcome`, as far as payoffs go."""
    landlord, ending = np.int64(state.landlord), outcome >> 3
    down, up = (landlord + 1) % 3, (landlord + 2) % 3
    state.rockets, state.bombs = outcome & 1, outcome >> 1 & MAX_BOMBS
    silent = (
        ending if ending < FIRST_LOSS else ending - FIRST_LOSS if ending < _LANDLORD_ONCE else ending - _LANDLORD_ONCE
    )
    state.winner = landlord if ending < FIRST_LOSS else up
    state.play_counts[landlord] = 1 if ending >= _LANDLORD_ONCE else _MANY
    state.play_counts[down] = 0 if silent > 0 else _MANY
    state.play_counts[up] = 0 if silent > 1 else _MANY


@njit
def outcome_payoffs(rules, state, seat, out):
    """Write the payoff of `seat` for each outcome class into `out` (float64 [NUM_OUTCOMES]), by the rules' own payoffs.

    Args:
        rules: Record of type `DOUDIZHU_RULES`.
        state: State record with the landlord, bid, robs and doubles; its result is overwritten.
        seat: Seat whose payoff is written.
        out: Output.
    """
    paid = np.empty(3)
    for outcome in range(NUM_OUTCOMES):
        set_outcome(state, np.int64(outcome))
        write_payoffs(rules, state, paid)
        out[outcome] = paid[seat]
