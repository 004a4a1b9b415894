"""`reproduce`: a paper's table, its figures beside ours."""

import json
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

from cardgames.cli.options import Json
from cardgames.cli.progress import waiting
from cardgames.core.errors import InvalidInput, unknown

TABLES = {
    "001-table2": ("win rates against random agents", "cardgames.reproduce.paper001:TABLE_2.run"),
    "001-table3": ("win rates in one-on-one matches", "cardgames.reproduce.paper001:TABLE_3.run"),
    "004-figure5": ("win rates of random and rhcp in each role", "cardgames.reproduce.paper004:FIGURE_5.run"),
    "001-theorem3.1": ("does the belief get better with evidence?", "cardgames.reproduce.theorem31:run"),
    "002-figure2": ("how many actions are legal", "cardgames.reproduce.paper002:figure2"),
    **{
        f"002-table{number}": (f"trains {words}", f"cardgames.reproduce.paper002:TABLE_{number}.run")
        for number, words in (
            (3, "AFDQN against random players, 1,000 games"),
            (4, "AFDQN against Human, 1,000 games"),
            (5, "CANDQN, 1,000 games"),
            (6, "AFDQN against random players, 2,000 games"),
            (7, "AFDQN against Human, 2,000 games"),
            (8, "CANDQN, 2,000 games"),
        )
    },
}

Run = Callable[..., Iterator[dict[str, Any]]]


def reproduce(
    table: Annotated[str | None, typer.Argument(metavar="[TABLE]", help="Which table; all are listed without.")] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help="Games a cell (1000; trained players 10000), a match of three cells (3000), or rounds (100).",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Fixes all chance.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes that share the work.")] = 1,
    quick: Annotated[
        bool, typer.Option("--quick", help="Train small networks for seconds, to see that all works.")
    ] = False,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="Where trainings are kept and gone on with.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a paper's table again: what it published beside what comes out, as each cell is finished."""
    if table is None:
        print("\n".join(f"{name:<16} {words}" for name, (words, _) in TABLES.items()))
        return
    if table not in TABLES:
        raise unknown("table", table, TABLES)
    if games is not None and games < 1:
        raise InvalidInput(f"--games is a number from 1, not {games}")
    if jobs < 1:
        raise InvalidInput(f"--jobs is a number from 1, not {jobs}")
    options: dict[str, Any] = {"quick": True} if quick else {}
    if out:
        options["out"] = out
    if options and not TABLES[table][0].startswith("trains"):
        raise InvalidInput(f"{table} trains nothing: --quick and --out have no effect on it, use --games")
    said = ""

    def note(words: str) -> None:
        nonlocal said
        said = words

    rows = _run(table)(games, seed, jobs, note, **options)
    while True:
        with waiting(lambda: said):
            row = next(rows, None)
        if row is None:
            return
        print(json.dumps(row) if as_json else _line(row), flush=True)


def _run(table: str) -> Run:
    """Return what plays a table."""
    from importlib import import_module
    from operator import attrgetter

    module, _, path = TABLES[table][1].partition(":")
    run: Run = attrgetter(path)(import_module(module))
    return run


def _line(row: dict[str, Any]) -> str:
    """Return an outcome as one line."""
    if "reward" in row:
        low, high = row["ci95"]
        seeds = " ".join(f"{reward:+.3f}" for reward in row["seeds"])
        return (
            f"{row['cell']:<12} published {row['published']:+.3f} +- {row['published_ci95']:.3f}  here {row['reward']:+.3f} "
            f"({low:+.3f} - {high:+.3f}, {row['games']} games; by seed {seeds})  {'agrees' if row['agrees'] else 'differs'}"
        )
    if "legal" in row:
        shares = f"{row['share']:6.1%}  up to here {row['up_to']:6.1%}"
        return f"{row['legal']:>3} legal: {row['decisions']:>6} decisions  {shares}"
    if "published" in row:
        return _cell_line(row)
    first, last = row["turns"]
    return (
        f"turns {first:>2} to {last:<5} {row['decisions']:>6} decisions  right {row['right']:.3f}  "
        f"uniform {row['uniform']:.3f}  gain {row['gain']:+.3f} +- {row['gain_ci95']:.3f}  "
        f"change {row['change']:+.4f}  fell {row['fell']:.0%}"
    )


def _cell_line(row: dict[str, Any]) -> str:
    low, high = row["ci95"]
    players = ",".join(row["agents"]) + (f" as {row['role']}" if row["role"] else "")
    here = f"{row['win_rate']:.3f} ({low:.3f} - {high:.3f}, {row['games']} games)"
    if row["published"] is None:
        return f"{row['reading']:<34} {players:<42} {here}"
    verdict = "agrees" if row["agrees"] else "differs"
    return f"{row['reading']:<34} {players:<42} published {row['published']:.2f}  here {here}  {verdict}"
