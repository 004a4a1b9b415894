"""Tables 3 to 8 and figures 2 and 4 of paper 002: the deep Q-networks AFDQN and CANDQN in two-player Uno.

The tables show three experiments, each tested with 1,000 and with 2,000 games. The opponent Human is RLCard's rule model in
the paper's code, which is used here; the paper's text describes another one, the agent `human-rule`. The rules are
`rlcard-2022`, those of RLCard at the time.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from cardgames.kernels.rng import below, derive, stream
from cardgames.papers.joint_training.stacked_training import train_stacked
from cardgames.papers.paper_settings import SETUPS
from cardgames.papers.request import Request
from cardgames.papers.reward_table import RewardCell, RewardTable, select_cells
from cardgames.papers.trained_player import Training
from cardgames.papers.training_curve import curve_row, interval_label, reward_curve, save_curves
from cardgames.support.intervals import ratio_estimate

SETUP = SETUPS["002"]
_HUMAN = "rlcard-rule"
_WEIGHTS = (0.1, 0.5, 1.0, 1.5, 2.0)
_FIGURE_2_GAMES, _QUICK_GAMES, _FEW = 100, 20, 4

_RLCARD_NETWORK_ALGORITHMS = "dqn", "candqn"
"""Algorithms that `--rlcard-network` affects.

The paper's code uses RLCard's network for DQN and behind the branches of CANDQN, but plain ReLU layers for AFDQN.
"""

Figures = Mapping[str, tuple[float | None, ...]]


def _afdqn_cells(opponent: str, baseline: tuple[str, float], rows: Figures) -> tuple[RewardCell, ...]:
    """Return the cells of a table of paper 002 with AFDQN players: the DQN baseline, then one cell for each loss and weight.

    Args:
        opponent: Opponent in training and tests.
        baseline: Name and published reward of the DQN baseline.
        rows: Loss of the second head -> published rewards for each of `_WEIGHTS`; None where nothing is published.
    """
    name, published = baseline
    cells = [RewardCell(name, published, "dqn", opponent)]
    for loss, figures in rows.items():
        for weight, figure in zip(_WEIGHTS, figures, strict=True):
            if figure is not None:
                changes = {"focus_loss": loss, "focus_weight": weight}
                cells.append(RewardCell(f"{loss.upper()}-{weight}", figure, "afdqn", opponent, changes))
    return tuple(cells)


def _candqn_cells(sizes: Mapping[tuple[int, int], float], human: float) -> tuple[RewardCell, ...]:
    """Return the cells of a table of paper 002 with CANDQN players of several branch sizes (D_c, D_n).

    The baseline and every size play against random players; then the baseline and one size play against Human. The tables do
    not name the opponent of 256-256 and 512-512, which stand below Baseline-H. Here it is random, since figure 4c compares
    sizes against random players. The tables do not give the sizes of CANDQN-H either. Here they are the best
    sizes of section 6.2.

    Args:
        sizes: (units of the color branch, units of the number branch) -> published reward.
        human: Published reward of CANDQN-H.
    """
    cells = [RewardCell("Baseline-R", 0.024, "dqn")]
    for (color, number), figure in sizes.items():
        changes = {"color_units": color, "number_units": number}
        cells.append(RewardCell(f"{color}-{number}", figure, "candqn", changes=changes))
    cells.append(RewardCell("Baseline-H", -0.036, "dqn", _HUMAN))
    cells.append(RewardCell("CANDQN-H", human, "candqn", _HUMAN))
    return tuple(cells)


def _table(cells: tuple[RewardCell, ...], games: int) -> RewardTable:
    """Return a table of paper 002, whose players the paper tested in `games` games each."""
    return RewardTable("002", cells, games, _RLCARD_NETWORK_ALGORITHMS)


_RANDOM_BASELINE, _HUMAN_BASELINE = ("Baseline-R", 0.024), ("Baseline-H", -0.036)

TABLE_3 = _table(
    _afdqn_cells(
        "random",
        _RANDOM_BASELINE,
        {"bce": (0.084, 0.088, 0.018, 0.068, 0.014), "mse": (0.048, 0.024, 0.030, 0.136, 0.046)},
    ),
    1000,
)
TABLE_4 = _table(
    _afdqn_cells(
        _HUMAN,
        _HUMAN_BASELINE,
        {"bce": (0.056, 0.036, None, 0.058, 0.040), "mse": (0.056, 0.066, 0.086, 0.048, 0.112)},
    ),
    1000,
)
TABLE_5 = _table(
    _candqn_cells(
        {(128, 128): 0.028, (128, 256): 0.04, (256, 128): 0.062, (256, 256): -0.0364, (512, 512): 0.004}, 0.016
    ),
    1000,
)
TABLE_6 = _table(
    _afdqn_cells(
        "random",
        _RANDOM_BASELINE,
        {"bce": (0.090, 0.109, 0.043, 0.069, 0.019), "mse": (0.058, 0.042, 0.0334, 0.109, 0.028)},
    ),
    2000,
)
TABLE_7 = _table(
    _afdqn_cells(
        _HUMAN,
        _HUMAN_BASELINE,
        {"bce": (0.076, 0.080, None, 0.053, 0.059), "mse": (0.046, 0.075, 0.089, 0.065, 0.086)},
    ),
    2000,
)
TABLE_8 = _table(
    _candqn_cells(
        {(128, 128): 0.044, (128, 256): 0.031, (256, 128): 0.067, (256, 256): 0.01, (512, 512): 0.0034}, 0.051
    ),
    2000,
)


def figure2(request: Request) -> Iterator[dict[str, Any]]:
    """Count the legal actions at every decision of two random players, by default in 100 games.

    The paper does not name its players. Yields a row for each number of legal actions, with its frequency, then a row that
    compares the share of decisions with at most `_FEW` legal actions with the paper's claim.
    """
    game, num_games = SETUP.make_game(SETUP.players[0]), request.number(_FIGURE_2_GAMES, _QUICK_GAMES)
    counts: Counter[int] = Counter()
    few, total_decisions = [0] * num_games, [0] * num_games
    chance = stream(derive(request.seed, 0))
    for number in range(num_games):
        state = game.new_initial_state(seed=derive(request.seed, 1, number))
        while not state.is_terminal():
            legal = state.legal_actions()
            counts[len(legal)] += 1
            few[number] += len(legal) <= _FEW
            total_decisions[number] += 1
            state.apply_action(legal[below(chance, len(legal))])
        request.report_progress(f"{number + 1} of {num_games} games")
    total, so_far = counts.total(), 0
    for size in sorted(counts):
        so_far += counts[size]
        yield {"legal": size, "decisions": counts[size], "share": counts[size] / total, "up_to": so_far / total}
    share, (low, high) = ratio_estimate(few, total_decisions)
    yield {
        "claim": f"mostly at most {_FEW} legal actions",
        "measured": f"{share:.1%} ({low:.1%} - {high:.1%}) of {total:,} decisions",
        "few": share,
        "few_ci95": [low, high],
        "agrees": high > 0.5,
    }


_PANELS = {
    "a": ("AFDQN", TABLE_3, "random"),
    "b": ("AFDQN-H", TABLE_4, _HUMAN),
    "c": ("CANDQN", TABLE_5, "random"),
    "d": ("CANDQN-H", TABLE_5, _HUMAN),
}
"""Panel of figure 4 -> name of the players whose curves it shows, their table, and their opponent.

Each panel also shows the curve of the DQN baseline against that opponent.
"""


def _selected_trainings(request: Request) -> dict[str, dict[str, Training]]:
    """Return the trainings whose curves in figure 4 are requested: panel -> label of the curve -> training.

    Raises `InvalidInput` if no player has the requested name.
    """
    cells = {
        panel: [cell for cell in table.cells if cell.opponent == opponent]
        for panel, (_, table, opponent) in _PANELS.items()
    }
    selected = select_cells(list(chain(*cells.values())), request, _RLCARD_NETWORK_ALGORITHMS)
    shown = dict[str, dict[str, Training]]()
    for panel, (words, table, _) in _PANELS.items():
        for cell in cells[panel]:
            if cell in selected:
                training = table.training(cell, request.rlcard_network)
                shown.setdefault(panel, {})[f"{panel}: {words}, {cell.name}"] = training
    return shown


def figure4(request: Request) -> Iterator[dict[str, Any]]:
    """Train the players of tables 3 to 5, or only `request.only`; yield their learning curves.

    The curves of each panel are written to files; a row names them. The paper shows the curves without values. Raises
    `InvalidInput`.
    """
    shown = _selected_trainings(request)
    train_stacked([training for trainings in shown.values() for training in trainings.values()], request)
    for panel, trainings in shown.items():
        curves = {}
        for label, training in trainings.items():
            trained = training.trained_players(request)
            curves[label] = reward_curve(trained)
            yield curve_row(label, curves[label], interval_label(trained))
        yield save_curves(curves, request.out, request.file_name(f"002-figure4{panel}"))
