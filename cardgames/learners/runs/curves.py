"""Learning curves of a run with their 95 % intervals: for a terminal, and as PNG."""

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
_NARROWEST = 20
_LEGEND, _HANDLE = 110, 8
"""Letters that stand side by side in a picture; as wide is what stands before a curve's name."""
_LINE, _LINES = 0.18, 4
"""Inches by which it grows for each line of names, beyond so many."""


class Point(NamedTuple):
    """One evaluation."""

    rounds: float
    rate: float
    low: float
    high: float


Curve = list[Point]


class PlotBounds(NamedTuple):
    """What a plot has room for."""

    most: float
    """Rounds, from 0 on."""
    low: float
    high: float


def read_curves(progress: Path) -> dict[str, Curve]:
    """Return the curves in a run's table of progress, by whom they were played against. Raises `InvalidInput`, for shares
    beyond [0, 1] and rows out of order too.
    """
    rows = ProgressTable(progress).read()
    names = [column.removesuffix(" low") for column in (rows[0] if rows else ()) if column.endswith(" low")]
    if rows and not names:
        raise InvalidInput(f"{progress} is damaged: it has no column of a win rate's lower bound")
    try:
        curves = {
            name: [Point(row["rounds"], row[name], row[f"{name} low"], row[f"{name} high"]) for row in rows]
            for name in names
        }
    except KeyError as error:
        raise InvalidInput(f"{progress} is damaged: it lacks the column {error}") from None
    for curve in curves.values():
        for rounds, *shares in curve:
            if not (0 <= rounds < math.inf and all(0 <= share <= 1 for share in shares)):
                raise InvalidInput(f"{progress} is damaged: after {rounds} rounds a win rate is no share")
        if any(later.rounds < point.rounds for point, later in pairwise(curve)):
            raise InvalidInput(f"{progress} is damaged: its rows are not in the order of their rounds")
    return curves


def plot_bounds(curves: Iterable[Sequence[Point]]) -> PlotBounds:
    """Return what holds all points of some curves, with their intervals."""
    points = [point for curve in curves for point in curve]
    bounds = min(point.low for point in points), max(point.high for point in points)
    return PlotBounds(max(point.rounds for point in points), *bounds)


def match_evaluations(rounds: Sequence[Sequence[float]]) -> Iterator[list[int]]:
    """Yield the places of evaluations that stand for each other, of trainings evaluated after these `rounds`: of the
    shortest, and of all others the nearest, which has none nearer itself.

    Tables that end a round at different times are evaluated after different numbers of rounds, and a run that was made
    longer has been evaluated once more.
    """
    shortest = min(rounds, key=len)
    for number, at in enumerate(shortest):
        places = [_nearest(each, at) for each in rounds]
        if all(_nearest(shortest, each[place]) == number for each, place in zip(rounds, places, strict=True)):
            yield places


def _nearest(rounds: Sequence[float], at: float) -> int:
    return min(range(len(rounds)), key=lambda place: abs(rounds[place] - at))


def draw(
    title: str,
    curve: Sequence[Point],
    columns: int = 80,
    height: int = 12,
    unit: str = "rounds",
    frame: PlotBounds | None = None,
) -> str:
    """Return a curve as text: a point for every evaluation (of some, the last in a column), bars for intervals.

    It takes so many `columns` of a terminal. `unit` is what `Point.rounds` counts; `frame` holds other curves too, which are
    to be compared.
    """
    width = max(_NARROWEST, columns - _MARGIN - 1)
    most, low, high = frame or plot_bounds([curve])
    shown = {round(point.rounds / (most or 1) * (width - 1)): point for point in curve}
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
    axis = f"{'':>{_MARGIN}} 0{f'{most:,.0f} {unit}':>{width - 1}}"
    return "\n".join([title, *rows, axis])


def save_png(
    curves: Mapping[str, Sequence[Point]], path: Path, unit: str = "rounds", measure: str = "win rate"
) -> None:
    """Draw the curves, by their label, into a PNG. Raises `InvalidInput` without matplotlib, or if it cannot be written."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InvalidInput("matplotlib is not installed: pip install 'cardgames[learn]'") from None
    columns = max(1, min(4, _LEGEND // (_HANDLE + max(map(len, curves)))))
    labels = [fill(label, _LEGEND) for label in curves]
    lines = -(-sum(label.count("\n") + 1 for label in labels) // columns)
    figure = Figure(figsize=(8, 4.5 + _LINE * max(0, lines - _LINES)), layout="constrained")
    axes = figure.add_subplot(xlabel=unit, ylabel=measure)
    for number, (label, curve) in enumerate(zip(labels, curves.values(), strict=True)):
        rounds, rates, lows, highs = zip(*curve, strict=True)
        # there are ten colours
        axes.plot(rounds, rates, label=label, linestyle=("-", "--", ":")[number // 10 % 3])
        axes.fill_between(rounds, lows, highs, alpha=0.2)
    axes.grid(alpha=0.3)
    figure.legend(loc="outside upper center", ncols=columns, fontsize="small")
    with atomic_write(path) as new:
        figure.savefig(new, format="png", dpi=150)
