"""How a game looks: all that differs from one game's table to another's. Everything else here knows no game by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from cardgames.core.game_definition import GameDefinition
from cardgames.core.game_registry import load
from cardgames.core.observation import Observation
from cardgames.core.state import State

GAMES = ("uno", "doudizhu")
"""The games that have a face: a folder of this package with `FACE` in `text_theme.py` and `LOOK` in `screen_theme.py`."""


Sight = Any
"""What one pair of eyes sees of a table at one moment, all that may be shown: each game has a class of that name. All of
them have `to_move`, the seat that seems to decide (-1 when the round is over or someone may be asked something in
private), and `phase`, what is being decided (`wait` where somebody is asked what only he may know).
"""


class SessionView(Protocol):
    """The part of a session (`tui.session`) that themes read."""

    @property
    def game(self) -> GameDefinition:
        """Return the game."""
        ...

    @property
    def state(self) -> State:
        """Return the round in progress, hidden cards included."""
        ...

    @property
    def person(self) -> int | None:
        """Return the seat of the person, if there is one."""
        ...

    @property
    def face(self) -> "Face":
        """Return the theme of the game in words."""
        ...

    @property
    def scores(self) -> list[float]:
        """Return the score of each seat."""
        ...

    @property
    def winners(self) -> list[int]:
        """Return the seats that won the round."""
        ...

    def name(self, seat: int) -> str:
        """Return what a seat is called."""
        ...


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
    account: Callable[[SessionView], str]
    """How the pay-offs of a round that is over came about; empty where there is nothing to say."""

    lines: Callable[[SessionView, Sight], list[str]]
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
    face: Face = load(f"cardgames.tui.{name}.text_theme:FACE" if name in GAMES else "cardgames.tui.generic_view:FACE")
    return face
