"""Learning curves of a run with 95 % intervals: read from its progress file, drawn as text or as PNG."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from cardgames.learners.runs.run_files import ProgressTable
from cardgames.support.atomic_write import atomic_write
from cardgames.support.errors import InvalidInput

_MARGIN = 7
"""Columns left of a text plot, for the labels of the axis."""
_MIN_WIDTH = 20
"""Minimum columns of a text plot."""
_LEGEND_WIDTH, _HANDLE_WIDTH = 110, 8
"""Width of a picture's legend, and of the line sample before a label, in characters."""
_LEGEND_LINE_HEIGHT, _FREE_LEGEND_LINES = 0.18, 4
"""Inches a picture grows per line of the legend, and number of lines that fit without growth."""


class Point(NamedTuple):
    """Point of a learning curve: one evaluation."""

    rounds: float
    """Rounds of training before the evaluation."""
    rate: float
    """Win rate, in [0, 1]."""
    low: float
    """Lower bound of the win rate's 95 % interval."""
    high: float
    """Upper bound of the 95 % interval of the win rate."""


Curve = list[Point]


class PlotBounds(NamedTuple):
    """Ranges of the axes in a plot of learning curves: rounds of training, from 0, and win rate."""

    most: float
    """Greatest number of rounds; the axis starts at 0."""
    low: float
    """Smallest win rate."""
    high: float
    """Greatest win rate."""


def read_curves(progress: Path) -> dict[str, Curve]:
    """Return the learning curves of a run by name of the opponent, from its progress file.

    Raises `InvalidInput` for a damaged file, also for win rates outside [0, 1] and rows not in order of their rounds.
    """
    rows = ProgressTable(progress).read()
    names = [column.removesuffix(" low") for column in (rows[0] if rows else ()) if column.endswith(" low")]
    if rows and not names:
        raise InvalidInput(f"{progress} is damaged: it has no column with the lower bound of a win rate")
    try:
        curves = {
            name: [Point(row["rounds"], row[name], row[f"{name} low"], row[f"{name} high"]) for row in rows]
            for name in names
        }
    except KeyError as error:
        raise InvalidInput(f"{progress} is damaged: it has no column {error}") from None
    for curve in curves.values():
        for rounds, *rates in curve:
            if not (0 <= rounds < math.inf and all(0 <= rate <= 1 for rate in rates)):
                raise InvalidInput(f"{progress} is damaged: after {rounds} rounds a win rate is not in [0, 1]")
        if any(later.rounds < point.rounds for point, later in pairwise(curve)):
            raise InvalidInput(f"{progress} is damaged: its rows are not in order of their rounds")
    return curves


def plot_bounds(curves: Iterable[Sequence[Point]]) -> PlotBounds:
    """Return the smallest ranges that contain all points of the curves with their intervals."""
    points = [point for curve in curves for point in curve]
    bounds = min(point.low for point in points), max(point.high for point in points)
    return PlotBounds(max(point.rounds for point in points), *bounds)


def match_evaluations(rounds: Sequence[Sequence[float]]) -> Iterator[list[int]]:
    """Match evaluations of several trainings by their rounds; yield for each match one evaluation index per training.

    Trainings with the same settings are evaluated after slightly different numbers of rounds, as their tables end
    rounds at different times; a run that was extended has one evaluation more. An evaluation of the training with the
    fewest is matched with the nearest one of each training, provided that it is in turn the nearest to each of these.


    Args:
        rounds: Rounds of each training's evaluations, ascending.
    """
    shortest = min(rounds, key=len)
    for number, at in enumerate(shortest):
        indices = [_nearest(training, at) for training in rounds]
        if all(_nearest(shortest, training[i]) == number for training, i in zip(rounds, indices, strict=True)):
            yield indices


def _nearest(rounds: Sequence[float], at: float) -> int:
    return min(range(len(rounds)), key=lambda i: abs(rounds[i] - at))


def draw(
    title: str,
    curve: Sequence[Point],
    columns: int = 80,
    height: int = 12,
    unit: str = "rounds",
    frame: PlotBounds | None = None,
) -> str:
    """Return a curve as a text plot: a point per evaluation (the last one of each column), and bars for intervals.

    Args:
        title: First line.
        curve: Points of the curve.
        columns: Width of the terminal in columns.
        height: Height of the plot in lines.
        unit: Unit of `Point.rounds`.
        frame: Ranges of the axes, to compare with other curves; by default those of this curve.
    """
    width = max(_MIN_WIDTH, columns - _MARGIN - 1)
    max_rounds, low, high = frame or plot_bounds([curve])
    shown = {round(point.rounds / (max_rounds or 1) * (width - 1)): point for point in curve}
    step = (high - low) / height or 1.0

    def line(rate: float) -> int:
        return min(height - 1, int((rate - low) / step))

    rows = []
    for y in reversed(range(height)):
        label = f"{low + (y + 0.5) * step:.3f}" if y % 4 == 0 or y == height - 1 else ""
        cells = ["│" if x in shown and line(shown[x].low) <= y <= line(shown[x].high) else " " for x in range(width)]
        for x, point in shown.items():
            if line(point.rate) == y:
                cells[x] = "●"
        rows.append(f"{label:>{_MARGIN}} {''.join(cells).rstrip()}")
    axis = f"{'':>{_MARGIN}} 0{f'{max_rounds:,.0f} {unit}':>{width - 1}}"
    return "\n".join([title, *rows, axis])


def save_png(
    curves: Mapping[str, Sequence[Point]], path: Path, unit: str = "rounds", measure: str = "win rate"
) -> None:
    """Plot the curves into a PNG file.

    Args:
        curves: Curves by label.
        path: File to write.
        unit: Label of the x axis.
        measure: Label of the y axis.

    Raises:
        InvalidInput: matplotlib is missing, or the file cannot be written.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InvalidInput("matplotlib is not installed: pip install 'cardgames[learn]'") from None
    columns = max(1, min(4, _LEGEND_WIDTH // (_HANDLE_WIDTH + max(map(len, curves)))))
    labels = [fill(label, _LEGEND_WIDTH) for label in curves]
    lines = -(-sum(label.count("\n") + 1 for label in labels) // columns)
    figure = Figure(figsize=(8, 4.5 + _LEGEND_LINE_HEIGHT * max(0, lines - _FREE_LEGEND_LINES)), layout="constrained")
    axes = figure.add_subplot(xlabel=unit, ylabel=measure)
    for number, (label, curve) in enumerate(zip(labels, curves.values(), strict=True)):
        rounds, rates, lows, highs = zip(*curve, strict=True)
        # matplotlib cycles through ten colors
        axes.plot(rounds, rates, label=label, linestyle=("-", "--", ":")[number // 10 % 3])
        axes.fill_between(rounds, lows, highs, alpha=0.2)
    axes.grid(alpha=0.3)
    figure.legend(loc="outside upper center", ncols=columns, fontsize="small")
    with atomic_write(path) as new:
        figure.savefig(new, format="png", dpi=150)
