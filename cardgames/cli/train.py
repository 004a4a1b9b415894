"""`train`: let an agent learn, and keep what it learned."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardgames.cli.options import GameName, Rule, Rules, refuse_options
from cardgames.cli.progress import show_status
from cardgames.cli.terminal import columns
from cardgames.cli.train_linear import train_linear
from cardgames.cli.training_progress import PREPARING
from cardgames.cli.training_request import TrainingRequest, parse_settings, table_words
from cardgames.support.errors import InvalidInput, unknown_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardgames.learners.runs.curves import Curve
    from cardgames.learners.runs.run import Run

ALGORITHMS = (
    "linear",
    "dqn",
    "ddqn",
    "sarsa",
    "dmc",
    "nfsp",
    "ddqn-mcts",
    "afdqn",
    "candqn",
    "afcandqn",
    "actor-critic",
)
CHOICE_ALGORITHMS = {"doudizhu": ("dmc", "cql")}
"""Those of games whose networks judge one action at a time."""


def train(
    game: GameName,
    algorithm: Annotated[
        str,
        typer.Argument(
            metavar="ALGORITHM",
            help=f"One of {', '.join(ALGORITHMS)}; of Dou Di Zhu dmc or cql; your own, module:class.",
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="PATH",
            help="The run's folder, runs/ALGORITHM by default; of linear, its file of weights, which must be named.",
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players", metavar="N|N-M", help="How many play, by default as in the paper; N-M: drawn for every round."
        ),
    ] = None,
    rules: Rules = None,
    rule: Rule = None,
    rounds: Annotated[int | None, typer.Option("--rounds", help="Rounds to play; the same as --set rounds=N.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Fixes all chance; 0 by default.")] = None,
    paper: Annotated[
        str | None,
        typer.Option("--paper", metavar="NUMBER", help="Settings, rules and players of another paper: 000 to 004."),
    ] = None,
    config: Annotated[
        str | None, typer.Option("--config", metavar="FILE", help="Settings in TOML; a run's settings.toml repeats it.")
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change one setting; `--set help` lists them."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
    device: Annotated[
        str | None,
        typer.Option(
            "--device", help="Where the network learns: auto, kernel, cpu, cuda. By default auto, or where the run did."
        ),
    ] = None,
    checkpoint: Annotated[
        float | None, typer.Option("--checkpoint", metavar="SECONDS", help="How often the run is made safe; 300.")
    ] = None,
) -> None:
    """Let an agent learn. What no option says is as in the algorithm's paper, rules and players too; an algorithm of no
    paper learns under the game's usual rules, among as few as can play.

    `linear`: REINFORCE in self-play, half a minute; its weights are added to the file. The others train a network in a
    folder of its own (settings, progress, checkpoint, weights). Ctrl-C, SIGTERM or SIGHUP leaves a checkpoint.
    """
    algorithms = CHOICE_ALGORITHMS.get(game, ALGORITHMS)
    if algorithm not in algorithms and ":" not in algorithm:
        raise unknown_name(f"algorithm for {game}", algorithm, algorithms)
    if checkpoint is not None and not checkpoint > 0:
        raise InvalidInput(f"--checkpoint is a number of seconds above 0, not {checkpoint}")
    if algorithm == "linear":
        others = {"--paper": paper, "--config": config, "--set": changes, "--resume": resume, "--device": device}
        refuse_options(others | {"--checkpoint": checkpoint}, "is no option of linear")
        train_linear(game, players, rules, rule, rounds, seed or 0, _output_path(algorithm, out))
        return
    _check_trainable(game)
    request = TrainingRequest(game, algorithm, players, rules, rule, seed, paper, config, device)
    if changes and "help" in changes:
        print(request.base_settings().describe())
        return
    folder, given = Path(_output_path(algorithm, out)), parse_settings(changes or (), rounds)
    try:
        with show_status(lambda: PREPARING):
            run = request.resumed(folder, given) if resume else request.new(folder, given)
    except KeyboardInterrupt:
        print(f"stopped before the first round{' of this sitting' * resume}; nothing is lost")
        raise
    _train(run, checkpoint, resumed=resume)


def _check_trainable(game: str) -> None:
    from cardgames.core.game_registry import game_class
    from cardgames.learners.algorithms.algorithm_registry import check_trainable

    check_trainable(game_class(game))


def _output_path(algorithm: str, out: str | None) -> str:
    """Return where what is learned is kept. Raises `InvalidInput` for an empty path, and for `linear` without one."""
    if out is None and algorithm != "linear":
        return f"runs/{algorithm.rpartition(':')[2]}"
    if not out:
        raise InvalidInput("what is learned is kept: say where with --out PATH")
    return out


def _run_summary(run: "Run", *, resumed: bool) -> str:
    """Return what learns, under which rules, among how many, from which seed, where, and from when on."""
    learner = run.learner
    table = table_words(learner.games)
    begun = f", from {learner.rounds:,} rounds on" if resumed and learner.rounds else ""
    return f"{learner.algorithm_name()}: {table}, seed {learner.seed}, device {learner.online.device}, in {run.folder}{begun}"


def _print_start(run: "Run", *, resumed: bool) -> None:
    """Say what is going to learn, and what its user may not expect of that."""
    from cardgames.learners.runs.run import CHECKPOINT_FILE
    from cardgames.learners.runs.tensorboard import installed

    print(_run_summary(run, resumed=resumed))
    if resumed and not (run.folder / CHECKPOINT_FILE).exists():
        print(f"{run.folder} has no checkpoint yet: it begins anew")
    if run.learner.finished:
        print(
            f"{run.folder} has its {run.learner.rounds:,} rounds already; more of `rounds` or `decisions` make it longer"
        )
    if not resumed and not installed():
        print("no TensorBoard events: TensorBoard is not installed: pip install 'cardgames[learn]'")


def _train(run: "Run", checkpoint: float | None, *, resumed: bool) -> None:
    """Train, showing how it goes, and say what was learned and where it lies."""
    from cardgames.cli.training_progress import announce_stop, show_progress
    from cardgames.learners.runs.run import CHECKPOINT_FILE, CHECKPOINT_SECONDS

    _print_start(run, resumed=resumed)
    before, goes_on = run.learner.rounds, f"--resume --out {run.folder} goes on from the last checkpoint"
    try:
        with show_progress(run.learner.fraction_done) as report:
            finished = run.train(report, checkpoint or CHECKPOINT_SECONDS, announce_stop)
    except KeyboardInterrupt:
        print(f"stopped; {goes_on}, without one from the beginning")
        raise
    except Exception:  # any: somebody's own learner or opponent may raise what it likes
        if run.learner.rounds > before and (run.folder / CHECKPOINT_FILE).exists():
            print(f"stopped after {run.learner.rounds:,} rounds; {goes_on}", flush=True)
        raise
    _print_results(run, finished=finished)
    if not finished:
        raise KeyboardInterrupt


def _print_results(run: "Run", *, finished: bool) -> None:
    """Say how what was learned plays, and where it lies or how it goes on."""
    from cardgames.learners.runs.curves import read_curves
    from cardgames.learners.runs.run import PROGRESS_FILE, WEIGHTS_FILE

    if (run.folder / PROGRESS_FILE).exists():
        _show_curves(read_curves(run.folder / PROGRESS_FILE), run.folder / "curve.png")
    progress_note = "" if finished else f" (after {run.evaluated_after:,} rounds)"
    for evaluation in run.evaluations:
        print(f"{evaluation}{progress_note}")
    if not finished:
        left = ", all of them; an evaluation is missing" if run.learner.finished else ""
        print(f"stopped after {run.learner.rounds:,} rounds{left}; go on with --resume --out {run.folder}", flush=True)
        return
    if not run.learner.has_updates:
        print("what it plays by has learned nothing: no update was due yet")
    print(
        f"{run.folder / WEIGHTS_FILE}: {run.learner.algorithm_name()}, {run.learner.rounds:,} rounds in {run.seconds:.0f} s"
    )


def _show_curves(curves: "Mapping[str, Curve]", path: Path) -> None:
    """Print the curves, and draw them where that can be."""
    from cardgames.learners.runs.curves import draw, save_png

    if not curves:
        return
    for name, curve in curves.items():
        if len(curve) < 2:
            continue
        print(draw(f"win rate against {name}, with 95 % intervals", curve, columns()))
    try:
        save_png({f"against {name}": curve for name, curve in curves.items()}, path)
    except InvalidInput as error:
        print(f"no curve.png: {error}")
