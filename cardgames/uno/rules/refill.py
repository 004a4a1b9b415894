"""Rule `refill`: source of new cards when the draw pile runs out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit

ALL_BUT_TOP, WITH_TOP = range(2)


@dataclass(frozen=True)
class Refill(Axis):
    """Source of new cards when the draw pile runs out."""

    value: str = "all-but-top"
    name: ClassVar[str] = "refill"
    choices: ClassVar[Mapping[str, str]] = {
        "all-but-top": "all discards except the top card, shuffled, when a card is needed",
        "with-top": "all discards and the rest of the pile, shuffled, before a draw or penalty that the pile cannot meet",
    }


@njit
def recycle(state, num_kept):
    """Move all discards except the top `num_kept` ones to the draw pile, which is in random order from then on."""
    num_moved = state.n_discard - num_kept
    for i in range(num_moved):
        state.pile[state.n_pile + i] = state.discard[i]
    for i in range(num_kept):
        state.discard[i] = state.discard[num_moved + i]
    state.n_pile += num_moved
    state.n_discard = num_kept
    state.n_fixed = 0


@njit
def refill_before(rules, state, count):
    """Under `with-top`, refill the draw pile if it holds fewer than the `count` cards about to be drawn at once.

    All discards, the top card included, are shuffled into it.
    """
    if rules.refill == WITH_TOP and state.n_pile < count:
        recycle(state, 0)


@njit
def refill_empty(rules, state):
    """Refill the draw pile if it is empty, under `all-but-top`, and return whether it now holds a card.

    All discards except the top card are shuffled into it.
    """
    if state.n_pile == 0 and rules.refill == ALL_BUT_TOP and state.n_discard > 1:
        recycle(state, 1)
    return state.n_pile > 0


@njit
def can_draw(rules, state):
    """Return whether a player who draws now gets a card, from the draw pile or from discards that refill it."""
    num_kept = 1 if rules.refill == ALL_BUT_TOP else 0
    return state.n_pile > 0 or state.n_discard > num_kept
