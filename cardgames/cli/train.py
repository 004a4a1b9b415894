"""`train`: let an agent learn, and keep what it learned."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardgames.cli.options import GameName, Rule, Rules, make_game, numbers_of_players
from cardgames.cli.progress import waiting
from cardgames.cli.train_linear import train_linear
from cardgames.cli.training_progress import PREPARING
from cardgames.core.errors import InvalidInput, unknown

if TYPE_CHECKING:
    from cardgames.core.game import Game
    from cardgames.learners.description import Description
    from cardgames.learners.run import Run
    from cardgames.learners.settings import Settings

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
    "rollouts",
)


class _Beginning(NamedTuple):
    """What a new run is told by options of these names; None: nothing."""

    players: str | None
    rules: str | None
    rule: list[str] | None
    seed: int | None
    paper: str | None
    config: str | None


def train(
    game: GameName,
    algorithm: Annotated[str, typer.Argument(metavar="ALGORITHM", help=f"One of {', '.join(ALGORITHMS)}.")],
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
        typer.Option("--paper", metavar="NUMBER", help="Settings, rules and players of another paper: 000 to 003."),
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
    folder of its own (settings, progress, checkpoint, weights). Ctrl-C or SIGTERM leaves a checkpoint.
    """
    if algorithm not in ALGORITHMS:
        raise unknown("algorithm", algorithm, ALGORITHMS)
    if checkpoint is not None and not checkpoint > 0:
        raise InvalidInput(f"--checkpoint is a number of seconds above 0, not {checkpoint}")
    if algorithm == "linear":
        others = {"--paper": paper, "--config": config, "--set": changes, "--resume": resume, "--device": device}
        _refuse(others | {"--checkpoint": checkpoint}, "is no option of linear")
        train_linear(game, players, rules, rule, rounds, seed or 0, _place(algorithm, out))
        return
    _check_trainable(game)
    if changes and "help" in changes:
        print(_settings_words(algorithm))
        return
    folder, given = _place(algorithm, out), _settings(changes or (), rounds)
    beginning = _Beginning(players, rules, rule, seed, paper, config)
    open_run = _resumed if resume else _new
    with waiting(lambda: PREPARING):
        run = open_run(game, algorithm, folder, beginning, given, device)
    _train(run, checkpoint)


def _place(algorithm: str, out: str | None) -> str:
    """Return where what is learned is kept. Raises `InvalidInput` for an empty path, and for `linear` without one."""
    if out is None and algorithm != "linear":
        return f"runs/{algorithm}"
    if not out:
        raise InvalidInput("what is learned is kept: say where with --out PATH")
    return out


def _settings(changes: Iterable[str], rounds: int | None) -> dict[str, str]:
    """Return setting -> value of changes written KEY=VALUE, and of `rounds` if there is a number. Raises `InvalidInput`, for
    one named twice too.
    """
    given: dict[str, str] = {}
    for change in changes:
        key, equals, value = (part.strip() for part in change.partition("="))
        if not equals:
            raise InvalidInput(f"a setting is written KEY=VALUE, not {change!r}")
        if key in given:
            raise InvalidInput(f"--set {key}={given[key]} and --set {key}={value} say the same thing twice")
        given[key] = value
    if rounds is not None:
        if "rounds" in given:
            raise InvalidInput(f"--rounds {rounds} and --set rounds={given['rounds']} say the same thing twice")
        given["rounds"] = str(rounds)
    return given


def _refuse(options: Mapping[str, object], why: str) -> None:
    for name, value in options.items():
        if value is not None and value is not False and value != []:
            raise InvalidInput(f"{name} {why}")


def _check_trainable(game: str) -> None:
    """Raise `InvalidInput` for a game whose agents cannot follow a network."""
    from cardgames.core.game import game_class

    if game_class(game).network_policy is None:
        raise InvalidInput(f"{game} has no agents that follow a network yet, so nothing is trained for it")


def _settings_words(algorithm: str) -> str:
    from cardgames.learners.algorithms import algorithm as learner

    return learner(algorithm).settings_class.words()


def _new(game: str, algorithm: str, out: str, begin: _Beginning, given: Mapping[str, str], device: str | None) -> "Run":
    """Begin a run. A file that describes one tells rules, players, seed and device too, where the command line does not."""
    from cardgames.learners.run import Run

    told = _told(game, algorithm, begin)
    settings = _basis(algorithm, begin, told).changed(given)
    games = _games(game, algorithm, begin, told)
    seed = begin.seed
    if told is not None:
        seed, device = told.seed if seed is None else seed, device or told.device
    return Run.start(Path(out), algorithm, games, settings, seed or 0, device or "auto")


def _told(game: str, algorithm: str, begin: _Beginning) -> "Description | None":
    """Return the run that the file describes; None if it has settings alone, or there is none. Raises `InvalidInput`."""
    from cardgames.learners.description import described

    told = described(Path(begin.config)) if begin.config is not None else None
    if told is not None:
        _check_held(str(begin.config), told.game, told.algorithm, game, algorithm)
        _refuse({"--paper": begin.paper}, f"has no effect beside {begin.config}, which tells every setting of a run")
    return told


def _basis(algorithm: str, begin: _Beginning, told: "Description | None") -> "Settings":
    """Return the paper's settings, changed as the file has them. Raises `InvalidInput`."""
    from cardgames.learners.algorithms import algorithm as learner
    from cardgames.learners.settings import read_settings

    cls = learner(algorithm).settings_class
    settings = cls.of_paper(begin.paper) if begin.paper is not None else cls()
    if told is not None:
        return settings.changed(told.settings)
    return settings if begin.config is None else settings.changed(read_settings(begin.config))


def _games(game: str, algorithm: str, begin: _Beginning, told: "Description | None") -> "list[Game]":
    """Return the game for each number of players. What no option says is as in the run that is told, or else in the paper;
    single rules change those. Raises `InvalidInput`.
    """
    from cardgames.learners.algorithms import algorithm as learner
    from cardgames.learners.papers import setup_of

    usual = told or setup_of(game, learner(algorithm).settings_class, begin.paper)
    if begin.players is None and usual is not None:
        numbers = list(usual.players)
    else:
        numbers = numbers_of_players(game, begin.players)
    if begin.rules is None and usual is not None:
        return [usual.table(number, begin.rule or ()) for number in numbers]
    return [make_game(game, number, begin.rules, begin.rule) for number in numbers]


def _resumed(
    game: str, algorithm: str, out: str, begin: _Beginning, given: Mapping[str, str], device: str | None
) -> "Run":
    """Go on with a run, which keeps all that it began with."""
    from cardgames.learners.run import Run

    fixed = {f"--{name}": value for name, value in begin._asdict().items()}
    _refuse(fixed, "cannot be changed in a run that is resumed")
    run = Run.resume(Path(out), given, device)
    _check_held(out, run.learner.games[0].name, run.learner.name, game, algorithm)
    return run


def _check_held(path: str, held: str, by: str, game: str, algorithm: str) -> None:
    """Raise `InvalidInput` unless the run at a path is one of this game and algorithm."""
    if (held, by) != (game, algorithm):
        raise InvalidInput(f"{path} holds a run of {held} {by}, not of {game} {algorithm}")


def _first_line(run: "Run") -> str:
    """Return what learns, under which rules, among how many, from which seed, and where."""
    learner = run.learner
    players = ", ".join(str(game.num_players) for game in learner.games)
    table = f"{learner.games[0].rules.name} rules, {players} players"
    return f"{learner.name}: {table}, seed {learner.seed}, device {learner.online.device}, in {run.folder}"


def _train(run: "Run", checkpoint: float | None) -> None:
    """Train, showing how it goes, and say where what was learned lies."""
    from cardgames.cli.training_progress import showing
    from cardgames.learners.board import installed
    from cardgames.learners.curves import draw, read_curves, save_png
    from cardgames.learners.run import CHECKPOINT_SECONDS, PROGRESS, WEIGHTS

    print(_first_line(run))
    if run.learner.finished:
        print(
            f"{run.folder} has its {run.learner.rounds:,} rounds already; more of `rounds` or `decisions` make it longer"
        )
    if not installed():
        print("no TensorBoard events: TensorBoard is not installed: pip install '.[learn]'")
    with showing(run.learner.share) as report:
        finished = run.train(report, checkpoint or CHECKPOINT_SECONDS)
    curves = read_curves(run.folder / PROGRESS)
    for name, curve in curves.items():
        print(draw(f"win rate against {name}, with 95 % intervals", curve))
    try:
        save_png({f"against {name}": curve for name, curve in curves.items()}, run.folder / "curve.png")
    except InvalidInput as error:
        print(f"no curve.png: {error}")
    if not finished:
        print(f"stopped after {run.learner.rounds:,} rounds; go on with --resume")
        raise KeyboardInterrupt
    print(f"{run.folder / WEIGHTS}: {run.learner.name}, {run.learner.rounds:,} rounds in {run.seconds:.0f} s")
