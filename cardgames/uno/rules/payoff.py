"""Rule `payoff`: payoff of a round for each seat."""

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
    """Payoff of a round."""

    value: str = "points"
    name: ClassVar[str] = "payoff"
    choices: ClassVar[Mapping[str, str]] = {
        "points": "the winner gets the points in the other hands, each other player loses those in their own hand",
        "win-loss": "+1 for the winner, -1 for each other player",
        "win": "1 for the winner, 0 for each other player",
        "rlcard": "RLCard's formula, wrong for more than two players: -1 for one seat only, which may be the winner's",
    }


@njit
def _hand_points(state, seat):
    """Return the points that the cards in the hand of `seat` count (`cards.POINTS`)."""
    total = 0
    for cards in (state.once[seat], state.twice[seat]):
        while cards != NONE:
            total += POINTS[face_of(lowest_bit(cards))]
            cards &= cards - ONE
    return total


@njit
def write_payoffs(rules, state, out):
    """Write the payoff of each seat into `out` (`[players] float64`); all are 0 while nobody has won."""
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
