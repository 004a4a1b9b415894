"""A published table of trained players, and training them again."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cardgames.core.errors import unknown
from cardgames.core.intervals import Z95
from cardgames.learners.evaluation import Evaluation
from cardgames.reproduce.training import OUT, Note, Size, Training, seeds, tested

GAMES = 10_000
"""Played with each trained player unless told."""


@dataclass(frozen=True)
class TrainedCell:
    """A published figure: the mean reward, from -1 to 1, of a player after its training."""

    name: str
    """As the paper has it."""
    published: float
    algorithm: str
    opponent: str = "random"
    """Against whom it was trained and tested."""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Of the algorithm's settings in this paper."""


@dataclass(frozen=True)
class TrainedTable:
    """A table of two-player Uno under one rule set, the trained player in the first seat."""

    paper: str
    words: str
    rules: str
    cells: tuple[TrainedCell, ...]
    games: int
    """So many the paper tested each player with."""

    def run(
        self,
        games: int | None,
        seed: int,
        jobs: int,
        note: Note,
        size: Size = Size.FULL,
        out: str = OUT,
        only: str | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Train every cell's players, or `only` that cell's, test them, and yield the outcomes as they come.

        Trainings are kept in the folder `out`: an interrupted one goes on from there, and tables that share one have
        it once. `jobs` has no effect. Raises `InvalidInput`.
        """
        cells = [cell for cell in self.cells if only is None or only == cell.name]
        if not cells:
            raise unknown("player of the table", only, (cell.name for cell in self.cells))
        for cell in cells:
            tests = []
            for number in seeds(seed, size):
                learner = self.training(cell).trained(number, size, out, note).learner
                note(f"{cell.name}, seed {number}: {games or GAMES:,} games")
                tests.append(tested(learner, learner.games[0], cell.opponent, games or GAMES, number))
            yield self._outcome(cell, tests, learner.settings.rounds)

    def training(self, cell: TrainedCell) -> Training:
        """Return how a cell's player is trained."""
        changes = {"opponents": cell.opponent, "evaluate": cell.opponent, **cell.changes}
        return Training(self.paper, cell.name, cell.algorithm, changes, rules=self.rules)

    def _outcome(self, cell: TrainedCell, tests: list[Evaluation], rounds: int) -> dict[str, Any]:
        games = sum(test.games for test in tests)
        reward = sum(test.paid * test.games for test in tests) / games
        ours, theirs = (1 - value**2 for value in (reward, cell.published))
        half = Z95 * math.sqrt(ours / games)
        return {
            "cell": cell.name,
            "opponent": cell.opponent,
            "published": cell.published,
            "published_ci95": Z95 * math.sqrt(theirs / self.games),
            "reward": reward,
            "ci95": [reward - half, reward + half],
            "seeds": [test.paid for test in tests],
            "games": games,
            "rounds": rounds,
            "agrees": abs(reward - cell.published) <= Z95 * math.sqrt(ours / games + theirs / self.games),
        }
