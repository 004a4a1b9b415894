"""View model of Uno: what a screen may show to one seat or to a spectator, with cards as text."""

from dataclasses import dataclass
from typing import Any

from cardgames.core.observation import Observation
from cardgames.core.state import State


@dataclass(frozen=True)
class ViewModel:
    """Table as one seat, or a spectator, sees it."""

    to_move: int
    """Seat that seems to decide; -1 when the round is over or a seat may be deciding in private."""
    phase: str
    """Kind of decision, by the names of `uno.state.PHASES`."""
    hands: tuple[tuple[str, ...] | None, ...]
    """Cards of each seat, None if they are hidden."""
    counts: tuple[int, ...]
    top: str
    color: str | None
    """Current color, one of `r g b y`; None before the opener has named one."""
    prior_color: str | None
    """Color before the top card was played; None if there was none, and if the rules show a seat only printed colors."""
    direction: int
    pending: int
    """Number of penalty cards that a player still has to draw."""
    draw_pile: int
    """Number of cards in the draw pile."""
    legal: tuple[int, ...]
    """Legal actions of the viewing seat; empty for a spectator."""


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
    """Return everything: for spectators, and for all players once the round is over."""
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
