"""The command `reproduce`: repeat a table or figure of a paper and compare with the published values."""

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
    """A table, figure or theorem that can be reproduced."""

    description: str
    run: str
    """Import path `module:function` of the function that computes the rows of the table."""
    options: frozenset[str]
    """Command-line options that affect the table, besides `--seed`, `--quick` and `--json`, which every table takes."""

    @property
    def trains(self) -> bool:
        """True if computing the table first trains players, which are saved in the folder `--out`."""
        return "--out" in self.options


_TRAINING_OPTIONS = "--seeds", "--out"
_PAPER_000_OPTIONS = *_TRAINING_OPTIONS, "--games", "--rlcard-network"
_REWARD_TABLE_OPTIONS = *_TRAINING_OPTIONS, "--games", "--only", "--batched", "--stacked", "--rlcard-network"
_PAPER_003_OPTIONS = *_TRAINING_OPTIONS, "--games", "--batched", "--stacked"
_MATCH_OPTIONS = *_TRAINING_OPTIONS, "--games", "--only", "--jobs"


def _table(description: str, run: str, *options: str) -> PaperTable:
    return PaperTable(description, f"cardgames.papers.{run}", frozenset(options))


TABLES = {
    "000-figure2": _table("lengths of rounds with 3 players", "game_lengths:run", "--games"),
    "000-figure6": _table(
        "learning curves of four algorithms, 3 and 4 players", "paper000:figure6", *_PAPER_000_OPTIONS
    ),
    "000-figure7": _table("moving averages of those curves, and leads", "paper000:figure7", *_PAPER_000_OPTIONS),
    "000-table3": _table("three of the algorithms at one table", "paper000:TABLE_3.run", *_PAPER_000_OPTIONS),
    "000-table4": _table("all four algorithms at one table", "paper000:TABLE_4.run", *_PAPER_000_OPTIONS),
    "001-figure1": _table("loss of DQN during training", "loss_curve:run", *_TRAINING_OPTIONS),
    "001-table2": _table("win rates against random agents", "paper001:TABLE_2.run", *_MATCH_OPTIONS),
    "001-table3": _table("win rates of pairs of agents", "paper001:TABLE_3.run", *_MATCH_OPTIONS),
    "001-theorem3.1": _table("accuracy of the particle filter by turn", "theorem31:run", "--games"),
    "002-figure2": _table("number of legal actions per decision", "paper002:figure2", "--games"),
    "002-figure4": _table(
        "learning curves of AFDQN and CANDQN",
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
            (3, "rewards of AFDQN against random players, 1,000 games"),
            (4, "rewards of AFDQN against Human, 1,000 games"),
            (5, "rewards of CANDQN, 1,000 games"),
            (6, "rewards of AFDQN against random players, 2,000 games"),
            (7, "rewards of AFDQN against Human, 2,000 games"),
            (8, "rewards of CANDQN, 2,000 games"),
        )
    },
    "003-figure2": _table("learning curve of DQN, 3 players", "paper003:FIGURE_2.run", *_PAPER_003_OPTIONS),
    "003-figure3": _table("learning curve of Deep SARSA, 3 players", "paper003:FIGURE_3.run", *_PAPER_003_OPTIONS),
    "003-table3": _table("DQN and Deep SARSA with 3, 4 and 5 players", "paper003:table3", *_PAPER_003_OPTIONS),
    "003-table4": _table("DQN, Deep SARSA and random at one table", "paper003:table4", *_PAPER_003_OPTIONS),
    "003-grid": _table("hyperparameters of DQN and Deep SARSA", "paper003:grid", *_PAPER_003_OPTIONS),
    "004-figure2": _table(
        "learning curve of combinational Q-learning", "paper004:figure2", *_TRAINING_OPTIONS, "--games"
    ),
    "004-figure5": _table(
        "win rates of random, rhcp and cql in each role", "paper004:FIGURE_5.run", "--games", "--only", "--jobs"
    ),
}
"""Tables, figures and theorems that can be reproduced, by name; the name starts with the number of the paper."""


def reproduce(
    table: Annotated[
        str | None, typer.Argument(metavar="TABLE", help="Table or figure to reproduce; without it, list them all.")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            help=f"Number of games. [default: {GAMES} per trained player; 1000 per cell of paper 001; 3000 in 004-figure5; "
            "100 in 002-figure2 and 001-theorem3.1; 100000 in 000-figure2]",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of all random numbers.")] = 0,
    seeds: Annotated[
        int | None,
        typer.Option(
            "--seeds",
            metavar="N",
            help="Number of trainings per player, with consecutive seeds from --seed on. "
            f"[default: {TRAININGS}; with --quick 1]",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", help="Number of processes that play the games between agents.")
    ] = 1,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Train small networks for seconds and play fewer games, as a test of the setup."),
    ] = False,
    batched: Annotated[
        bool, typer.Option("--batched", help="Papers 002 and 003: train with large batches, ten times as fast.")
    ] = False,
    stacked: Annotated[
        bool, typer.Option("--stacked", help="Papers 002 and 003: train all players of a table at once on a CUDA GPU.")
    ] = False,
    rlcard_network: Annotated[
        bool,
        typer.Option(
            "--rlcard-network", help="Papers 000 and 002: use RLCard's network for all algorithms except DMC and AFDQN."
        ),
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", metavar="DIR", help=f"Folder in which trainings are saved and continued. [default: {OUT}]"
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="PLAYER", help="Only the rows or curves of this player."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text, one object per line.")] = False,
) -> None:
    """Reproduce a table or figure of a paper.

    Each row shows the published value and the reproduced one, and is printed as soon as it is computed.
    """
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
    """Return the training size whose option (--quick, --batched or --stacked) is set, `Size.FULL` if none is.

    Raises:
        InvalidInput: More than one of the options is set.
    """
    selected = [size for size, is_set in flags.items() if is_set]
    if len(selected) > 1:
        raise InvalidInput(f"--{selected[0]} and --{selected[1]} exclude each other")
    return selected[0] if selected else Size.FULL


def _output_folder(out: str | None) -> str:
    """Return the folder in which trainings are saved: the value of --out, or the default folder if it is None.

    Raises:
        InvalidInput: The path is empty, or exists and is not a folder.
    """
    if out == "":
        raise InvalidInput("--out needs the name of a folder, not an empty text")
    folder = OUT if out is None else out
    if Path(folder).exists() and not Path(folder).is_dir():
        raise InvalidInput(f"cannot save trainings in {folder}: it is not a folder")
    return folder


def _training_labels(table: str, request: Request) -> dict[str, Any]:
    """Return the columns, added to every row of a table, that say how the players were trained.

    `size` is present for tables that train and with --quick; `rlcard_network` and `trainings` only if the options are set.
    """
    labels: dict[str, Any] = {"size": request.size} if request.size is Size.QUICK or TABLES[table].trains else {}
    if request.rlcard_network:
        labels["rlcard_network"] = True
    if request.trainings is not None:
        labels["trainings"] = request.trainings
    return labels


def _check_stacked(rlcard_network: bool) -> None:
    """Raise `InvalidInput` if there is no CUDA device or `--rlcard-network` is given too."""
    from cardgames.search.torch_evaluator import has_cuda

    if rlcard_network:
        raise InvalidInput("--stacked and --rlcard-network exclude each other")
    if not has_cuda():
        raise InvalidInput("--stacked needs a CUDA device, but torch finds none: leave it out")


def _list(as_json: bool) -> None:
    for name, spec in TABLES.items():
        row = {"table": name, "description": spec.description, "trains": spec.trains}
        print(json.dumps(row) if as_json else f"{name:<16} {'trains: ' * spec.trains}{spec.description}")


def _rows(table: str, request: Request) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as they are computed; show a status line on standard error during the computation."""
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
            print(f"stopped; the same command continues the trainings in {request.out}", file=sys.stderr)
        raise


def _check_numbers(given: Mapping[str, int | None]) -> None:
    """Raise `InvalidInput` if the number of an option (option -> number or None) is below 1."""
    for option, number in given.items():
        if number is not None and number < 1:
            raise InvalidInput(f"{option} is a number from 1, not {number}")


def _check_effect(table: str, given: Iterable[str]) -> None:
    """Raise `InvalidInput` if one of the options `given` has no effect on the table; the message names tables with it."""
    for option in given:
        supported = [name for name, spec in TABLES.items() if option in spec.options]
        if table not in supported:
            raise InvalidInput(f"{option} has no effect on {table}, only on {', '.join(supported)}")
