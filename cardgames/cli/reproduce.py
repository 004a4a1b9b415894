"""`reproduce`: a paper's table, its figures beside ours."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

import cardgames
from cardgames.cli.progress import waiting
from cardgames.cli.reproduce_text import line
from cardgames.core.errors import InvalidInput, unknown
from cardgames.reproduce.request import OUT, Request, Size


class Table(NamedTuple):
    """What can be reproduced."""

    words: str
    run: str
    """Where the function is that does it."""
    trains: bool = False
    """Its players are trained first, of a size and in a folder that may be told."""
    takes_only: bool = False
    """The rows of one player may be had alone."""
    batches: bool = False
    """Its size may be that of large batches."""
    networks: bool = False
    """Its players may have learned on RLCard's network."""
    plays: bool = True
    """Games are played for it, whose number may be told."""
    shares: bool = False
    """Several processes may share them."""


TABLES = {
    "000-figure2": Table("how long games of three last", "cardgames.reproduce.game_lengths:run"),
    "000-figure6": Table(
        "four learners among 3 and 4, curves", "cardgames.reproduce.paper000:figure6", trains=True, networks=True
    ),
    "000-figure7": Table(
        "their means, and who leads", "cardgames.reproduce.paper000:figure7", trains=True, networks=True
    ),
    "000-table3": Table(
        "three of them at one table", "cardgames.reproduce.paper000:TABLE_3.run", trains=True, networks=True
    ),
    "000-table4": Table(
        "all four at one table", "cardgames.reproduce.paper000:TABLE_4.run", trains=True, networks=True
    ),
    "001-figure1": Table("the loss of DQN", "cardgames.reproduce.loss_curve:run", trains=True, plays=False),
    "001-table2": Table(
        "win rates against random agents",
        "cardgames.reproduce.paper001:TABLE_2.run",
        trains=True,
        takes_only=True,
        shares=True,
    ),
    "001-table3": Table(
        "win rates in one-on-one matches",
        "cardgames.reproduce.paper001:TABLE_3.run",
        trains=True,
        takes_only=True,
        shares=True,
    ),
    "001-theorem3.1": Table("does the belief get better with evidence?", "cardgames.reproduce.theorem31:run"),
    "002-figure2": Table("how many actions are legal", "cardgames.reproduce.paper002:figure2"),
    "002-figure4": Table(
        "AFDQN and CANDQN, curves",
        "cardgames.reproduce.paper002:figure4",
        trains=True,
        batches=True,
        networks=True,
        plays=False,
    ),
    **{
        f"002-table{number}": Table(
            words,
            f"cardgames.reproduce.paper002:TABLE_{number}.run",
            trains=True,
            takes_only=True,
            batches=True,
            networks=True,
        )
        for number, words in (
            (3, "AFDQN against random players, 1,000 games"),
            (4, "AFDQN against Human, 1,000 games"),
            (5, "CANDQN, 1,000 games"),
            (6, "AFDQN against random players, 2,000 games"),
            (7, "AFDQN against Human, 2,000 games"),
            (8, "CANDQN, 2,000 games"),
        )
    },
    "003-figure2": Table(
        "DQN among three, its curve", "cardgames.reproduce.paper003:FIGURE_2.run", trains=True, batches=True
    ),
    "003-figure3": Table(
        "Deep SARSA, its curve", "cardgames.reproduce.paper003:FIGURE_3.run", trains=True, batches=True
    ),
    "003-table3": Table("both among 3, 4 and 5", "cardgames.reproduce.paper003:table3", trains=True, batches=True),
    "003-table4": Table("both and a random player", "cardgames.reproduce.paper003:table4", trains=True, batches=True),
    "003-grid": Table("both, their hyperparameters", "cardgames.reproduce.paper003:grid", trains=True, batches=True),
    "004-figure5": Table(
        "win rates of random and rhcp in each role",
        "cardgames.reproduce.paper004:FIGURE_5.run",
        takes_only=True,
        shares=True,
    ),
}

Run = Callable[[Request], Iterator[dict[str, Any]]]


def reproduce(
    table: Annotated[str | None, typer.Argument(metavar="[TABLE]", help="Which table; all are listed without.")] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help="Games a cell (1000; trained players 10000), a match of three cells (3000), or rounds (100; how long "
            "they last: 100000).",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Fixes all chance.")] = 0,
    seeds: Annotated[
        int | None,
        typer.Option("--seeds", help="Players trained for each figure, from --seed on; 3, in a quick run 1."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes that share the games of a match of agents.")] = 1,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Small networks, trained for seconds, and fewer games, to see that all works."),
    ] = False,
    batched: Annotated[
        bool, typer.Option("--batched", help="Papers 002 and 003: train in large batches, ten times as fast.")
    ] = False,
    rlcard_network: Annotated[
        bool,
        typer.Option("--rlcard-network", help="Papers 000 and 002: on RLCard's network, but for DMC and AFDQN."),
    ] = False,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="Where trainings are kept and gone on with.")
    ] = None,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="PLAYER", help="The rows in which this player plays, where tables have them."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs, an object a line.")] = False,
) -> None:
    """Play a paper's table again: what it published beside what comes out, as each cell is finished."""
    if table is None:
        _list(as_json)
        return
    _check(table, games, seeds, jobs, quick, batched, rlcard_network, out, only)
    size = Size.QUICK if quick else Size.BATCHED if batched else Size.FULL
    asked = Request(games, seed, jobs, size, out or OUT, only, rlcard_network, seeds)
    marks: dict[str, Any] = {"size": size} if quick or TABLES[table].trains else {}
    if rlcard_network:
        marks["rlcard_network"] = True
    head = {"version": cardgames.__version__, "table": table, "seed": seed}
    for row in _rows(table, asked):
        found = row | marks
        print(json.dumps(head | found) if as_json else line(found), flush=True)


def _list(as_json: bool) -> None:
    for name, found in TABLES.items():
        told = {"table": name, "words": found.words, "trains": found.trains}
        print(json.dumps(told) if as_json else f"{name:<16} {'trains: ' * found.trains}{found.words}")


def _rows(table: str, asked: Request) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as they are found, and show what is going on until each is."""
    said = table

    def note(words: str) -> None:
        nonlocal said
        said = words

    rows = _run(table)(replace(asked, note=note))
    while True:
        try:
            with waiting(lambda: said):
                row = next(rows, None)
        except KeyboardInterrupt:
            if TABLES[table].trains and Path(asked.out).is_dir():
                print(f"stopped; the same command goes on with the trainings kept in {asked.out}", file=sys.stderr)
            raise
        if row is None:
            return
        yield row


def _check(
    table: str,
    games: int | None,
    seeds: int | None,
    jobs: int,
    quick: bool,
    batched: bool,
    rlcard_network: bool,
    out: str | None,
    only: str | None,
) -> None:
    """Raise `InvalidInput` for an unknown table and for options that are out of range or have no effect on it."""
    if table not in TABLES:
        raise unknown("table", table, TABLES)
    for option, number in (("--games", games), ("--seeds", seeds), ("--jobs", jobs)):
        if number is not None and number < 1:
            raise InvalidInput(f"{option} is a number from 1, not {number}")
    if quick and batched:
        raise InvalidInput("--quick and --batched exclude each other")
    for option, given, taken in (
        ("--games", games is not None, "plays"),
        ("--seeds", seeds is not None, "trains"),
        ("--jobs", jobs > 1, "shares"),
        ("--batched", batched, "batches"),
        ("--rlcard-network", rlcard_network, "networks"),
        ("--only", only is not None, "takes_only"),
    ):
        if given:
            _require(option, table, taken)
    if out and not TABLES[table].trains:
        raise InvalidInput(f"{table} trains nothing: --out has no effect on it")


def _require(option: str, table: str, taken: str) -> None:
    """Raise `InvalidInput` unless the table is one of those that take an option, as their field `taken` says."""
    able = [name for name, found in TABLES.items() if getattr(found, taken)]
    if table not in able:
        raise InvalidInput(f"{option} has no effect on {table}, only on {', '.join(able)}")


def _run(table: str) -> Run:
    """Return what plays a table."""
    from importlib import import_module
    from operator import attrgetter

    module, _, path = TABLES[table].run.partition(":")
    run: Run = attrgetter(path)(import_module(module))
    return run
