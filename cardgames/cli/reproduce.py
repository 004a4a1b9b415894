"""`reproduce`: a paper's table, its figures beside ours."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

import cardgames
from cardgames.cli.options import refuse_options
from cardgames.cli.progress import iterate_with_status
from cardgames.cli.reproduce_text import row_text
from cardgames.papers.request import GAMES, OUT, TRAININGS, Request, Size
from cardgames.support.errors import InvalidInput, unknown_name


class PaperTable(NamedTuple):
    """What can be reproduced."""

    description: str
    run: str
    """Where the function is that does it."""
    options: frozenset[str]
    """The options that have an effect on it, besides `--seed`, `--quick` and `--json`, which every table takes."""

    @property
    def trains(self) -> bool:
        """Whether its players are trained first, of a size and in a folder that may be told."""
        return "--out" in self.options


_TRAINING_OPTIONS = "--seeds", "--out"
_PAPER_000_OPTIONS = *_TRAINING_OPTIONS, "--games", "--rlcard-network"
_REWARD_TABLE_OPTIONS = *_TRAINING_OPTIONS, "--games", "--only", "--batched", "--stacked", "--rlcard-network"
_PAPER_003_OPTIONS = *_TRAINING_OPTIONS, "--games", "--batched", "--stacked"
_MATCH_OPTIONS = *_TRAINING_OPTIONS, "--games", "--only", "--jobs"


def _table(description: str, run: str, *options: str) -> PaperTable:
    return PaperTable(description, f"cardgames.papers.{run}", frozenset(options))


TABLES = {
    "000-figure2": _table("how long games of three last", "game_lengths:run", "--games"),
    "000-figure6": _table("four learners among 3 and 4, curves", "paper000:figure6", *_PAPER_000_OPTIONS),
    "000-figure7": _table("their means, and who leads", "paper000:figure7", *_PAPER_000_OPTIONS),
    "000-table3": _table("three of them at one table", "paper000:TABLE_3.run", *_PAPER_000_OPTIONS),
    "000-table4": _table("all four at one table", "paper000:TABLE_4.run", *_PAPER_000_OPTIONS),
    "001-figure1": _table("the loss of DQN", "loss_curve:run", *_TRAINING_OPTIONS),
    "001-table2": _table("win rates against random agents", "paper001:TABLE_2.run", *_MATCH_OPTIONS),
    "001-table3": _table("win rates in one-on-one matches", "paper001:TABLE_3.run", *_MATCH_OPTIONS),
    "001-theorem3.1": _table("does the belief get better with evidence?", "theorem31:run", "--games"),
    "002-figure2": _table("how many actions are legal", "paper002:figure2", "--games"),
    "002-figure4": _table(
        "AFDQN and CANDQN, curves",
        "paper002:figure4",
        *_TRAINING_OPTIONS,
        "--only",
        "--batched",
        "--stacked",
        "--rlcard-network",
    ),
    **{
        f"002-table{number}": _table(description, f"paper002:TABLE_{number}.run", *_REWARD_TABLE_OPTIONS)
        for number, description in (
            (3, "AFDQN against random players, 1,000 games"),
            (4, "AFDQN against Human, 1,000 games"),
            (5, "CANDQN, 1,000 games"),
            (6, "AFDQN against random players, 2,000 games"),
            (7, "AFDQN against Human, 2,000 games"),
            (8, "CANDQN, 2,000 games"),
        )
    },
    "003-figure2": _table("DQN among three, its curve", "paper003:FIGURE_2.run", *_PAPER_003_OPTIONS),
    "003-figure3": _table("Deep SARSA, its curve", "paper003:FIGURE_3.run", *_PAPER_003_OPTIONS),
    "003-table3": _table("both among 3, 4 and 5", "paper003:table3", *_PAPER_003_OPTIONS),
    "003-table4": _table("both and a random player", "paper003:table4", *_PAPER_003_OPTIONS),
    "003-grid": _table("both, their hyperparameters", "paper003:grid", *_PAPER_003_OPTIONS),
    "004-figure2": _table("combinational Q-learning, its curve", "paper004:figure2", *_TRAINING_OPTIONS, "--games"),
    "004-figure5": _table(
        "win rates of random, rhcp and cql in each role", "paper004:FIGURE_5.run", "--games", "--only", "--jobs"
    ),
}


def reproduce(
    table: Annotated[str | None, typer.Argument(metavar="[TABLE]", help="Which table; all are listed without.")] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help=f"Games a cell (1000; trained players {GAMES}), a match of three cells (3000), or rounds (100; how long "
            "they last: 100000).",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Fixes all chance.")] = 0,
    seeds: Annotated[
        int | None,
        typer.Option(
            "--seeds", help=f"Players trained for each figure, from --seed on; {TRAININGS}, in a quick run 1."
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes that share the games of a match of agents.")] = 1,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Small networks, trained for seconds, and fewer games, to see that all works."),
    ] = False,
    batched: Annotated[
        bool, typer.Option("--batched", help="Papers 002 and 003: train in large batches, ten times as fast.")
    ] = False,
    stacked: Annotated[
        bool, typer.Option("--stacked", help="Papers 002 and 003: train all players of a table at once on CUDA.")
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
        typer.Option(
            "--only",
            metavar="PLAYER",
            help="The rows in which this player plays, or its curves, where there are others.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs, an object a line.")] = False,
) -> None:
    """Play a paper's table again: what it published beside what comes out, as each cell is finished."""
    given = {
        "--games": games is not None,
        "--seeds": seeds is not None,
        "--jobs": jobs > 1,
        "--batched": batched,
        "--stacked": stacked,
        "--rlcard-network": rlcard_network,
        "--only": only is not None,
        "--out": out is not None,
    }
    if table is None:
        refuse_options(given | {"--quick": quick, "--seed": seed != 0}, "needs a table")
        _list(as_json)
        return
    if table not in TABLES:
        raise unknown_name("table", table, TABLES)
    _check_numbers({"--games": games, "--seeds": seeds, "--jobs": jobs})
    _check_effect(table, [option for option, is_given in given.items() if is_given])
    size = _size({Size.QUICK: quick, Size.BATCHED: batched, Size.STACKED: stacked})
    if size is Size.STACKED:
        _check_stacked(rlcard_network)
    request = Request(games, seed, jobs, size, _output_folder(out), only, rlcard_network, trainings=seeds)
    head, labels = {"version": cardgames.__version__, "table": table, "seed": seed}, _training_labels(table, request)
    for row in _rows(table, request):
        labeled_row = row | labels
        print(json.dumps(head | labeled_row) if as_json else row_text(labeled_row), flush=True)


def _size(flags: Mapping[Size, bool]) -> Size:
    """Return the size that was asked for. Raises `InvalidInput` if several were."""
    selected = [size for size, is_set in flags.items() if is_set]
    if len(selected) > 1:
        raise InvalidInput(f"--{selected[0]} and --{selected[1]} exclude each other")
    return selected[0] if selected else Size.FULL


def _output_folder(out: str | None) -> str:
    """Return where trainings are kept. Raises `InvalidInput` if they cannot be."""
    if out == "":
        raise InvalidInput("--out is a folder, whose name is empty")
    folder = OUT if out is None else out
    if Path(folder).exists() and not Path(folder).is_dir():
        raise InvalidInput(f"cannot keep trainings in {folder}: it is no folder")
    return folder


def _training_labels(table: str, request: Request) -> dict[str, Any]:
    """Return what every row says of how its players were trained."""
    labels: dict[str, Any] = {"size": request.size} if request.size is Size.QUICK or TABLES[table].trains else {}
    if request.rlcard_network:
        labels["rlcard_network"] = True
    if request.trainings is not None:
        labels["trainings"] = request.trainings
    return labels


def _check_stacked(rlcard_network: bool) -> None:
    """Raise `InvalidInput` unless stacks can be trained as asked, on a device that is there."""
    from cardgames.search.torch_evaluator import has_cuda

    if rlcard_network:
        raise InvalidInput("--stacked and --rlcard-network exclude each other")
    if not has_cuda():
        raise InvalidInput("--stacked trains on a CUDA device, and torch finds none here: leave it out")


def _list(as_json: bool) -> None:
    for name, spec in TABLES.items():
        row = {"table": name, "description": spec.description, "trains": spec.trains}
        print(json.dumps(row) if as_json else f"{name:<16} {'trains: ' * spec.trains}{spec.description}")


def _rows(table: str, request: Request) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as they are found, and show what is going on until each is."""
    from cardgames.core.game_registry import load

    status = table

    def report_progress(description: str) -> None:
        nonlocal status
        status = description

    try:
        yield from iterate_with_status(
            load(TABLES[table].run)(replace(request, report_progress=report_progress)), lambda: status
        )
    except KeyboardInterrupt:
        if TABLES[table].trains and Path(request.out).is_dir():
            print(f"stopped; the same command goes on with the trainings kept in {request.out}", file=sys.stderr)
        raise


def _check_numbers(given: Mapping[str, int | None]) -> None:
    """Raise `InvalidInput` unless all that was given is at least 1."""
    for option, number in given.items():
        if number is not None and number < 1:
            raise InvalidInput(f"{option} is a number from 1, not {number}")


def _check_effect(table: str, given: Iterable[str]) -> None:
    """Raise `InvalidInput` if an option that was given has no effect on the table."""
    for option in given:
        supported = [name for name, spec in TABLES.items() if option in spec.options]
        if table not in supported:
            raise InvalidInput(f"{option} has no effect on {table}, only on {', '.join(supported)}")
