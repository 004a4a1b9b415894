"""The command `train`: train an agent and save its weights."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardgames.cli.options import GameName, Rule, refuse_options
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
"""Allowed algorithms by game, for games whose networks evaluate one action at a time; other games use `ALGORITHMS`."""


def train(
    game: GameName,
    algorithm: Annotated[
        str,
        typer.Argument(
            metavar="ALGORITHM",
            help=f"For Uno: {', '.join(ALGORITHMS)}. For Dou Di Zhu: dmc, cql. For your own: MODULE:CLASS.",
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="PATH",
            help="Folder of the run; for linear, the file of weights (required). [default: runs/ALGORITHM]",
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="N|N-M",
            help="Number of players; for a range N-M it is drawn for every round. [default: that of the paper]",
        ),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="PRESET|FILE.toml",
            help="Rules of the game: a preset (`cardgames rules GAME` lists them) or a TOML file. "
            "[default: those of the paper]",
        ),
    ] = None,
    rule: Rule = None,
    rounds: Annotated[
        int | None, typer.Option("--rounds", metavar="N", help="Number of rounds to play; the same as --set rounds=N.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Seed of all random numbers. [default: 0]")
    ] = None,
    paper: Annotated[
        str | None,
        typer.Option(
            "--paper",
            metavar="NUMBER",
            help="Take settings, rules and players from this paper, 000 to 004. [default: the algorithm's paper]",
        ),
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(
            "--config", metavar="FILE.toml", help="Read settings from this file; the settings.toml of a run repeats it."
        ),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Change one setting. Can be repeated; `--set help` lists them."
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the run in the folder --out.")] = False,
    device: Annotated[
        str | None,
        typer.Option(
            "--device",
            metavar="DEVICE",
            help="Device that trains the network: auto, kernel, cpu or cuda. [default: auto; resumed: that of the run]",
        ),
    ] = None,
    checkpoint: Annotated[
        float | None,
        typer.Option("--checkpoint", metavar="SECONDS", help="Time between checkpoints of the run. [default: 300]"),
    ] = None,
) -> None:
    """Train an agent.

    Settings, rules and players are those of the paper that describes the algorithm, unless options change them. An algorithm
    of no paper uses the game's default rules and its smallest number of players.

    `linear` is trained by REINFORCE in self-play, in half a minute, and its weights are added to the file --out. All other
    algorithms train a network and write a folder with settings, progress, checkpoint and weights. Ctrl-C, SIGTERM or
    SIGHUP stops the training and writes a checkpoint.
    """
    algorithms = CHOICE_ALGORITHMS.get(game, ALGORITHMS)
    if algorithm not in algorithms and ":" not in algorithm:
        raise unknown_name(f"algorithm for {game}", algorithm, algorithms)
    if checkpoint is not None and not checkpoint > 0:
        raise InvalidInput(f"--checkpoint is a number of seconds above 0, not {checkpoint}")
    if algorithm == "linear":
        others = {"--paper": paper, "--config": config, "--set": changes, "--resume": resume, "--device": device}
        refuse_options(others | {"--checkpoint": checkpoint}, "is not an option of linear")
        train_linear(game, players, rules, rule, rounds, seed or 0, _output_path(algorithm, out))
        return
    _check_trainable(game)
    request = TrainingRequest(game, algorithm, players, rules, rule, seed, paper, config, device)
    if changes and "help" in changes:
        print(request.base_settings().describe())
        return
    folder, settings = Path(_output_path(algorithm, out)), parse_settings(changes or (), rounds)
    try:
        with show_status(lambda: PREPARING):
            run = request.resumed(folder, settings) if resume else request.new(folder, settings)
    except KeyboardInterrupt:
        print(f"stopped before the first{' new' * resume} round; nothing is lost")
        raise
    _train(run, checkpoint, resumed=resume)


def _check_trainable(game: str) -> None:
    from cardgames.core.game_registry import game_class
    from cardgames.learners.algorithms.algorithm_registry import check_trainable

    check_trainable(game_class(game))


def _output_path(algorithm: str, out: str | None) -> str:
    """Return the path in which to save the training: --out, by default `runs/ALGORITHM`.

    Raises:
        InvalidInput: The path is empty, or missing for the algorithm `linear`, which has no default.
    """
    if out is None and algorithm != "linear":
        return f"runs/{algorithm.rpartition(':')[2]}"
    if not out:
        raise InvalidInput("no place to save the weights: name it with --out PATH")
    return out


def _run_summary(run: "Run", *, resumed: bool) -> str:
    """Return a line of text with a run's algorithm, rules, players, seed, device, folder and, if resumed, rounds played."""
    learner = run.learner
    table = table_words(learner.games)
    start = f", after {learner.rounds:,} rounds" if resumed and learner.rounds else ""
    device = learner.online.device
    return f"{learner.algorithm_name()}: {table}, seed {learner.seed}, device {device}, in {run.folder}{start}"


def _print_start(run: "Run", *, resumed: bool) -> None:
    """Print the summary of a training run that is about to start or resume.

    Also say if it has no checkpoint to resume from, has already played all its rounds, or TensorBoard is not installed.
    """
    from cardgames.learners.runs.run import CHECKPOINT_FILE
    from cardgames.learners.runs.tensorboard import installed

    print(_run_summary(run, resumed=resumed))
    if resumed and not (run.folder / CHECKPOINT_FILE).exists():
        print(f"{run.folder} has no checkpoint yet: the training starts from the beginning")
    if run.learner.finished:
        print(
            f"{run.folder} has already played its {run.learner.rounds:,} rounds; "
            "to train longer, raise `rounds` or `decisions`"
        )
    if not resumed and not installed():
        print("no TensorBoard events: TensorBoard is not installed (pip install 'cardgames[learn]')")


def _train(run: "Run", checkpoint: float | None, *, resumed: bool) -> None:
    """Train the run with a progress display, and print the results; raise `KeyboardInterrupt` if it was stopped early.

    `checkpoint` is the number of seconds between checkpoints, None for the default.
    """
    from cardgames.cli.training_progress import announce_stop, show_progress
    from cardgames.learners.runs.run import CHECKPOINT_FILE, CHECKPOINT_SECONDS

    _print_start(run, resumed=resumed)
    before, how_to_resume = run.learner.rounds, f"continue from the last checkpoint with --resume --out {run.folder}"
    try:
        with show_progress(run.learner.fraction_done) as report:
            finished = run.train(report, checkpoint or CHECKPOINT_SECONDS, announce_stop)
    except KeyboardInterrupt:
        print(f"stopped; {how_to_resume} (without a checkpoint: from the beginning)")
        raise
    except Exception:  # all of them: a user's own learner or opponent may raise anything
        if run.learner.rounds > before and (run.folder / CHECKPOINT_FILE).exists():
            print(f"stopped after {run.learner.rounds:,} rounds; {how_to_resume}", flush=True)
        raise
    _print_results(run, finished=finished)
    if not finished:
        raise KeyboardInterrupt


def _print_results(run: "Run", *, finished: bool) -> None:
    """Print the run's learning curves and evaluations.

    Then print where the weights are if the training has finished, otherwise how to continue it.
    """
    from cardgames.learners.runs.curves import read_curves
    from cardgames.learners.runs.run import PROGRESS_FILE, WEIGHTS_FILE

    if (run.folder / PROGRESS_FILE).exists():
        _show_curves(read_curves(run.folder / PROGRESS_FILE), run.folder / "curve.png")
    progress_note = "" if finished else f" (after {run.evaluated_after:,} rounds)"
    for evaluation in run.evaluations:
        print(f"{evaluation}{progress_note}")
    if not finished:
        missing = ", before the last evaluation" if run.learner.finished else ""
        print(
            f"stopped after {run.learner.rounds:,} rounds{missing}; continue with --resume --out {run.folder}",
            flush=True,
        )
        return
    if not run.learner.has_updates:
        print("the network that plays is untrained: the run was too short for its first update")
    print(
        f"{run.folder / WEIGHTS_FILE}: {run.learner.algorithm_name()}, {run.learner.rounds:,} rounds in {run.seconds:.0f} s"
    )


def _show_curves(curves: "Mapping[str, Curve]", path: Path) -> None:
    """Print text plots of learning curves (opponent -> curve), and draw all of them into the picture `path`.

    If the picture cannot be written, print why.
    """
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
