"""What a round pays."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.bits import NONE, ONE, lowest_bit
from cardgames.kernels.jit import njit
from cardgames.uno.cards import POINTS, face_of

POINTS_IN_HANDS, WIN_LOSS, WIN, RLCARD = range(4)


@dataclass(frozen=True)
class Payoff(Axis):
    """What a round pays."""

    value: str = "points"
    name: ClassVar[str] = "payoff"
    choices: ClassVar[Mapping[str, str]] = {
        "points": "the winner gets the points in the other hands, each other loses those in his own",
        "win-loss": "+1 for the winner, -1 for each other",
        "win": "1 for the winner, 0 for each other",
        "rlcard": "RLCard's formula, wrong for more than two players: -1 for one other seat only, or for the winner himself",
    }


@njit
def _hand_points(state, seat):
    """Return the points of the cards in a hand."""
    total = 0
    for cards in (state.once[seat], state.twice[seat]):
        while cards != NONE:
            total += POINTS[face_of(lowest_bit(cards))]
            cards &= cards - ONE
    return total


@njit
def write_payoffs(rules, state, out):
    """Write each seat's pay-off into `out` (float64 [players])."""
    n, winner = state.players, state.winner
    for seat in range(n):
        out[seat] = 0.0
    if winner < 0:
        return
    if rules.payoff == POINTS_IN_HANDS:
        for seat in range(n):
            if seat != winner:
                points = _hand_points(state, seat)
                out[seat] = -points
                out[winner] += points
    elif rules.payoff == RLCARD:
        out[winner] = 1.0
        out[(1 - winner) % n] = -1.0
    else:
        for seat in range(n):
            out[seat] = 0.0 if rules.payoff == WIN else -1.0
        out[winner] = 1.0
