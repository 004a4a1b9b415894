"""The command `curves`: learning curves of several training runs in one plot."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import cardgames
from cardgames.cli import reproduce_text
from cardgames.support.errors import InvalidInput

if TYPE_CHECKING:
    from cardgames.learners.runs.curves import Curve
    from cardgames.learners.runs.run_comparison import TrainingGroup

_WIN_RATE = "win rate"


def curves(
    runs: Annotated[list[str], typer.Argument(metavar="RUN", help="Folders written by `cardgames train`.")],
    png: Annotated[
        str | None, typer.Option("--png", metavar="FILE.png", help="Also draw all curves into this picture.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text, one object per line.")] = False,
) -> None:
    """Plot the win rates of training runs.

    Each curve has 95 % intervals. Runs that differ only in their seed become one curve, their mean.
    """
    from cardgames.learners.runs.curves import plot_bounds, save_png
    from cardgames.learners.runs.run_comparison import compare
    from cardgames.papers.training_curve import curve_row, interval_label

    if "" in (png, *runs):
        raise InvalidInput("an empty name: every RUN is a folder, and --png a file")
    if png and not png.lower().endswith(".png"):
        raise InvalidInput(f"--png needs a file name that ends in .png, not {png}")
    labeled_curves = [
        (f"{trainings.name} against {opponent}", trainings, curve)
        for trainings in compare([Path(run) for run in runs])
        for opponent, curve in trainings.curves.items()
    ]
    if png:
        save_png({label: curve for label, _, curve in labeled_curves}, Path(png), measure=_WIN_RATE)
    frame = plot_bounds(curve for _, _, curve in labeled_curves)
    for label, trainings, curve in labeled_curves:
        row = curve_row(label, curve, interval_label(trainings.seeds), _WIN_RATE)
        if as_json:
            print(json.dumps({"version": cardgames.__version__, **row, "seeds": trainings.seeds}))
        elif len(curve) > 1:
            print(reproduce_text.curve(row, frame))
    if as_json:
        return
    for label, trainings, curve in labeled_curves:
        print(_final_result(label, trainings, curve))
    if png:
        print(f"wrote {png}")


def _final_result(label: str, trainings: "TrainingGroup", curve: "Curve") -> str:
    """Return the win rate at the last point of a learning curve, with interval, rounds and seeds, as a line of text."""
    last, n = curve[-1], len(trainings.seeds)
    trainings_text = f"{n} trainings" if n > 1 else f"seed {trainings.seeds[0]}"
    return (
        f"{label}: {last.rate:.3f} ({last.low:.3f} - {last.high:.3f}) after {last.rounds:,.0f} rounds, {trainings_text}"
    )
