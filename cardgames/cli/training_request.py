"""Translation of the options of the command `train` into a training run, new or resumed."""

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
"""Names that are options of the command line and therefore cannot be settings."""


def parse_settings(changes: Iterable[str], rounds: int | None) -> dict[str, str]:
    """Return the settings that --set and --rounds change, as setting -> value.

    Args:
        changes: Values of --set, as texts KEY=VALUE.
        rounds: Value of --rounds, which changes the setting `rounds`; None if the option is not given.

    Raises:
        InvalidInput: A text is malformed, a setting is given twice, or its name is that of a command-line option.
    """
    settings: dict[str, str] = {}
    for change in changes:
        key, equals, value = (part.strip() for part in change.partition("="))
        if not equals:
            raise InvalidInput(f"a setting is written KEY=VALUE, not {change!r}")
        if key in settings:
            raise InvalidInput(f"--set {key}={settings[key]} and --set {key}={value} exclude each other")
        settings[key] = value
    if rounds is not None:
        if "rounds" in settings:
            raise InvalidInput(f"--rounds {rounds} and --set rounds={settings['rounds']} exclude each other")
        settings["rounds"] = str(rounds)
    _reject_options(settings)
    return settings


def _reject_options(settings: Mapping[str, object]) -> None:
    option = min(_OPTIONS & settings.keys(), default=None)
    if option is not None:
        raise InvalidInput(f"{option} is not a setting: use the option --{option}")


@dataclass(frozen=True)
class TrainingRequest:
    """Values of the options of `train` that describe a training run; None if not given."""

    game: str
    algorithm: str
    players: str | None
    rules: str | None
    rule: list[str] | None
    seed: int | None
    paper: str | None
    config: str | None
    device: str | None

    def new(self, folder: Path, changes: Mapping[str, str]) -> "Run":
        """Start a new training run.

        If the file --config is the settings.toml of a run, rules, players, seed and device come from it too, except those
        that options set.

        Args:
            folder: Folder of the run.
            changes: Setting -> value, from the command line.

        Raises:
            InvalidInput: An option or setting is invalid, or the folder holds a run already.
        """
        from cardgames.learners.runs.run import Run
        from cardgames.papers.paper_settings import paper_setup

        settings, run_config = self.base_settings().with_changes(changes), self._run_config
        games = self._games(run_config or paper_setup(self.game, self._settings_class, self.paper))
        device = self.device or (run_config and run_config.device) or "auto"
        return Run.start(folder, self.algorithm, games, settings, self._seed or 0, device)

    def resumed(self, folder: Path, changes: Mapping[str, str]) -> "Run":
        """Resume the training run in a folder.

        A resumed run keeps its rules, players, seed and settings. Options that set them again must agree with the run; only
        the settings in `Settings.resumable` may change.

        Args:
            folder: Folder of the run.
            changes: Setting -> value, from the command line.

        Raises:
            InvalidInput: The folder holds no run of this game and algorithm, the run is being trained by another process,
                or options disagree with it.
        """
        from cardgames.learners.runs.run import SETTINGS_FILE, Run
        from cardgames.learners.runs.run_config import read_run_config
        from cardgames.learners.runs.run_files import check_idle
        from cardgames.papers.paper_settings import SETUPS

        saved_config = read_run_config(folder / SETTINGS_FILE) if (folder / SETTINGS_FILE).exists() else None
        if saved_config is not None:
            self._check_same_run(str(folder), saved_config.game, saved_config.algorithm)
        check_idle(folder)
        run = Run.resume(folder, {**self._fixed_settings(), **changes}, self.device)
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
        """Return the settings of the paper (--paper, by default the algorithm's), changed by those in the file --config.

        Raises:
            InvalidInput: The paper has no settings for the algorithm, or the file or a setting in it is invalid.
        """
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
        """Description of a run (rules, players, seed, settings) in the file --config.

        None without a file, or if the file holds only settings.

        Raises:
            InvalidInput: The file is invalid, is for another game or algorithm, or --paper is set too.
        """
        from cardgames.learners.runs.run_config import parse_run_config

        run_config = parse_run_config(self._file_contents, Path(self.config)) if self.config is not None else None
        if run_config is not None:
            self._check_same_run(str(self.config), run_config.game, run_config.algorithm)
            refuse_options(
                {"--paper": self.paper}, f"cannot be used with {self.config}, which gives every setting of a run"
            )
        return run_config

    @property
    def _seed(self) -> int | None:
        return self._run_config.seed if self.seed is None and self._run_config is not None else self.seed

    @cached_property
    def _file_settings(self) -> Mapping[str, object]:
        """Settings in the file --config, as setting -> value; empty without a file.

        Raises:
            InvalidInput: The file is invalid, or one of its settings is a command-line option.
        """
        from cardgames.learners.base.settings import settings_from_toml

        if self._run_config is not None:
            return self._run_config.settings
        with error_context(self.config):
            file_settings = settings_from_toml(self._file_contents)
            _reject_options(file_settings)
        return file_settings

    @cached_property
    def _file_contents(self) -> dict[str, Any]:
        """Parsed contents of the TOML file --config, empty without a file; read once, since the file may be a pipe.

        Raises:
            InvalidInput: The file cannot be read, or is not TOML.
        """
        return {} if self.config is None else read_toml(Path(self.config))

    def _fixed_settings(self) -> dict[str, object]:
        """Return the settings from --paper and --config with which a resumed run must agree, as setting -> value.

        Settings that a resumed run may change, such as its length, are left out, so that the run keeps its own.

        Raises:
            InvalidInput: The file --config or a setting in it is invalid.
        """
        base_settings = self.base_settings()
        explicit = base_settings.to_dict() if self.paper is not None else self._file_settings
        return {
            key: value
            for key, value in base_settings.to_dict().items()
            if key in explicit and key not in base_settings.resumable()
        }

    def _games(self, defaults: "RunConfig | PaperSetup | None") -> "list[Game]":
        """Return one game for each number of players of the run.

        Without --rules or --players the rules or the numbers of players come from `defaults`; --rule changes single rules.

        Raises:
            InvalidInput: The rules or a number of players do not exist.
        """
        if self.players is None and defaults is not None:
            numbers = list(defaults.players)
        else:
            numbers = numbers_of_players(self.game, self.players)
        if self.rules is None and defaults is not None:
            return [defaults.make_game(number, self.rule or ()) for number in numbers]
        first = make_game(self.game, numbers[0], self.rules, self.rule)
        # reuse the parsed rules: the rules file may be a pipe, which can be read only once
        return [first, *(make_game(self.game, number, first.rules, None) for number in numbers[1:])]

    def _check_same_run(self, path: str, run_game: str, run_algorithm: str) -> None:
        """Raise `InvalidInput` unless `run_game` and `run_algorithm`, those of the run at `path`, are the requested ones."""
        requested_algorithm = self._learner_class.algorithm_name()
        if (run_game, run_algorithm) != (self.game, requested_algorithm):
            raise InvalidInput(
                f"{path} holds a run of {run_game} {run_algorithm}, not of {self.game} {requested_algorithm}"
            )


def table_words(games: "Sequence[Game]") -> str:
    """Return a text with the name of the rules and the numbers of players of a training run's games."""
    return f"{games[0].rules.name} rules, {', '.join(str(game.num_players) for game in games)} players"
