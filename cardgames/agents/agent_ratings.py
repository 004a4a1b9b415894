"""Ratings of agents: the table of a round robin, as data and as text, and the tables that come with the package.

A rating is a number of Elo points: an agent 400 points above another one wins ten games for each that it loses. Ratings are
fitted in `cardgames.arena.ratings`. This module needs neither that fit's libraries nor Numba.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

from cardgames.support.atomic_write import atomic_write, describe_file_error
from cardgames.support.errors import InvalidInput, check_fields, error_context, parsing
from cardgames.support.text_table import text_table

_FOLDER = Path(__file__).parent / "ratings"
_HEAD = "agent", "rating", "95 % interval", "games", "score", "ms/decision", "median ms"


@dataclass(frozen=True)
class AgentRating:
    """Rating of an agent, and the time that it takes for a decision."""

    name: str
    """Name of the agent, with its options."""
    rating: float | None
    """Elo points above the anchor; None if no games connect the two."""
    ci95: tuple[float, float] | None
    """95 % interval of `rating`; that of the anchor is (0, 0). None if there is no rating."""
    games: int
    """Number of games in which the rating was measured."""
    score: float | None
    """Share of these games that were won, where a void game counts as half; None without a game."""
    ms_per_decision: float | None = None
    """Mean processor time of a decision with several legal actions, in ms; None if it was not measured."""
    median_ms: float | None = None
    """Median processor time of a decision with several legal actions, in ms; None if it was not measured."""

    @property
    def half_width(self) -> float | None:
        """Half the width of the 95 % interval, in Elo points."""
        return None if self.ci95 is None else (self.ci95[1] - self.ci95[0]) / 2

    def to_dict(self) -> dict[str, Any]:
        """Return the rating as JSON-serializable data."""
        return asdict(self) | {"ci95": None if self.ci95 is None else list(self.ci95)}


@dataclass(frozen=True)
class RatingTable:
    """Ratings of the agents of a round robin, and how they were measured."""

    game: str
    rules: Mapping[str, str]
    """Name and hash of the rules."""
    players: int
    """Number of seats. In a game with two sides, each match has two agents all the same."""
    anchor: str
    """Name of the agent whose rating is 0."""
    command: str
    """Command that made the table."""
    seed: int
    games: int
    """Number of games of the round robin."""
    version: str
    """Version of the package."""
    machine: str
    """Description of the machine on which the decisions were timed."""
    date: str
    """Day of the measurement, as year-month-day."""
    agents: tuple[AgentRating, ...]
    """Ratings of the agents, the strongest first."""

    def ratings(self) -> dict[str, AgentRating]:
        """Return the rating of each agent by its name."""
        return {entry.name: entry for entry in self.agents}

    def source(self) -> str:
        """Return a line that says for which rules the table holds, and when it was made."""
        players = f"{self.players} players, {self.games:,} games"
        return f"{self.game}, {self.rules['name']} rules, {players}, seed {self.seed}, {self.date}"

    def table(self, width: int | None = None) -> str:
        """Return the ratings as a text table with a line for each agent.

        Args:
            width: Largest width in characters, None for no limit. A name that does not fit has a line of its own.
        """
        return text_table([_HEAD, *map(_cells, self.agents)], width)

    def to_dict(self) -> dict[str, Any]:
        """Return the table as JSON-serializable data."""
        return vars(self) | {"rules": dict(self.rules), "agents": [entry.to_dict() for entry in self.agents]}

    @classmethod
    def from_dict(cls, data: Any) -> "RatingTable":
        """Return the table that `to_dict` wrote as `data`.

        Raises:
            InvalidInput: If `data` is something else.
        """
        check_fields("a table of ratings", data, cls.__dataclass_fields__)
        with parsing("a table of ratings"):
            for entry in data["agents"]:
                check_fields("a rating", entry, AgentRating.__dataclass_fields__)
            agents = tuple(
                AgentRating(**entry | {"ci95": entry["ci95"] and tuple(entry["ci95"])}) for entry in data["agents"]
            )
            return cls(**data | {"agents": agents})

    def write(self, path: str | PathLike[str]) -> None:
        """Write the table to a JSON file, which it replaces. Raises `InvalidInput` if that fails."""
        with atomic_write(path) as new:
            new.write_text(json.dumps(self.to_dict(), indent=1) + "\n", encoding="utf-8")


def read_ratings(path: str | PathLike[str]) -> RatingTable:
    """Return the table of a file that `RatingTable.write` wrote. Raises `InvalidInput` if there is no such file."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(f"cannot read {path}: {describe_file_error(path, error)}") from None
    with error_context(path):
        return RatingTable.from_dict(data)


@cache
def shipped_ratings(game: str) -> RatingTable | None:
    """Return the ratings that come with the package for a game, given by name; None if there are none."""
    path = next(iter(sorted(_FOLDER.glob(f"{game}-*.json"))), None)
    return None if path is None else read_ratings(path)


def _cells(entry: AgentRating) -> tuple[str, ...]:
    """Return the cells of an agent's row in the order of `_HEAD`; unknown values are empty."""

    def text(number: float | None, digits: int) -> str:
        return "" if number is None else f"{number:.{digits}f}"

    return (
        entry.name,
        "-" if entry.rating is None else f"{entry.rating:.0f}",
        "" if entry.ci95 is None else f"{entry.ci95[0]:.0f} to {entry.ci95[1]:.0f}",
        str(entry.games),
        "" if entry.score is None else f"{entry.score:.1%}",
        text(entry.ms_per_decision, 2),
        text(entry.median_ms, 2),
    )
