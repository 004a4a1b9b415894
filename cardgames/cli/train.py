"""`train`: let an agent learn, and keep what it learned."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardgames.cli.options import GameName, Rule, Rules, make_game
from cardgames.cli.progress import waiting
from cardgames.core.errors import InvalidInput, unknown

if TYPE_CHECKING:
    from cardgames.learners.run import Run

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
_LINEAR_ROUNDS = 1_600_000


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
            help="The run's folder; of linear, its file of weights. Always needed but for `--set help`.",
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", metavar="N|N-M", help="How many play; N-M: drawn for every round.")
    ] = None,
    rules: Rules = None,
    rule: Rule = None,
    rounds: Annotated[int | None, typer.Option("--rounds", help="Rounds to play; the same as --set rounds=N.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Fixes all chance; 0 by default.")] = None,
    paper: Annotated[
        str | None, typer.Option("--paper", metavar="NUMBER", help="The settings of another paper: 000 to 003.")
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
        str | None, typer.Option("--device", help="Where the network learns: auto (default), kernel, cpu, cuda.")
    ] = None,
    checkpoint: Annotated[
        float | None, typer.Option("--checkpoint", metavar="SECONDS", help="How often the run is made safe; 300.")
    ] = None,
) -> None:
    """Let an agent learn.

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
    else:
        _check_trainable(game)
    if changes and "help" in changes:
        print(_settings_words(algorithm))
        return
    if not out:
        raise InvalidInput("what is learned is kept: say where with --out PATH")
    given = _settings(changes or ())
    if rounds is not None:
        if "rounds" in given:
            raise InvalidInput(f"--rounds {rounds} and --set rounds={given['rounds']} say the same thing twice")
        given["rounds"] = str(rounds)
    if algorithm == "linear":
        numbers = _players(game, players)
        if len(numbers) > 1:
            raise InvalidInput(f"linear learns for one number of players at a time, not {players}")
        _train_linear(game, numbers[0], rules, rule, _LINEAR_ROUNDS if rounds is None else rounds, seed or 0, out)
        return
    beginning = _Beginning(players, rules, rule, seed, paper, config)
    if resume:
        fixed = {f"--{name}": value for name, value in beginning._asdict().items()}
        _refuse(fixed, "cannot be changed in a run that is resumed")
        run = _resumed(game, algorithm, out, given, device)
    else:
        run = _new(game, algorithm, out, beginning, given, device)
    _train(run, checkpoint)


def _settings(changes: Iterable[str]) -> dict[str, str]:
    """Return setting -> value of changes written KEY=VALUE. Raises `InvalidInput`, for one named twice too."""
    given: dict[str, str] = {}
    for change in changes:
        key, equals, value = (part.strip() for part in change.partition("="))
        if not equals:
            raise InvalidInput(f"a setting is written KEY=VALUE, not {change!r}")
        if key in given:
            raise InvalidInput(f"--set {key}={given[key]} and --set {key}={value} say the same thing twice")
        given[key] = value
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


def _players(game: str, text: str | None) -> list[int]:
    """Return the numbers of players in `3` or `2-4`; the game's smallest by default."""
    from cardgames.core.game import game_class

    if text is None:
        return [game_class(game).min_players]
    low, dash, high = text.partition("-")
    try:
        first, last = int(low), int(high if dash else low)
    except ValueError:
        first, last = 1, 0
    if first > last:
        raise InvalidInput(f"--players is a number, or two like 2-4, not {text}")
    return list(range(first, last + 1))


def _settings_words(algorithm: str) -> str:
    from cardgames.learners.algorithms import algorithm as learner

    return learner(algorithm).settings_class.words()


def _new(game: str, algorithm: str, out: str, begin: _Beginning, given: dict[str, str], device: str | None) -> "Run":
    """Begin a run. The paper's settings come first, then the file's, then those named one by one. A file that describes a
    run tells rules, players, seed and device too, each unless the command line does, which may also change single rules.
    """
    from cardgames.learners.algorithms import algorithm as learner
    from cardgames.learners.description import described
    from cardgames.learners.run import Run
    from cardgames.learners.settings import read_settings

    config, seed = begin.config, begin.seed
    told = described(Path(config)) if config else None
    if told is not None:
        _check_held(str(config), told.game, told.algorithm, game, algorithm)
        _refuse({"--paper": begin.paper}, f"has no effect beside {config}, which tells every setting of a run")
        seed, device = told.seed if seed is None else seed, device or told.device
    cls = learner(algorithm).settings_class
    settings = cls.of_paper(begin.paper) if begin.paper else cls()
    file = told.settings if told is not None else read_settings(config) if config else {}
    settings = settings.changed(file).changed(given)
    numbers = told.players if told is not None and begin.players is None else _players(game, begin.players)
    if told is None or begin.rules is not None:
        games = [make_game(game, number, begin.rules, begin.rule) for number in numbers]
    else:
        games = [told.table(number, begin.rule or ()) for number in numbers]
    return Run.start(Path(out), algorithm, games, settings, seed or 0, device or "auto")


def _resumed(game: str, algorithm: str, out: str, given: dict[str, str], device: str | None) -> "Run":
    from cardgames.learners.run import Run

    run = Run.resume(Path(out), given, device)
    _check_held(out, run.learner.games[0].name, run.learner.name, game, algorithm)
    return run


def _check_held(path: str, held: str, by: str, game: str, algorithm: str) -> None:
    """Raise `InvalidInput` unless the run at a path is one of this game and algorithm."""
    if (held, by) != (game, algorithm):
        raise InvalidInput(f"{path} holds a run of {held} {by}, not of {game} {algorithm}")


def _train(run: "Run", checkpoint: float | None) -> None:
    """Train, showing how it goes, and say where what was learned lies."""
    from cardgames.cli.training import showing
    from cardgames.learners.board import installed
    from cardgames.learners.curves import draw, read_curves, save_png
    from cardgames.learners.run import CHECKPOINT_SECONDS, PROGRESS, WEIGHTS

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


def _train_linear(
    game: str, players: int, rules: str | None, rule: list[str] | None, rounds: int, seed: int, out: str
) -> None:
    if game != "uno":
        raise InvalidInput(f"linear is a policy of uno, not of {game}")
    table = make_game(game, players, rules, rule)
    from cardgames.learners import linear
    from cardgames.uno.linear_weights import add_weights, check_addable, table_name

    if rounds < linear.BATCHES:
        raise InvalidInput(f"--rounds is a number from {linear.BATCHES}, not {rounds}")
    check_addable(out)
    share = 0.0

    def note(done: float) -> None:
        nonlocal share
        share = done

    with waiting(lambda: f"{share:.0%} of {rounds:,} rounds"):
        weights = linear.train(table, rounds=rounds, seed=seed, progress=note)
    add_weights(out, table, weights, seed)
    print(f"{out}: {table_name(table)}, {rounds:,} rounds, seed {seed}")
