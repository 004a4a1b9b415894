"""Rules about which moves exist: the features of moves that a rule can forbid, as bits, and the base class of such rules.

The move table stores the features of every move as a bit mask. A rule set allows the moves that have no forbidden
feature. So each rule axis of this kind only lists, for each of its values, the features that the value forbids.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from cardgames.core.rules import Axis

TWO_EQUAL, THREE_EQUAL, FOUR_EQUAL = 1, 2, 4
"""Feature bits: at least two, three, four single kickers have the same rank. Four equal kickers set all three bits."""
TWO_JOKERS, ONLY_JOKERS = 8, 16
"""Feature bits: both jokers are among the kickers; both jokers are the only kickers."""
NEXT_TO_PLANE, TWOS_NEXT_TO_ACES = 32, 64
"""Feature bits of moves with three or more equal kickers of a rank next to the plane's trios.

`TWOS_NEXT_TO_ACES` is set if the kickers are twos and the plane ends with aces, `NEXT_TO_PLANE` in all other cases.
"""
EQUAL_PAIRS = 128
"""Feature bit: two of the pair kickers have the same rank."""
QUAD_KICKERS, PLANE_KICKERS = 256, 512
"""Feature bits: the move is four of a kind with kickers; the move is two or more consecutive trios with kickers."""
OVERSIZE = 1024
"""Feature bit: the move has more than 20 cards, which no hand can hold."""
TRIO_SOLO, TRIO_PAIR = 2048, 4096
"""Feature bits: the move is one trio with a single card; one trio with a pair."""


class MoveRestriction(Axis):
    """Base class of the rule axes that decide which moves exist, by forbidding features of moves."""

    forbids: ClassVar[Mapping[str, int]]
    """Value of the rule -> bit mask of the features that no move may have under that value."""


def forbidden_features(axes: Iterable[Axis]) -> int:
    """Return the bit mask of all move features that a rule set forbids: the union over its move restrictions."""
    forbidden = 0
    for axis in axes:
        if isinstance(axis, MoveRestriction):
            forbidden |= axis.forbids[str(axis.value)]
    return forbidden
