"""How a game looks: all that differs from one game's table to another's. Everything else here knows no game by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from cardgames.core.game_definition import GameDefinition
from cardgames.core.game_registry import load
from cardgames.core.observation import Observation
from cardgames.core.state import State

GAMES = ("uno", "doudizhu")
"""The games that have a face: a folder of this package with `TEXT_THEME` in `text_theme.py` and `SCREEN_THEME` in `screen_theme.py`."""


ViewModel = Any
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
    def text_theme(self) -> "TextTheme":
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
class TextTheme:
    """A game in words, for both front ends."""

    seat_view: Callable[[Observation], ViewModel]
    """What the observing seat sees."""
    full_view: Callable[[State], ViewModel]
    """What spectators see: everything."""
    hidden_events: frozenset[int]
    """The kinds of events that are no news: the cards dealt."""
    parse: Callable[[State, str], int]
    """The legal action a person wrote. Raises `InvalidInput`, naming what is wrong or what is allowed."""
    explain_payoffs: Callable[[SessionView], str]
    """How the pay-offs of a round that is over came about; empty where there is nothing to say."""

    lines: Callable[[SessionView, ViewModel], list[str]]
    """The table line by line, without what may be done."""
    action_names: Callable[[State], tuple[dict[str, int], str]]
    """The short names by which actions can be chosen, and a line that says what may be done."""
    hand: Callable[[str], str]
    """A hand of `Game.hands_of`, as a line reads it."""
    help: Callable[[State], str]
    """How moves are written."""
    leave: str
    """The line that leaves the game: no card's name."""


def text_theme_of(name: str) -> TextTheme:
    """Return the face of the game called `name`, in plain data if it has none of its own."""
    text_theme: TextTheme = load(
        f"cardgames.tui.{name}.text_theme:TEXT_THEME" if name in GAMES else "cardgames.tui.generic_view:TEXT_THEME"
    )
    return text_theme
