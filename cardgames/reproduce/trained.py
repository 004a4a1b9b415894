"""A published table of trained players, and training them again."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardgames.core.errors import InvalidInput
from cardgames.core.game import make
from cardgames.core.intervals import Z95
from cardgames.core.rng import derive
from cardgames.learners.algorithms import algorithm
from cardgames.learners.evaluation import Evaluation, evaluate
from cardgames.learners.learner import Learner
from cardgames.learners.run import SETTINGS, Progress, Run
from cardgames.learners.settings import Settings

GAMES = 10_000
"""Played with each trained player unless told."""
SEEDS = 3
"""Players trained for each figure; one in a quick run."""
QUICK = {
    "hidden": (64, 64),
    "rounds": 4_000,
    "tables": 32,
    "batch": 128,
    "train_every": 32,
    "learning_rate": 5e-4,
    "target_every": 100,
    "evaluate_games": 200,
}
"""What a quick run changes: a small network for some seconds, to see that all works; its figures are not the paper's."""
_TEST = 17
"""Keeps the cards of the test apart from those of training."""


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
        progress: Callable[[str], None],
        quick: bool = False,
        out: str = "runs/reproduce",
    ) -> Iterator[dict[str, Any]]:
        """Train every cell's players, test them, and yield the outcomes as they come.

        Trainings are kept in the folder `out`: an interrupted one goes on from there, and tables that share one have
        it once. `jobs` has no effect. Raises `InvalidInput`.
        """
        for cell in self.cells:
            tests = []
            for number in range(seed, seed + (1 if quick else SEEDS)):
                learner = self._trained(cell, number, Path(out), quick, progress)
                progress(f"{cell.name}, seed {number}: {games or GAMES:,} games")
                cards = derive(number, _TEST)
                tests.append(evaluate(learner, learner.games[0], cell.opponent, games or GAMES, cards, seats="first"))
            yield self._outcome(cell, tests, learner.settings.rounds)

    def settings(self, cell: TrainedCell, quick: bool) -> Settings:
        """Return what a cell's player is told."""
        settings = algorithm(cell.algorithm).settings_class.of_paper(self.paper)
        against = {"opponents": cell.opponent, "evaluate": cell.opponent}
        return settings.changed({**against, **cell.changes, **(QUICK if quick else {})})

    def _trained(
        self, cell: TrainedCell, seed: int, out: Path, quick: bool, progress: Callable[[str], None]
    ) -> Learner:
        size = "quick" if quick else "full"
        folder = out / f"{self.paper}-{cell.algorithm}-{cell.name}-{size}-{seed}"
        settings = self.settings(cell, quick)
        if (folder / SETTINGS).exists():
            run = Run.resume(folder)
            if run.learner.settings != settings:
                raise InvalidInput(f"{folder} holds a training with other settings: name another folder with --out")
        else:
            run = Run.start(folder, cell.algorithm, [make("uno", 2, self.rules)], settings, seed)

        def report(now: Progress) -> None:
            left = "" if math.isinf(now.left) else f", about {now.left / 60:.0f} min left"
            progress(f"{cell.name}, seed {seed}: {now.rounds:,} rounds, {now.speed:,.0f} decisions/s{left}")

        if not run.learner.finished and not run.train(report):
            raise KeyboardInterrupt
        return run.learner

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
