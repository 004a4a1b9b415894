"""Where new cards come from when the draw pile runs out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit

ALL_BUT_TOP, WITH_TOP = range(2)


@dataclass(frozen=True)
class Refill(Axis):
    """Where new cards come from when the draw pile runs out."""

    value: str = "all-but-top"
    name: ClassVar[str] = "refill"
    choices: ClassVar[Mapping[str, str]] = {
        "all-but-top": "all discards but the top card, shuffled, when a card is needed",
        "with-top": "all discards with the top card, mixed with what is left, before a draw or penalty the pile cannot meet",
    }


@njit
def recycle(state, kept):
    """Put all discards but the `kept` top ones into the draw pile, whose order is then random."""
    moved = state.n_discard - kept
    for i in range(moved):
        state.pile[state.n_pile + i] = state.discard[i]
    for i in range(kept):
        state.discard[i] = state.discard[moved + i]
    state.n_pile += moved
    state.n_discard = kept
    state.n_fixed = 0


@njit
def refill_before(rules, state, wanted):
    """Refill, where the rules look at the pile beforehand, before `wanted` cards are drawn at once."""
    if rules.refill == WITH_TOP and state.n_pile < wanted:
        recycle(state, 0)


@njit
def refill_empty(rules, state):
    """Refill an empty pile when a card is needed; return whether it now holds one."""
    if state.n_pile == 0 and rules.refill == ALL_BUT_TOP and state.n_discard > 1:
        recycle(state, 1)
    return state.n_pile > 0


@njit
def can_draw(rules, state):
    """Return whether a player who draws now gets a card."""
    kept = 1 if rules.refill == ALL_BUT_TOP else 0
    return state.n_pile > 0 or state.n_discard > kept
