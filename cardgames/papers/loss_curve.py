"""Figure 1 of paper 001: training loss of its DQN over 25,000 iterations (updates of the network).

The figure is a curve; the paper says that it flattens out after about 10,000 iterations and converges. The loss is the mean
squared error of Q. The DQN trained here is that of tables 2 and 3, under the first reading of the paper's rules.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from cardgames.learners.runs.curves import Curve, Point
from cardgames.learners.runs.run import PROGRESS_FILE
from cardgames.learners.runs.run_files import ProgressTable
from cardgames.papers.paper001 import DQN, READINGS
from cardgames.papers.request import Request
from cardgames.papers.training_curve import curve_row, interval_label, save_curves
from cardgames.support.intervals import training_interval

FLAT, _ITERATIONS = 10_000, 25_000
"""`FLAT` is the number of iterations after which the paper's loss curve is flat, `_ITERATIONS` that of the whole curve."""
_FLAT_TOLERANCE = 0.25
"""Largest relative change of the mean loss between the two halves of the flat part that still counts as flat."""
_NUM_INTERVALS = 10
"""Number of points of the loss curve. The training is cut into this number of equal parts; a point is a part's mean loss."""


Losses = Sequence[tuple[int, float, int]]
"""For each evaluation of a training: total number of updates, mean loss since the last evaluation, updates since then."""


def _losses(folder: Path) -> Losses:
    """Return the losses in the progress table of a training, one for each evaluation with updates since the previous one."""
    rows, before = [], 0
    for row in ProgressTable(folder / PROGRESS_FILE).read():
        done = int(row["updates"])
        if done > before:
            rows.append((done, row["error"], done - before))
        before = done
    return rows


def _mean(losses: Losses, first: float, last: float) -> float:
    """Return the mean loss over the updates with numbers above `first` up to `last`; NaN if none is recorded."""
    within = [(loss, updates) for done, loss, updates in losses if first < done <= last]
    updates = sum(number for _, number in within)
    return sum(loss * number for loss, number in within) / updates if updates else math.nan


def _iterations(trainings: Sequence[Losses]) -> int:
    """Return the number of updates of the shortest training."""
    return min(losses[-1][0] for losses in trainings)


def loss_curve(trainings: Sequence[Losses]) -> Curve:
    """Return the mean loss, averaged over trainings, in each of `_NUM_INTERVALS` equal parts of the iterations.

    Each point has the 95 % interval over the trainings; for a single training its width is 0. A part of the iterations in
    which some training has no evaluation is left out.
    """
    total = _iterations(trainings)
    points = []
    for part in range(_NUM_INTERVALS):
        ends = total * part / _NUM_INTERVALS, total * (part + 1) / _NUM_INTERVALS
        means = [mean for losses in trainings if not math.isnan(mean := _mean(losses, *ends))]
        if len(means) == len(trainings):
            mean = fmean(means)
            points.append(Point(ends[1], mean, *training_interval(means, (mean, mean), (0.0, math.inf))))
    return points


def _flatness(trainings: Sequence[Losses], end: float) -> dict[str, Any]:
    """Return a row that says whether the loss flattens out as the paper claims.

    The paper's curve is flat after `FLAT` iterations. The claim holds if for every seed the mean loss in the first quarter
    of the part before `FLAT` is above that in the first half of the flat part, and the two halves of the flat part differ by
    at most `_FLAT_TOLERANCE`. If a training has only `end` iterations, fewer than the paper's, these limits are scaled down.
    """
    flat = FLAT * end / _ITERATIONS
    parts = (0, flat / 4), (flat, (flat + end) / 2), ((flat + end) / 2, math.inf)
    losses = [[_mean(training, *part) for part in parts] for training in trainings]
    words = "; ".join(f"{first:.4f}, {middle:.4f}, {last:.4f}" for first, middle, last in losses)
    limits = f"to {flat / 4:,.0f}, {flat:,.0f} to {(flat + end) / 2:,.0f}, and after"
    return {
        "claim": f"the loss flattens out after about {FLAT:,} iterations and converges",
        "measured": f"by seed {words} (iterations {limits})",
        "losses": losses,
        "agrees": all(
            first > middle and abs(middle - last) <= _FLAT_TOLERANCE * middle for first, middle, last in losses
        ),
    }


def run(request: Request) -> Iterator[dict[str, Any]]:
    """Train the DQN of paper 001; yield its loss curve, a row that says whether the curve gets flat, and the files written.

    Raises `InvalidInput`.
    """
    training = DQN.with_rules(READINGS[0].rules, READINGS[0].overrides)
    trained = training.trained_players(request)
    trainings = [_losses(player.folder) for player in trained]
    curve = loss_curve(trainings)
    band = interval_label(trained, "no interval for a single training")
    yield curve_row("DQN", curve, band, "loss", "iterations")
    yield _flatness(trainings, min(_iterations(trainings), _ITERATIONS))
    yield save_curves({"DQN": curve}, request.out, request.file_name("001-figure1"), "loss", "iterations")
