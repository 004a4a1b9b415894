"""Figure 1 of paper 001: the loss of its DQN over 25,000 training iterations.

The figure is a curve; the text says that it flattens out after about 10,000 iterations and converges. The loss is the mean
squared error of Q. Trained is the DQN of tables 2 and 3, under the first reading of the paper's rules.
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
"""Iterations after which the paper's curve flattens out, and all of them."""
_FLAT_TOLERANCE = 0.25
"""By so much of its height a curve may change that is called flat."""
_NUM_INTERVALS = 10
"""Into which a training is cut."""


Losses = Sequence[tuple[int, float, int]]
"""Of each evaluation of a training: the number of updates, the mean loss since the one before, and of how many updates."""


def _losses(folder: Path) -> Losses:
    """Return what the table of progress of the training in a folder tells."""
    rows, before = [], 0
    for row in ProgressTable(folder / PROGRESS_FILE).read():
        done = int(row["updates"])
        if done > before:
            rows.append((done, row["error"], done - before))
        before = done
    return rows


def _mean(losses: Losses, first: float, last: float) -> float:
    """Return the mean loss of the updates from `first` to `last`; nan without any."""
    within = [(loss, updates) for done, loss, updates in losses if first < done <= last]
    updates = sum(number for _, number in within)
    return sum(loss * number for loss, number in within) / updates if updates else math.nan


def _iterations(trainings: Sequence[Losses]) -> int:
    """Return how many updates all of the trainings have come to."""
    return min(losses[-1][0] for losses in trainings)


def loss_curve(trainings: Sequence[Losses]) -> Curve:
    """Return the mean loss over the iterations in `_NUM_INTERVALS`, with intervals of what the trainings come to; of a single
    training none is known. A stretch of which not all trainings tell is left out.
    """
    total = _iterations(trainings)
    points = []
    for stretch in range(_NUM_INTERVALS):
        ends = total * stretch / _NUM_INTERVALS, total * (stretch + 1) / _NUM_INTERVALS
        means = [mean for losses in trainings if not math.isnan(mean := _mean(losses, *ends))]
        if len(means) == len(trainings):
            mean = fmean(means)
            points.append(Point(ends[1], mean, *training_interval(means, (mean, mean), (0.0, math.inf))))
    return points


def _flatness(trainings: Sequence[Losses], end: float) -> dict[str, Any]:
    """Compare the loss at the beginning, in the first half after it is flat in the paper, and in the second half; of a
    shorter training at as early a share of it.
    """
    flat = FLAT * end / _ITERATIONS
    stretches = (0, flat / 4), (flat, (flat + end) / 2), ((flat + end) / 2, math.inf)
    losses = [[_mean(found, *stretch) for stretch in stretches] for found in trainings]
    words = "; ".join(f"{first:.4f}, {middle:.4f}, {last:.4f}" for first, middle, last in losses)
    places = f"to {flat / 4:,.0f}, {flat:,.0f} to {(flat + end) / 2:,.0f}, and after"
    return {
        "claim": f"the loss flattens out after about {FLAT:,} iterations and converges",
        "measured": f"by seed {words} (iterations {places})",
        "losses": losses,
        "agrees": all(
            first > middle and abs(middle - last) <= _FLAT_TOLERANCE * middle for first, middle, last in losses
        ),
    }


def run(request: Request) -> Iterator[dict[str, Any]]:
    """Train the player; yield its loss over the iterations, and whether it is flat from `FLAT` on.

    Raises `InvalidInput`.
    """
    training = DQN.with_rules(READINGS[0].rules, READINGS[0].overrides)
    trained = training.trained_players(request)
    trainings = [_losses(each.folder) for each in trained]
    curve = loss_curve(trainings)
    band = interval_label(trained, "no interval, of one training")
    yield curve_row("DQN", curve, band, "loss", "iterations")
    yield _flatness(trainings, min(_iterations(trainings), _ITERATIONS))
    yield save_curves({"DQN": curve}, request.out, request.file_name("001-figure1"), "loss", "iterations")
