"""`curves`: the learning curves of trainings, side by side."""

import json
from pathlib import Path
from typing import Annotated

import typer

import cardgames
from cardgames.cli.reproduce_text import line
from cardgames.core.errors import InvalidInput


def curves(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Folders of `cardgames train`.")],
    png: Annotated[str | None, typer.Option("--png", metavar="FILE", help="Draw them into a picture too.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs, an object a line.")] = False,
) -> None:
    """Show how trainings learned, side by side: their win rates, with 95 % intervals. Those that differ by their seed alone
    are one curve, of their mean.
    """
    from cardgames.learners.compared import compare
    from cardgames.learners.curves import save_png
    from cardgames.reproduce.curve import band_of, curve_row

    if png is not None and not png:
        raise InvalidInput("--png is the name of a file")
    found, drawn, ends = compare([Path(run) for run in runs]), {}, []
    for trainings in found:
        for opponent, curve in trainings.curves.items():
            who = f"{trainings.name} against {opponent}"
            drawn[who], last = curve, curve[-1]
            row = curve_row(who, curve, band_of(trainings.seeds), "win rate")
            if as_json:
                print(json.dumps({"version": cardgames.__version__, **row, "seeds": trainings.seeds}))
            elif len(curve) > 1:
                print(line(row))
            of = f"{len(trainings.seeds)} trainings" if len(trainings.seeds) > 1 else f"seed {trainings.seeds[0]}"
            ends.append(
                f"{who}: {last.rate:.3f} ({last.low:.3f} - {last.high:.3f}) after {last.rounds:,.0f} rounds, {of}"
            )
    if not as_json:
        print("\n".join(ends))
    if png:
        save_png(drawn, Path(png), measure="win rate")
        if not as_json:
            print(png)
