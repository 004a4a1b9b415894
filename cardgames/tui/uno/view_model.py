"""What one pair of eyes sees of an Uno table at one moment: all that a screen may show, cards as text."""

from dataclasses import dataclass
from typing import Any

from cardgames.core.observation import Observation
from cardgames.core.state import State


@dataclass(frozen=True)
class ViewModel:
    """The table as one seat, or a spectator, sees it."""

    to_move: int
    """The seat that seems to decide; -1 when the round is over or someone may be asked something in private."""
    phase: str
    """What is being decided, by the names of `uno.state.PHASES`."""
    hands: tuple[tuple[str, ...] | None, ...]
    """Each seat's cards, None where they are hidden."""
    counts: tuple[int, ...]
    top: str
    color: str | None
    """The colour in force, `r g b y`, None before the opener has named one."""
    prior_color: str | None
    """The colour in force before the top card was laid; None if there was none, and for a seat that rules show printed
    colours alone.
    """
    direction: int
    pending: int
    """Cards of a penalty that somebody still has to draw."""
    draw_pile: int
    """How many cards it holds."""
    legal: tuple[int, ...]
    """The viewer's legal action ids; none for a spectator."""


def seat_view(observation: Observation) -> ViewModel:
    """Return what the observing seat sees."""
    plain = observation.to_dict()
    hands: list[tuple[str, ...] | None] = [None] * len(plain["counts"])
    hands[observation.player] = tuple(plain["hand"].split())
    return ViewModel(
        counts=tuple(plain["counts"]),
        draw_pile=plain["draw_pile"],
        hands=tuple(hands),
        legal=observation.legal_actions,
        **_common(plain),
    )


def full_view(state: State) -> ViewModel:
    """Return everything: for spectators, and for all once the round is over."""
    plain = state.to_dict()
    hands = tuple(tuple(hand.split()) for hand in plain["hands"])
    return ViewModel(
        counts=tuple(len(hand) for hand in hands),
        draw_pile=len(plain["draw_pile"]),
        hands=hands,
        legal=(),
        **_common(plain),
    )


def _common(plain: dict[str, Any]) -> dict[str, Any]:
    return {name: plain[name] for name in ("to_move", "phase", "top", "color", "prior_color", "direction", "pending")}
