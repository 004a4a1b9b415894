"""Reproduction of published tables of mean rewards in two-player Uno: training, test and comparison of their players."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgames.kernels.rng import derive
from cardgames.learners.runs.evaluation import Evaluation, evaluate
from cardgames.papers.comparison import Mean, Published, lead_in_reward, reward
from cardgames.papers.joint_training.stacked_training import train_stacked
from cardgames.papers.paper_settings import SETUPS
from cardgames.papers.request import GAMES, QUICK_GAMES, TEST_CARDS, Request
from cardgames.papers.trained_player import Training
from cardgames.support.errors import InvalidInput, unknown_name

_BASELINE = "dqn"
"""Algorithm of the baseline player; the rewards of all other players are compared with that of the baseline."""


@dataclass(frozen=True)
class RewardCell:
    """A cell of a published table: the mean reward of one player after its training."""

    name: str
    """Name of the player in the paper."""
    published: float
    """Mean reward, in [-1, 1]."""
    algorithm: str
    opponent: str = "random"
    """Agent that is the opponent in training and in tests."""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Settings of this player that differ from the algorithm's settings in the paper: name -> value."""


def select_cells(
    cells: Sequence[RewardCell], request: Request, rlcard_network_algorithms: Sequence[str]
) -> list[RewardCell]:
    """Return the cells of a table or figure that the user requests: that of the player `request.only`, or all cells.

    Args:
        cells: All cells of the table or figure.
        request: Options of the reproduction; `only` and `rlcard_network` are used.
        rlcard_network_algorithms: Algorithms that `--rlcard-network` affects.

    Raises:
        InvalidInput: No cell has that player, or `--rlcard-network` affects none of the selected cells.
    """
    selected = [cell for cell in cells if request.only in (None, cell.name)]
    if not selected:
        raise unknown_name("player", request.only, dict.fromkeys(cell.name for cell in cells))
    if request.rlcard_network and not any(cell.algorithm in rlcard_network_algorithms for cell in selected):
        affected = ", ".join(dict.fromkeys(cell.name for cell in cells if cell.algorithm in rlcard_network_algorithms))
        raise InvalidInput(f"--rlcard-network has no effect on {request.only}, only on {affected}")
    return selected


@dataclass(frozen=True)
class RewardTable:
    """A published table of mean rewards in two-player Uno, with the trained player in the first seat."""

    paper: str
    """Number of the paper."""
    cells: tuple[RewardCell, ...]
    games: int
    """Number of games in which the paper tested each player."""
    rlcard_network_algorithms: tuple[str, ...] = ()
    """Algorithms that `--rlcard-network` affects."""

    def run(self, request: Request) -> Iterator[dict[str, Any]]:
        """Train and test the player of each requested cell, and compare its mean reward with the published one.

        A second row compares the player's lead over the baseline (DQN) with the published lead, if the table has a baseline
        with the same opponent and its cell comes earlier. Raises `InvalidInput`.
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
        """Return the description of how the player of a cell is trained.

        With `rlcard_network` it is trained on RLCard's network, if `rlcard_network_algorithms` has its algorithm.
        """
        changes = {"opponents": cell.opponent, "evaluate": cell.opponent, **cell.changes}
        name = cell.name if cell.opponent == RewardCell.opponent else f"{cell.name}-against-{cell.opponent}"
        training = Training(self.paper, name, cell.algorithm, SETUPS[self.paper], changes)
        return (
            training.on_rlcard_network()
            if rlcard_network and cell.algorithm in self.rlcard_network_algorithms
            else training
        )

    def _row(self, cell: RewardCell, tests: list[Evaluation], rounds: int) -> dict[str, Any]:
        """Return the row that compares the mean reward in `tests` (one for each seed) with the cell's published one.

        To the keys of `comparison.reward` it adds `opponent`, and `rounds`, the number of rounds of a training.
        """
        mean_payoff = [
            Mean(test.mean_payoff, math.sqrt(1 - test.void_rate - test.mean_payoff**2), test.games) for test in tests
        ]
        row = reward(cell.name, f"reward against {cell.opponent}", mean_payoff, Published(cell.published, self.games))
        return row | {"opponent": cell.opponent, "rounds": rounds}
