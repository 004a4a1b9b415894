"""Objective of a search: the values of finished rounds and of network outputs, by payoff or by who wins.

A search works with values in which 0 is a round lost and 1 a round won. By payoff these are what losing and winning pay
at the stakes of the root; a payoff beyond them (a bomb doubles the stake) has a value below 0 or above 1.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.game_definition import GameDefinition
from cardgames.kernels.jit import njit

OBJECTIVES = ("payoff", "win")
"""Values of the option `objective`: the mean payoff under the rules, or the probability of winning."""
UTILITY, PAYOFF, WIN = range(3)
"""Ids of the ways to value a finished round: by the verb `utility`, by payoff, or by who wins.

Where payoffs depend only on who wins (`Game.pays_points` is False), both objectives are the verb `utility`.
"""


def objective_id(game: GameDefinition, objective: str) -> int:
    """Return UTILITY, PAYOFF or WIN for an option of `OBJECTIVES`."""
    if not game.pays_points:
        return UTILITY
    return PAYOFF if objective == "payoff" else WIN


class ValueScale(NamedTuple):
    """Conversion of a search's values to values for people: payoffs in points, or probabilities of winning."""

    bounds: NDArray[np.float64]
    """Payoffs of losing and of winning for each seat at the stakes of the root [players, 2]; used for payoffs only."""
    unit: str
    """Unit of the values for people: `points`, or `win` for probabilities in [0, 1]."""

    def value(self, value: float, seat: int) -> float:
        """Return a value of the search for `seat` in the unit `unit`."""
        low, high = self.bounds[seat]
        return float(low + value * (high - low)) if self.unit == "points" else value

    def error(self, error: float, seat: int) -> float:
        """Return a standard error of a value of the search for `seat` in the unit `unit`."""
        low, high = self.bounds[seat]
        return float(error * (high - low)) if self.unit == "points" else error


def value_scale(game: GameDefinition, state: Any, objective: str) -> ValueScale:
    """Return the scale of values in a search from the record `state`, one of its determinizations."""
    bounds = np.array([ops.stakes(game.kernel_rules, state, seat) for seat in range(game.num_players)], np.float64)
    return ValueScale(bounds, "points" if objective_id(game, objective) == PAYOFF else "win")


@njit
def outcome_value(rules, state, seat, objective, bounds):
    """Return the value of the finished round `state` for `seat`.

    Args:
        rules: Kernel rules of the game.
        state: State record.
        seat: Seat.
        objective: UTILITY, PAYOFF or WIN.
        bounds: Payoffs of losing and of winning at the root for each seat (float64 [players, 2]).
    """
    if objective == UTILITY:
        return ops.utility(rules, state, seat)
    if objective == WIN:
        return _win_value(rules, state, seat, len(bounds))
    payoffs = np.empty(len(bounds))
    ops.returns(rules, state, payoffs)
    return (payoffs[seat] - bounds[seat, 0]) / (bounds[seat, 1] - bounds[seat, 0])


@njit
def _win_value(rules, state, seat, players):
    """Return 1 if `seat` won, 0 if another seat did, and 1 / players if nobody did."""
    if ops.won(rules, state, seat):
        return 1.0
    for other in range(players):
        if ops.won(rules, state, other):
            return 0.0
    return 1.0 / players


@njit
def value_of_probability(rules, state, seat, probability, objective, bounds):
    """Return the value of a state in which `seat` wins with a given probability, at the stakes of that state.

    The other arguments are those of `outcome_value`.
    """
    if objective != PAYOFF:
        return probability
    low, high = ops.stakes(rules, state, seat)
    return (low + probability * (high - low) - bounds[seat, 0]) / (bounds[seat, 1] - bounds[seat, 0])
