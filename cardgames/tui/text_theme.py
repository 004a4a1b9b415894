"""How a game looks: all that differs from one game's table to another's. Everything else here knows no game by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardgames.core.game_registry import load
from cardgames.core.observation import Observation
from cardgames.core.state import State

if TYPE_CHECKING:
    from cardgames.tui.session import Table

GAMES = ("uno", "doudizhu")
"""The games that have a face: a folder of this package with `FACE` in `face.py` and `LOOK` in `look.py`."""


Sight = Any
"""What one pair of eyes sees of a table at one moment, all that may be shown: each game has a class of that name. All of
them have `to_move`, the seat that seems to decide (-1 when the round is over or someone may be asked something in
private), and `phase`, what is being decided (`wait` where somebody is asked what only he may know).
"""


@dataclass(frozen=True)
class Face:
    """A game in words, for both front ends."""

    seen_by_seat: Callable[[Observation], Sight]
    """What the observing seat sees."""
    seen_by_all: Callable[[State], Sight]
    """What spectators see: everything."""
    untold: frozenset[int]
    """The kinds of events that are no news: the cards dealt."""
    parse: Callable[[State, str], int]
    """The legal action a person wrote. Raises `InvalidInput`, naming what is wrong or what is allowed."""
    account: Callable[["Table"], str]
    """How the pay-offs of a round that is over came about; empty where there is nothing to say."""

    lines: Callable[["Table", Sight], list[str]]
    """The table line by line, without what may be done."""
    offers: Callable[[State], tuple[dict[str, int], str]]
    """The short names by which actions can be chosen, and a line that says what may be done."""
    hand: Callable[[str], str]
    """A hand of `Game.hands_of`, as a line reads it."""
    help: Callable[[State], str]
    """How moves are written."""
    leave: str
    """The line that leaves the game: no card's name."""


def face_of(name: str) -> Face:
    """Return the face of the game called `name`, in plain data if it has none of its own."""
    face: Face = load(f"cardgames.tui.{name}.face:FACE" if name in GAMES else "cardgames.tui.generic_view:FACE")
    return face
