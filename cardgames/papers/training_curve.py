"""Learning curves as a paper's figure has them: the mean reward over the rounds, of players of several seeds together."""

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
from cardgames.papers.training import TrainedPlayer
from cardgames.support.atomic_write import atomic_write
from cardgames.support.errors import InvalidInput
from cardgames.support.intervals import training_interval


def reward_curve(trained: Sequence[TrainedPlayer]) -> Curve:
    """Return the mean reward, from -1 to 1, in the evaluations of players that differ by their seed alone, each against the
    first of its opponents; intervals are of what several trainings come to (`intervals.training_interval`). Those that end
    after so many decisions have played different numbers of rounds: the curve ends where the shortest was evaluated together
    with the others (`curves.match_evaluations`). Raises `InvalidInput`.
    """
    settings = trained[0].learner.settings
    tables = [ProgressTable(each.folder / PROGRESS_FILE).read() for each in trained]
    needed = min(map(len, tables)) if settings.decisions else max(map(len, tables))
    for each, rows_of in zip(trained, tables, strict=True):
        if len(rows_of) < needed or not rows_of or not _is_of_the_end(rows_of[-1], settings):
            raise InvalidInput(f"{each.folder / PROGRESS_FILE} lacks evaluations")
    paid = next(column for column in tables[0][0] if column.endswith(" paid"))
    games = settings.evaluate_games * len(trained)
    curve = []
    for places in match_evaluations([[row["rounds"] for row in rows_of] for rows_of in tables]):
        rows = [rows_of[place] for rows_of, place in zip(tables, places, strict=True)]
        rounds, by_seed = fmean(row["rounds"] for row in rows), [row[paid] for row in rows]
        reward = fmean(by_seed)
        interval = training_interval(by_seed, win_loss_interval(reward, games), (-1.0, 1.0))
        curve.append(Point(rounds, reward, *interval))
    return curve


def _is_of_the_end(row: Mapping[str, float], settings: Settings) -> bool:
    """Return whether a row of a training's progress is of its end."""
    return row["rounds"] >= settings.rounds or 0 < settings.decisions <= row["decisions"]


def interval_label(trained: Sized, alone: str = "95 % intervals of the games of one training") -> str:
    """Return what the intervals of a curve of so many trainings are, `alone` of one."""
    return "95 % intervals over the trainings" if len(trained) > 1 else alone


def curve_row(
    who: str,
    curve: Curve,
    band: str,
    measure: str = "mean reward",
    unit: str = "rounds",
) -> dict[str, Any]:
    """Return a curve as a row; `band` says what its intervals are, `unit` what its points are counted in."""
    words = {"player": who, "shows": measure, "band": band, "unit": unit}
    return words | {"curve": [list(point) for point in curve]}


def save_curves(
    curves: Mapping[str, Curve], folder: str, name: str, measure: str = "mean reward", unit: str = "rounds"
) -> dict[str, Any]:
    """Write `name`.csv and `name`.png into the folder; return a row of `files` written and those `left_out`, and why."""
    path = Path(folder)
    with atomic_write(path / f"{name}.csv") as new, open(new, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["player", unit, measure, "low", "high"])
        writer.writerows([who, *point] for who, curve in curves.items() for point in curve)
    written, left_out = [str(path / f"{name}.csv")], []
    try:
        save_png(curves, path / f"{name}.png", unit=unit, measure=measure)
        written.append(str(path / f"{name}.png"))
    except InvalidInput as error:
        left_out.append(f"{name}.png: {error}")
    return {"files": written, "left_out": left_out}
