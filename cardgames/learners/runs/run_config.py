"""Configuration of a run: its `settings.toml`, and the identity by which a checkpoint is matched to a run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cardgames
from cardgames.core.game import Game
from cardgames.core.game_registry import game_class, make
from cardgames.core.rules import RuleSet
from cardgames.learners.base.learner import Learner
from cardgames.learners.runs.run_files import Identity
from cardgames.support.errors import InvalidInput, check_integer, check_value, error_context
from cardgames.support.toml_file import read_toml, toml_value, write_toml

FORMAT = "cardgames-run-1"
"""Value of the key `format` in a `settings.toml` that describes a run; a file with settings alone has no such key."""
_REQUIRED_KEYS: Mapping[str, tuple[type, str]] = {
    **dict.fromkeys(("game", "rules_name", "algorithm", "device"), (str, "a text")),
    **dict.fromkeys(("rules", "settings"), (dict, "a table")),
    "players": (list, "a list of whole numbers"),
    "seed": (int, "a whole number"),
}
"""Required key of a `settings.toml` -> type of its value, and description of the type for errors."""


@dataclass(frozen=True)
class RunConfig:
    """Configuration of a training run, as its `settings.toml` describes it."""

    game: str
    """Name of the game."""
    rules: RuleSet
    """Rules of the game."""
    players: list[int]
    """Numbers of players to learn for; one of them is drawn for each round."""
    algorithm: str
    """Name of the algorithm, or `module:class`."""
    settings: Mapping[str, object]
    """Name -> value of those of the algorithm's settings that the `settings.toml` has."""
    seed: int
    """Seed of the run."""
    device: str
    """Device of the training; never `auto`, which might resolve differently on another machine."""

    def make_game(self, players: int, changes: Iterable[str] = ()) -> Game:
        """Return the run's game for `players` players, with some of its rules changed (`axis=value`).

        Raises `InvalidInput` for an invalid number or change.
        """
        return make(self.game, players, self.rules, changes)


def write_run_config(path: Path, learner: Learner) -> None:
    """Write the configuration of a run of `learner` to `path`. Raises `InvalidInput` if that fails."""
    game = learner.games[0]
    write_toml(
        path,
        {
            "format": FORMAT,
            "version": cardgames.__version__,
            "game": game.name,
            "players": [game.num_players for game in learner.games],
            "algorithm": learner.algorithm_name(),
            "seed": learner.seed,
            "device": learner.online.device,
            "rules_name": game.rules.name,
            "rules": game.rules.to_dict(),
            "settings": learner.settings.to_dict(),
        },
    )


def network_notes(learner: Learner) -> dict[str, str]:
    """Return the metadata that is added to the file of a learner's network: its seed, and the version of this package."""
    return {"seed": str(learner.seed), "version": cardgames.__version__}


def identity_of(learner: Learner) -> Identity:
    """Return the identity of a learner's training, which a checkpoint must have to be loaded.

    It has algorithm, seed, numbers of players, rules, and the settings that must not change on resuming. Settings at
    their defaults are omitted, so that checkpoints stay valid when a setting is added. Learners of other packages keep
    all settings, as their defaults may change.
    """
    rules = learner.games[0].rules
    is_external = learner.algorithm_name() != learner.name
    defaults, resumable = {} if is_external else type(learner.settings)().to_dict(), learner.settings.resumable()
    values = learner.settings.to_dict()
    fixed = {
        key: toml_value(value) for key, value in values.items() if value != defaults.get(key) and key not in resumable
    }
    rule_values = {f"rule {axis}": value for axis, value in rules.hashed_values().items()}
    players = "+".join(str(game.num_players) for game in learner.games)
    return {"algorithm": learner.algorithm_name(), "seed": learner.seed, "players": players, **rule_values, **fixed}


def read_run_config(path: Path) -> RunConfig | None:
    """Return the configuration in a run's `settings.toml`, or None if the file has only settings and describes no run.

    Raises `InvalidInput` if the file is damaged or of another format.
    """
    return parse_run_config(read_toml(path), path)


def parse_run_config(data: dict[str, Any], path: Path) -> RunConfig | None:
    """Return the configuration in the parsed contents of a `settings.toml`, or None if it has only settings.

    Raises `InvalidInput`, which names the file `path`, if the contents are damaged or of another format.
    """
    if "format" not in data:
        return None
    if data["format"] != FORMAT:
        raise InvalidInput(f"{path} has the format {data['format']!r}, not {FORMAT!r}")
    if missing := [name for name in _REQUIRED_KEYS if name not in data]:
        raise InvalidInput(f"{path} is damaged: it has no {missing[0]!r}")
    with error_context(f"{path} is damaged"):
        for name, (kind, words) in _REQUIRED_KEYS.items():
            check_value(name, data[name], words, isinstance(data[name], kind))
        players, seed = (
            [check_integer("players", number) for number in data["players"]],
            check_integer("seed", data["seed"]),
        )
        rules = game_class(data["game"]).rule_book.from_dict(data["rules"], data["rules_name"])
    if not players:
        raise InvalidInput(f"{path} is damaged: players is empty")
    return RunConfig(data["game"], rules, players, data["algorithm"], data["settings"], seed, data["device"])
