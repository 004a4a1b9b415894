"""Learning curves as in the papers' figures: mean reward by number of rounds, averaged over seeds."""

import csv
from collections.abc import Mapping, Sequence, Sized
from pathlib import Path
from statistics import fmean
from typing import Any

from cardgames.learners.base.settings import Settings
from cardgames.learners.runs.curves import Curve, Point, match_evaluations, save_png
from cardgames.learners.runs.run import PROGRESS_FILE
from cardgames.learners.runs.run_files import ProgressTable
from cardgames.papers.comparison import win_loss_interval
from cardgames.papers.trained_player import TrainedPlayer
from cardgames.support.atomic_write import atomic_write
from cardgames.support.errors import InvalidInput
from cardgames.support.intervals import training_interval


def reward_curve(trained: Sequence[TrainedPlayer]) -> Curve:
    """Return the learning curve of a player that was trained with several seeds.

    A point is the mean reward, in [-1, 1], of the evaluations of all trainings after the same number of rounds, with its 95
    % interval. Each player is evaluated against the first of its opponents. The interval includes the variation between
    trainings (`intervals.training_interval`). Trainings that end after a number of decisions play different numbers of
    rounds. Their curve ends at the last evaluation of the shortest training (see `curves.match_evaluations`).

    Args:
        trained: Trained players that differ only in their seed.

    Raises:
        InvalidInput: The progress table of a player lacks evaluations.
    """
    settings = trained[0].learner.settings
    tables = [ProgressTable(player.folder / PROGRESS_FILE).read() for player in trained]
    needed = min(map(len, tables)) if settings.decisions else max(map(len, tables))
    for player, table in zip(trained, tables, strict=True):
        if len(table) < needed or not table or not _is_final(table[-1], settings):
            raise InvalidInput(f"{player.folder / PROGRESS_FILE} lacks evaluations")
    payoff_column = next(column for column in tables[0][0] if column.endswith(" paid"))
    games = settings.evaluate_games * len(trained)
    curve = []
    for places in match_evaluations([[row["rounds"] for row in table] for table in tables]):
        rows = [table[place] for table, place in zip(tables, places, strict=True)]
        rounds, by_seed = fmean(row["rounds"] for row in rows), [row[payoff_column] for row in rows]
        reward = fmean(by_seed)
        interval = training_interval(by_seed, win_loss_interval(reward, games), (-1.0, 1.0))
        curve.append(Point(rounds, reward, *interval))
    return curve


def _is_final(row: Mapping[str, float], settings: Settings) -> bool:
    """Return whether a row of a training's progress table is the evaluation at the end of the training."""
    return row["rounds"] >= settings.rounds or 0 < settings.decisions <= row["decisions"]


def interval_label(trained: Sized, single: str = "95 % intervals over the games of one training") -> str:
    """Return a description of the intervals of a learning curve, for its legend; `single` if there is only one training."""
    return "95 % intervals over the trainings" if len(trained) > 1 else single


def curve_row(
    player: str,
    curve: Curve,
    band: str,
    measure: str = "mean reward",
    unit: str = "rounds",
) -> dict[str, Any]:
    """Return a learning curve as a row, a dictionary that can be printed and written as JSON.

    Args:
        player: Name of the player, for the row.
        curve: Points of the curve.
        band: Description of the intervals of the points.
        measure: Name of the quantity.
        unit: Unit of the horizontal axis.
    """
    labels = {"player": player, "shows": measure, "band": band, "unit": unit}
    return labels | {"curve": [list(point) for point in curve]}


def save_curves(
    curves: Mapping[str, Curve], folder: str, name: str, measure: str = "mean reward", unit: str = "rounds"
) -> dict[str, Any]:
    """Write learning curves to `name`.csv and draw them in `name`.png, both in `folder`.

    Returns:
        A row: `files` lists the paths of the files written, `left_out` the files that could not be written, each with the
        reason, such as a missing plotting library.
    """
    path = Path(folder)
    with atomic_write(path / f"{name}.csv") as new, open(new, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["player", unit, measure, "low", "high"])
        writer.writerows([player, *point] for player, curve in curves.items() for point in curve)
    written, left_out = [str(path / f"{name}.csv")], []
    try:
        save_png(curves, path / f"{name}.png", unit=unit, measure=measure)
        written.append(str(path / f"{name}.png"))
    except InvalidInput as error:
        left_out.append(f"{name}.png: {error}")
    return {"files": written, "left_out": left_out}
