"""Line chart drawn with braille characters; each line is labeled with a letter."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from textual.content import Content
from textual.widget import Widget

COLORS = ("$primary", "$accent", "$success", "$error", "$card-wild", "$secondary", "$warning", "$foreground")
_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_MARGIN = 8


@dataclass(frozen=True)
class Series:
    """One line of a chart: its points (x, y), its color, and a letter that identifies the line without color."""

    letter: str
    color: str
    points: tuple[tuple[float, float], ...]


class LineChart(Widget):
    """Widget that draws several lines over a common x-axis, scaled to its size."""

    def __init__(self, title: str, write: Callable[[float], str]) -> None:
        super().__init__(classes="chart")
        self.border_title = title
        self._write = write
        self._series: list[Series] = []
        self._empty = ""
        """Text that is shown if the chart has no lines."""

    def show(self, series: Sequence[Series] | None, write: Callable[[float], str] | None = None) -> None:
        """Show the lines in `series`; None, before there is a search report, shows nothing.

        `write` replaces the function that turns values into axis labels.
        """
        self._write = write or self._write
        self._series = [one for one in series or () if one.points]
        self._empty = "" if series is None else "this agent records no convergence"
        self.refresh()

    def render(self) -> Content:
        """Draw the chart: lines, letters and axis labels."""
        width, height = self.size.width - _MARGIN, self.size.height - 1
        if not self._series or width < 4 or height < 2:
            return Content.styled(self._empty, "$foreground-muted")
        ends = max(x for one in self._series for x, _ in one.points)
        ys = [y for one in self._series for _, y in one.points]
        low, high = min(ys), max(ys)
        cells: dict[tuple[int, int], tuple[int, str]] = {}
        letters: dict[tuple[int, int], tuple[str, str]] = {}
        for number, one in enumerate(self._series):
            dots = _dots(one, ends, low, high, width, height)
            for x, y in dots:
                bits, _ = cells.get((x // 2, y // 4), (0, ""))
                cells[x // 2, y // 4] = (bits | _BITS[y % 4][x % 2], one.color)
            # each line has its letters at different positions, so that lines which meet keep theirs
            for x, y in dots[(number + 1) * len(dots) // (len(self._series) + 1) :][:1] + dots[-1:]:
                letters.setdefault((x // 2, y // 4), (one.letter, one.color))
        rows = [self._row(y, width, height, cells, letters, low, high) for y in range(height)]
        axis = f"{'':>{_MARGIN}}0{f'{ends:,.0f} simulations':>{width - 1}}"
        return Content("\n").join([*rows, Content.styled(axis, "$foreground-muted")])

    def _row(
        self,
        y: int,
        width: int,
        height: int,
        cells: dict[tuple[int, int], tuple[int, str]],
        letters: dict[tuple[int, int], tuple[str, str]],
        low: float,
        high: float,
    ) -> Content:
        label = {0: self._write(high), height - 1: self._write(low)}.get(y, "")
        parts: list[Content | tuple[str, str]] = [(f"{label:>{_MARGIN - 1}} ", "$foreground-muted")]
        for x in range(width):
            bits, color = cells.get((x, y), (0, ""))
            letter, own = letters.get((x, y), ("", ""))
            parts.append((letter, f"bold {own}") if letter else (chr(0x2800 + bits) if bits else " ", color))
        return Content.assemble(*parts)


def _dots(one: Series, ends: float, low: float, high: float, width: int, height: int) -> list[tuple[int, int]]:
    """Return the dots (x, y) of a chart line from left to right, on a grid of 2 x 4 dots per character."""
    across, down = 2 * width - 1, 4 * height - 1
    spots = [
        (round(across * x / (ends or 1)), round(down * (1 - (y - low) / ((high - low) or 1)))) for x, y in one.points
    ]
    dots = [spots[0]]
    for (x0, y0), (x1, y1) in pairwise(spots):
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        dots += [(x0 + round((x1 - x0) * i / steps), y0 + round((y1 - y0) * i / steps)) for i in range(1, steps + 1)]
    return dots
