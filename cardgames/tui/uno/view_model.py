"""View model of Uno: all that a screen may show of the table to one seat or to a spectator, with cards as text."""

from dataclasses import dataclass
from typing import Any

from cardgames.core.observation import Observation
from cardgames.core.state import State


@dataclass(frozen=True)
class ViewModel:
    """Everything of the table that one seat, or a spectator, may see at one moment."""

    to_move: int
    """Seat that visibly has to decide.

    It is -1 when the round is over, or when a seat may be making a decision that only it may know of.
    """
    phase: str
    """Kind of the next decision, one of the names in `uno.state.PHASES`."""
    hands: tuple[tuple[str, ...] | None, ...]
    """Cards of each seat as text; None if they are hidden from the viewer."""
    counts: tuple[int, ...]
    """Number of cards of each seat."""
    top: str
    """Top card of the discard pile."""
    color: str | None
    """Color to follow, one of `r g b y`; None if the first card is a wild whose color is not named yet."""
    prior_color: str | None
    """Color to follow before the top card was played.

    It is None if there was none, and if the rules show a seat only printed colors.
    """
    direction: int
    """Direction of play: positive for clockwise, negative for counterclockwise."""
    pending: int
    """Number of penalty cards that a player still has to draw."""
    draw_pile: int
    """Number of cards in the draw pile."""
    legal: tuple[int, ...]
    """Legal actions of the viewing seat; empty for a spectator."""


def seat_view(observation: Observation) -> ViewModel:
    """Return the view model for the seat of an observation."""
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
    """Return the view model with all hands shown, for spectators, and for everybody once the round is over."""
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
    """Return the fields of `ViewModel` that all viewers see, from an observation or state as plain data."""
    return {name: plain[name] for name in ("to_move", "phase", "top", "color", "prior_color", "direction", "pending")}
