"""Text output of the command `reproduce`, with one function per kind of result row.

The kind of a row (a dictionary) is recognized by a key that only rows of this kind have (`_FORMATTERS`).
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cardgames.cli.terminal import columns
from cardgames.papers.comparison import agreement
from cardgames.papers.request import Size

if TYPE_CHECKING:
    from cardgames.learners.runs.curves import PlotBounds

Row = Mapping[str, Any]


def row_text(row: Row) -> str:
    """Return a result row of `reproduce` as text.

    If the row compares a value with the paper's, and the trainings had another size, network or number of seeds than by
    default, the text ends with a note in brackets that says so.
    """
    words = next(formatter for key, formatter in _FORMATTERS.items() if key in row)(row)
    notes = [row["size"]] if row.get("size", Size.FULL) != Size.FULL else []
    notes += ["RLCard's network"] if row.get("rlcard_network") else []
    notes += [f"seeds: {row['trainings']}"] if "trainings" in row else []
    judged = row.get("verdict", row.get("agrees")) not in ("", None)
    return f"{words} [{', '.join(notes)}]" if notes and judged else words


def _legal_text(row: Row) -> str:
    shares = f"{row['share']:6.1%}  cumulative {row['up_to']:6.1%}"
    return f"{row['legal']:>3} legal: {row['decisions']:>6} decisions  {shares}"


def _win_rate_text(row: Row) -> str:
    low, high = row["ci95"]
    players = ",".join(row["agents"]) + (f" as {row['role']}" if row["role"] else "")
    here = f"{row['win_rate']:.3f} ({low:.3f} - {high:.3f}, {row['games']} games)"
    if row["published"] is None:
        return f"{row['reading']:<34} {players:<42} {here}"
    return (
        f"{row['reading']:<34} {players:<42} published {row['published']:.2f}  here {here}  {agreement(row['agrees'])}"
    )


def _belief_text(row: Row) -> str:
    first, last = row["turns"]
    interval = "" if row["gain_ci95"] is None else " ({:+.3f} - {:+.3f})".format(*row["gain_ci95"])
    change = "" if row["change"] is None else f"  change {row['change']:+.4f}  decreased {row['decreased']:.0%}"
    decided = f"{row['decisions']:>7,} decisions, of {row['rounds']:,} rounds"
    return (
        f"turns {first:>2} to {last:<5} {decided}  right {row['correct']:.3f}  "
        f"uniform {row['uniform']:.3f}  gain {row['gain']:+.3f}{interval}{change}"
    )


def _comparison_text(row: Row) -> str:
    low, high = row["ci95"]
    seeds = " ".join(f"{value:.3f}" for value in row["seeds"])
    published = "" if row["published"] is None else f"published {row['published']:.3f}"
    if row["published_ci95"] is not None:
        first, last = row["published_ci95"]
        published += f" ({first:.3f} to {last:.3f})"
    published += "  " if published else ""
    here = f"here {row['reproduced']:.3f} ({low:.3f} to {high:.3f}, {row['games']} games; by seed {seeds})"
    return f"{row['player']}, {row['measure']}: {published}{here}  {row['verdict']}".rstrip()


def curve(row: Row, frame: "PlotBounds | None" = None) -> str:
    """Return a text plot, as wide as the terminal, of a learning curve (a row of `papers.training_curve.curve_row`).

    `frame` sets the bounds of the axes, so that several plots can share them; by default they fit the curve.
    """
    from cardgames.learners.runs.curves import Point, draw

    title = f"{row['shows']} of {row['player']}, with {row['band']}"
    return draw(title, [Point(*point) for point in row["curve"]], columns(), unit=row["unit"], frame=frame)


def _length_text(row: Row) -> str:
    first, last = row["length"]
    return f"{first:>3} to {last:<4} {row['games']:>6} games  {row['share']:6.2%}  {'#' * round(100 * row['share'])}"


def _statement_text(row: Row) -> str:
    return f"published: {row['claim']}  here: {row['measured']}  {agreement(row['agrees'])}"


def _files_text(row: Row) -> str:
    return "\n".join([*row["files"], *(f"no {words}" for words in row["left_out"])])


_FORMATTERS: Mapping[str, Callable[[Row], str]] = {
    "length": _length_text,
    "claim": _statement_text,
    "legal": _legal_text,
    "reading": _win_rate_text,
    "turns": _belief_text,
    "measure": _comparison_text,
    "curve": curve,
    "files": _files_text,
}
