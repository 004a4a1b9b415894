"""Interface of a game in words: lines of the table, names of actions, parsing of typed moves, help."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from cardgames.core.game_definition import GameDefinition
from cardgames.core.game_registry import load
from cardgames.core.observation import Observation
from cardgames.core.state import State

GAMES = ("uno", "doudizhu")
"""Games with themes: each has a folder in this package with `GAME_TEXT` in `game_text.py` and `SCREEN_THEME` in
`screen_theme.py`.
"""


ViewModel = Any
"""Everything that may be shown of a table at one moment to one seat or to a spectator. Each game has its own class.

All of them have `to_move`, the seat that seems to decide (-1 when the round is over, or when a seat may be deciding in
private), and `phase`, the kind of decision (`wait` if a seat is deciding something that only it may know).
"""


class SessionView(Protocol):
    """Part of a session (`tui.session`) that themes read."""

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
        """Return the seat of the person, None if there is none."""
        ...

    @property
    def game_text(self) -> "GameText":
        """Return the texts of the game."""
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
        """Return the name of a seat."""
        ...


@dataclass(frozen=True)
class GameText:
    """Texts of one game, for the line mode and the full screen."""

    seat_view: Callable[[Observation], ViewModel]
    """Returns what the observing seat sees."""
    full_view: Callable[[State], ViewModel]
    """Returns what a spectator sees: everything."""
    hidden_events: frozenset[int]
    """Kinds of events that are not logged: the cards dealt."""
    card_events: frozenset[int]
    """Kinds of events whose sentence ends with one card; the log lists the cards of equal events in one line."""
    action_events: Mapping[int, int]
    """Actions that are logged only by the event they cause -> kind of that event."""
    parse: Callable[[State, str], int]
    """Returns the legal action that a person typed. Raises `InvalidInput`, which says what is wrong or what is allowed."""
    explain_payoffs: Callable[[SessionView], str]
    """Explains the payoffs of a finished round; empty if they need no explanation."""

    lines: Callable[[SessionView, ViewModel], list[str]]
    """Returns the table line by line, without the legal actions."""
    action_names: Callable[[State], tuple[dict[str, int], str]]
    """Returns short names for the legal actions, and a line that lists these."""
    hand: Callable[[str], str]
    """Returns a hand of `Game.hands_of` as one line."""
    help: Callable[[State], str]
    """Returns how moves are typed."""
    leave: str
    """Input that leaves the game; never the name of a card."""


def game_text_of(name: str) -> GameText:
    """Return the texts of the game called `name`; a game without a theme is shown as plain data."""
    game_text: GameText = load(
        f"cardgames.tui.{name}.game_text:GAME_TEXT" if name in GAMES else "cardgames.tui.generic_view:GAME_TEXT"
    )
    return game_text
