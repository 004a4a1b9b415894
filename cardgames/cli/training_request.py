"""Which run the options of `train` ask for: a new one, or one in a folder that goes on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgames.cli.options import make_game, numbers_of_players, refuse_options
from cardgames.support.errors import InvalidInput, error_context
from cardgames.support.toml_file import read_toml

if TYPE_CHECKING:
    from cardgames.core.game import Game
    from cardgames.learners.base.learner import Learner
    from cardgames.learners.base.settings import Settings
    from cardgames.learners.runs.run import Run
    from cardgames.learners.runs.run_config import RunConfig
    from cardgames.papers.paper_settings import PaperSetup


_OPTIONS = {"device", "paper", "players", "rule", "rules", "seed"}
"""What is told beside settings, on the command line."""


def parse_settings(changes: Iterable[str], rounds: int | None) -> dict[str, str]:
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
    _reject_options(given)
    return given


def _reject_options(settings: Mapping[str, object]) -> None:
    option = min(_OPTIONS & settings.keys(), default=None)
    if option is not None:
        raise InvalidInput(f"{option} is no setting but an option, --{option}")


@dataclass(frozen=True)
class TrainingRequest:
    """What the command line says of a run; None: nothing."""

    game: str
    algorithm: str
    players: str | None
    rules: str | None
    rule: list[str] | None
    seed: int | None
    paper: str | None
    config: str | None
    device: str | None

    def new(self, folder: Path, given: Mapping[str, str]) -> "Run":
        """Begin a run with some settings given. A file that describes one tells rules, players, seed and device too, where
        the command line does not. Raises `InvalidInput`.
        """
        from cardgames.learners.runs.run import Run
        from cardgames.papers.paper_settings import paper_setup

        settings, run_config = self.base_settings().with_changes(given), self._run_config
        games = self._games(run_config or paper_setup(self.game, self._settings_class, self.paper))
        device = self.device or (run_config and run_config.device) or "auto"
        return Run.start(folder, self.algorithm, games, settings, self._seed or 0, device)

    def resumed(self, folder: Path, given: Mapping[str, str]) -> "Run":
        """Go on with the run in a folder. It keeps all that it began with: what the command line says must be that, but for
        settings that may change. Raises `InvalidInput`.
        """
        from cardgames.learners.runs.run import SETTINGS_FILE, Run
        from cardgames.learners.runs.run_config import read_run_config
        from cardgames.learners.runs.run_files import check_idle
        from cardgames.papers.paper_settings import SETUPS

        saved_config = read_run_config(folder / SETTINGS_FILE) if (folder / SETTINGS_FILE).exists() else None
        if saved_config is not None:
            self._check_same_run(str(folder), saved_config.game, saved_config.algorithm)
        check_idle(folder)
        run = Run.resume(folder, {**self._fixed_settings(), **given}, self.device)
        learner = run.learner
        if self._seed not in (None, learner.seed):
            raise InvalidInput(f"{folder} has seed {learner.seed}, not {self._seed}: a resumed run keeps its seed")
        games = self._games(self._run_config or (SETUPS[self.paper] if self.paper is not None else saved_config))
        if [game.num_players for game in games] != [game.num_players for game in learner.games]:
            raise InvalidInput(f"{folder} has {table_words(learner.games)}: a resumed run keeps its players")
        if games[0].rules != learner.games[0].rules:
            raise InvalidInput(
                f"{folder} has {table_words(learner.games)}, not {games[0].rules.name} rules: a resumed run keeps its rules"
            )
        return run

    def base_settings(self) -> "Settings":
        """Return the paper's settings, changed as the file has them. Raises `InvalidInput`."""
        cls = self._settings_class
        settings, file_settings = cls.from_paper(self.paper) if self.paper is not None else cls(), self._file_settings
        with error_context(self.config):
            return settings.with_changes(file_settings)

    @property
    def _learner_class(self) -> "type[Learner]":
        from cardgames.core.game_registry import game_class
        from cardgames.learners.algorithms.algorithm_registry import algorithm

        return algorithm(self.algorithm, game_class(self.game))

    @property
    def _settings_class(self) -> "type[Settings]":
        return self._learner_class.settings_class

    @cached_property
    def _run_config(self) -> "RunConfig | None":
        """The run that the file describes; None if it has settings alone, or there is none. Raises `InvalidInput`."""
        from cardgames.learners.runs.run_config import parse_run_config

        run_config = parse_run_config(self._file_contents, Path(self.config)) if self.config is not None else None
        if run_config is not None:
            self._check_same_run(str(self.config), run_config.game, run_config.algorithm)
            refuse_options(
                {"--paper": self.paper}, f"has no effect beside {self.config}, which tells every setting of a run"
            )
        return run_config

    @property
    def _seed(self) -> int | None:
        return self._run_config.seed if self.seed is None and self._run_config is not None else self.seed

    @cached_property
    def _file_settings(self) -> Mapping[str, object]:
        """The settings in the file, none without one. Raises `InvalidInput`."""
        from cardgames.learners.base.settings import settings_from_toml

        if self._run_config is not None:
            return self._run_config.settings
        with error_context(self.config):
            file_settings = settings_from_toml(self._file_contents)
            _reject_options(file_settings)
        return file_settings

    @cached_property
    def _file_contents(self) -> dict[str, Any]:
        """What the file says; it may be a pipe, which is read once. Raises `InvalidInput`."""
        return {} if self.config is None else read_toml(Path(self.config))

    def _fixed_settings(self) -> dict[str, object]:
        """Return what paper and file say of the settings a run keeps; how long it is, is its own. Raises `InvalidInput`."""
        base_settings = self.base_settings()
        named = base_settings.to_dict() if self.paper is not None else self._file_settings
        return {
            key: value
            for key, value in base_settings.to_dict().items()
            if key in named and key not in base_settings.resumable()
        }

    def _games(self, defaults: "RunConfig | PaperSetup | None") -> "list[Game]":
        """Return the game for each number of players. What no option says is as in `defaults`; single rules change those.
        Raises `InvalidInput`.
        """
        if self.players is None and defaults is not None:
            numbers = list(defaults.players)
        else:
            numbers = numbers_of_players(self.game, self.players)
        if self.rules is None and defaults is not None:
            return [defaults.make_game(number, self.rule or ()) for number in numbers]
        first = make_game(self.game, numbers[0], self.rules, self.rule)
        # a file of rules may be a pipe, which is read once
        return [first, *(make_game(self.game, number, first.rules, None) for number in numbers[1:])]

    def _check_same_run(self, path: str, run_game: str, run_algorithm: str) -> None:
        """Raise `InvalidInput` unless the run at a path is one of this game and algorithm."""
        requested_algorithm = self._learner_class.algorithm_name()
        if (run_game, run_algorithm) != (self.game, requested_algorithm):
            raise InvalidInput(
                f"{path} holds a run of {run_game} {run_algorithm}, not of {self.game} {requested_algorithm}"
            )


def table_words(games: "Sequence[Game]") -> str:
    """Return under which rules and among how many a run is played."""
    return f"{games[0].rules.name} rules, {', '.join(str(game.num_players) for game in games)} players"
