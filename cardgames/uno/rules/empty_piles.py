"""Rule `empty-piles`: end of a round in which nobody can play and no card is left to draw."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit

VOID = 0


@dataclass(frozen=True)
class EmptyPiles(Axis):
    """End of a round in which nobody can play and no card is left to draw."""

    value: str = "void"
    name: ClassVar[str] = "empty-piles"
    choices: ClassVar[Mapping[str, str]] = {
        "void": "the round is void after as many idle turns in a row as there are players",
    }


@njit
def end_if_idle(rules, state):
    """Mark the round as void after as many turns in a row without a card played or drawn as there are players."""
    if rules.empty_piles == VOID and state.idle >= state.players:
        state.void = 1
