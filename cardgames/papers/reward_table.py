"""A published table of trained players, and training them again."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgames.kernels.rng import derive
from cardgames.learners.runs.evaluation import Evaluation, evaluate
from cardgames.papers.comparison import Mean, Published, lead_in_reward, reward
from cardgames.papers.paper_settings import SETUPS
from cardgames.papers.request import GAMES, QUICK_GAMES, TEST_CARDS, Request
from cardgames.papers.stacked.stacked_training import train_stacked
from cardgames.papers.training import Training
from cardgames.support.errors import InvalidInput, unknown_name

_BASELINE = "dqn"
"""The algorithm that a paper's own are to lead."""


@dataclass(frozen=True)
class RewardCell:
    """A published figure: the mean reward, from -1 to 1, of a player after its training."""

    name: str
    """As the paper has it."""
    published: float
    algorithm: str
    opponent: str = "random"
    """Against whom it was trained and tested."""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Of the algorithm's settings in this paper."""


def select_cells(
    cells: Sequence[RewardCell], request: Request, rlcard_network_algorithms: Sequence[str]
) -> list[RewardCell]:
    """Return those of the cells whose rows or curves are wanted; `rlcard_network_algorithms` are the algorithms that have RLCard's network
    where that is asked for. Raises `InvalidInput` if there are none, or none that such a network is for.
    """
    selected = [cell for cell in cells if request.only in (None, cell.name)]
    if not selected:
        raise unknown_name("player", request.only, dict.fromkeys(cell.name for cell in cells))
    if request.rlcard_network and not any(cell.algorithm in rlcard_network_algorithms for cell in selected):
        able = ", ".join(dict.fromkeys(cell.name for cell in cells if cell.algorithm in rlcard_network_algorithms))
        raise InvalidInput(f"--rlcard-network has no effect on {request.only}, only on {able}")
    return selected


@dataclass(frozen=True)
class RewardTable:
    """A table of two-player Uno, the trained player in the first seat."""

    paper: str
    cells: tuple[RewardCell, ...]
    games: int
    """So many the paper tested each player with."""
    rlcard_network_algorithms: tuple[str, ...] = ()
    """The algorithms that have RLCard's network where that is asked for."""

    def run(self, request: Request) -> Iterator[dict[str, Any]]:
        """Train every cell's players, test them, and yield the outcomes as they come, each with its lead over the baseline
        against the same opponent, where that was trained before. Raises `InvalidInput`.
        """
        cells = select_cells(self.cells, request, self.rlcard_network_algorithms)
        trainings = [self.training(cell, request.rlcard_network) for cell in cells]
        train_stacked(trainings, request)
        games, baselines = request.number(GAMES, QUICK_GAMES), dict[str, dict[str, Any]]()
        for cell, training in zip(cells, trainings, strict=True):
            tests = []
            for seed in request.seeds:
                learner = training.learner(request, seed)
                request.report_progress(f"{cell.name}, seed {seed}: {games:,} games")
                test = derive(seed, TEST_CARDS)
                tests.append(evaluate(learner, learner.games[0], cell.opponent, games, test, seats="first"))
            row = self._row(cell, tests, training.settings(request.size).rounds)
            yield row
            if cell.algorithm == _BASELINE:
                baselines[cell.opponent] = row
            elif cell.opponent in baselines:
                yield row | lead_in_reward(row, baselines[cell.opponent])

    def training(self, cell: RewardCell, rlcard_network: bool = False) -> Training:
        """Return how a cell's player is trained, perhaps on RLCard's network if its algorithm may have it."""
        changes = {"opponents": cell.opponent, "evaluate": cell.opponent, **cell.changes}
        name = cell.name if cell.opponent == RewardCell.opponent else f"{cell.name}-against-{cell.opponent}"
        training = Training(self.paper, name, cell.algorithm, SETUPS[self.paper], changes)
        return (
            training.on_rlcard_network()
            if rlcard_network and cell.algorithm in self.rlcard_network_algorithms
            else training
        )

    def _row(self, cell: RewardCell, tests: list[Evaluation], rounds: int) -> dict[str, Any]:
        """Return a row of `compare`, with the cell's `opponent` and the `rounds` of a training."""
        mean_payoff = [
            Mean(test.mean_payoff, math.sqrt(1 - test.void_rate - test.mean_payoff**2), test.games) for test in tests
        ]
        row = reward(cell.name, f"reward against {cell.opponent}", mean_payoff, Published(cell.published, self.games))
        return row | {"opponent": cell.opponent, "rounds": rounds}
