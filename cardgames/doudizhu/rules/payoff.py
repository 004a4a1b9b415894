"""Rule `payoff`: payoffs at the end of a round, and the multiplier of the stake from bombs, rocket, robs and springs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cardgames.core.rules import Axis
from cardgames.doudizhu.rules.anti_spring import anti_spring_factor
from cardgames.doudizhu.rules.bomb_doubling import bomb_factor
from cardgames.doudizhu.rules.multiplier_cap import cap_multiplier
from cardgames.doudizhu.rules.rocket_doubling import rocket_factor
from cardgames.doudizhu.rules.shutout import shutout_factor
from cardgames.doudizhu.rules.spring import spring_factor
from cardgames.kernels.jit import njit

POINTS, WIN_LOSS, RLCARD = range(3)


@dataclass(frozen=True)
class Payoff(Axis):
    """Payoffs at the end of a round."""

    value: str = "points"
    name: ClassVar[str] = "payoff"
    choices: ClassVar[Mapping[str, str]] = {
        "points": "each peasant pays the multiplied stake to a landlord who wins, and gets it from one who loses",
        "win-loss": "+1 for each winner, -1 for each loser",
        "rlcard": "1 for each winner, 0 for each loser, as in RLCard",
    }


@njit
def stake_multiplier(rules, state):
    """Return the multiplier of a round's stake that applies to all seats.

    It is the product of the factors for bombs, the rocket, robs, springs and shutouts. Factors that single seats chose
    in the doubling phase are not included.
    """
    played = bomb_factor(rules, state) * rocket_factor(rules, state) << np.int64(state.robs)
    if state.winner < 0:
        return played
    return played * spring_factor(rules, state) * anti_spring_factor(rules, state) * shutout_factor(rules, state)


@njit
def _stake_between(rules, state, factor, peasant):
    """Return the stake between the landlord and the seat `peasant`, for the multiplier `factor` of all seats; capped."""
    return state.bid * cap_multiplier(rules, factor * state.doubles[state.landlord] * state.doubles[peasant])


@njit
def present_stake(rules, state, seat):
    """Return what `seat` would win or lose in points if the round ended now; before there is a landlord, the bid or 1."""
    landlord, factor = np.int64(state.landlord), stake_multiplier(rules, state)
    if landlord < 0:
        return max(np.int64(1), np.int64(state.bid))
    if seat != landlord:
        return np.int64(_stake_between(rules, state, factor, seat))
    total = np.int64(0)
    for peasant in range(3):
        if peasant != landlord:
            total += _stake_between(rules, state, factor, peasant)
    return total


@njit
def _write_points(rules, state, out):
    """Add to `out` [3] the payoffs in points: each peasant pays the multiplied stake to the landlord, or gets it if it won.

    The multiplier for a peasant includes the stake factors that this peasant and the landlord chose, and is capped.
    """
    landlord, factor = np.int64(state.landlord), stake_multiplier(rules, state)
    sign = 1 if state.winner == landlord else -1
    for seat in range(3):
        if seat != landlord:
            paid = sign * _stake_between(rules, state, factor, seat)
            out[landlord] += paid
            out[seat] -= paid


@njit
def write_payoffs(rules, state, out):
    """Write the payoff of each seat under the rule `payoff` into `out` [3] float64; zeros if the round has no winner."""
    for seat in range(3):
        out[seat] = 0.0
    if state.winner < 0:
        return
    if rules.payoff == POINTS:
        _write_points(rules, state, out)
        return
    for seat in range(3):
        won = (seat == state.landlord) == (state.winner == state.landlord)
        out[seat] = 1.0 if won else 0.0 if rules.payoff == RLCARD else -1.0
