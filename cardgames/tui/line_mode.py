"""Interface `LineMode` of a game's texts in the terminal: lines of the table, names of actions, parsing of typed moves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from cardgames.core.game_definition import GameDefinition
from cardgames.core.game_registry import load
from cardgames.core.observation import Observation
from cardgames.core.state import State

GAMES = ("uno", "doudizhu")
"""Games with texts and screens of their own.

Each has a folder in this package with `LINE_MODE` in `line_mode.py` and `SCREEN_PARTS` in `screen_parts.py`.
"""


ViewModel = Any
"""Everything that may be shown of a table at one moment to one seat or to a spectator.

Each game has its own class for it. All these classes have `to_move`, the seat that seems to decide (-1 when the round is
over, or when a seat may be deciding in private), and `phase`, the kind of decision (`wait` if a seat is deciding something
that only it may know).
"""


class SessionView(Protocol):
    """Protocol with the part of a `Session` that the texts and screens of a game read."""

    @property
    def game(self) -> GameDefinition:
        """Return the game that is played."""
        ...

    @property
    def state(self) -> State:
        """Return the state of the round in progress, hidden cards included."""
        ...

    @property
    def person(self) -> int | None:
        """Return the seat of the person (human player); None if all players are agents."""
        ...

    @property
    def line_mode(self) -> "LineMode":
        """Return the texts of the game that is played."""
        ...

    @property
    def scores(self) -> list[float]:
        """Return the total score of each seat over all rounds."""
        ...

    @property
    def winners(self) -> list[int]:
        """Return the seats that won the round; empty before its end and in a void round."""
        ...

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat."""
        ...


@dataclass(frozen=True)
class LineMode:
    """Functions that put a game into words, for the line mode (`--plain`) and the full screen."""

    seat_view: Callable[[Observation], ViewModel]
    """Returns the view model (all that may be shown) for the seat of an observation."""
    full_view: Callable[[State], ViewModel]
    """Returns the view model for a spectator, who sees all cards."""
    hidden_events: frozenset[int]
    """Kinds of events that are left out of the log, such as the deal of each card."""
    card_events: frozenset[int]
    """Kinds of events whose sentence ends with one card; the log merges equal ones into a line that lists the cards."""
    action_events: Mapping[int, int]
    """Action that has no log line of its own -> kind of the event that it causes, which is logged instead."""
    parse: Callable[[State, str], int]
    """Parses the text that a person typed into a legal action.

    Raises `InvalidInput`, whose message says what is wrong or what is allowed.
    """
    explain_payoffs: Callable[[SessionView], str]
    """Returns a sentence that explains the payoffs of a finished round; empty if they need no explanation."""

    lines: Callable[[SessionView, ViewModel], list[str]]
    """Returns the lines of text that show the table in line mode, without the legal actions."""
    action_names: Callable[[State], tuple[dict[str, int], str]]
    """Returns (short name to type -> legal action), and a line of text that lists the legal actions."""
    hand: Callable[[str], str]
    """Formats a hand, as `Game.hands_of` returns it, for one line."""
    help: Callable[[State], str]
    """Returns the help text that says how moves are typed."""
    leave: str
    """Text to type to leave the game; a letter that names no card of the game."""


def line_mode_of(name: str) -> LineMode:
    """Return the texts of the game called `name`; a game not in `GAMES` gets those of `generic_view` (plain data)."""
    line_mode: LineMode = load(
        f"cardgames.tui.{name}.line_mode:LINE_MODE" if name in GAMES else "cardgames.tui.generic_view:LINE_MODE"
    )
    return line_mode
