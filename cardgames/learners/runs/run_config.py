"""What a run was told: its `settings.toml`, written and read back, and what tells its checkpoints from those of others."""

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
"""By which such a file is told from one of settings alone."""
_REQUIRED_KEYS: Mapping[str, tuple[type, str]] = {
    **dict.fromkeys(("game", "rules_name", "algorithm", "device"), (str, "a text")),
    **dict.fromkeys(("rules", "settings"), (dict, "a table")),
    "players": (list, "a list of whole numbers"),
    "seed": (int, "a whole number"),
}
"""What such a file has to say, and as what."""


@dataclass(frozen=True)
class RunConfig:
    """What a run was told."""

    game: str
    rules: RuleSet
    players: list[int]
    """How many play; of several, one number is drawn for every round."""
    algorithm: str
    settings: Mapping[str, object]
    seed: int
    device: str
    """Where it learned: never `auto`, of which another machine may make something else."""

    def make_game(self, players: int, changes: Iterable[str] = ()) -> Game:
        """Return the game among so many, with some rules changed (`axis=value`). Raises `InvalidInput`."""
        return make(self.game, players, self.rules, changes)


def write_run_config(path: Path, learner: Learner) -> None:
    """Write what `read_run_config` returns of a run of `learner`. Raises `InvalidInput` if it cannot be written."""
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
    """Return what the file of a learner's network tells of it besides."""
    return {"seed": str(learner.seed), "version": cardgames.__version__}


def identity_of(learner: Learner) -> Identity:
    """Return what a checkpoint must be of to be this learner's. Settings at their defaults are left out, so that one more
    setting some day does not make all checkpoints those of others; but not those of learners outside this package, whose
    defaults may change.
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
    """Return what a file says of a run, None if it is not a run's `settings.toml`. Raises `InvalidInput`,
    of another format too.
    """
    return parse_run_config(read_toml(path), path)


def parse_run_config(data: dict[str, Any], path: Path) -> RunConfig | None:
    """Return what `read_run_config` does, of the contents of the file at `path`."""
    if "format" not in data:
        return None
    if data["format"] != FORMAT:
        raise InvalidInput(f"{path} is of the format {data['format']!r}, not of {FORMAT!r}")
    if missing := [name for name in _REQUIRED_KEYS if name not in data]:
        raise InvalidInput(f"{path} is damaged: it lacks {missing[0]!r}")
    with error_context(f"{path} is damaged"):
        for name, (kind, words) in _REQUIRED_KEYS.items():
            check_value(name, data[name], words, isinstance(data[name], kind))
        players, seed = (
            [check_integer("players", number) for number in data["players"]],
            check_integer("seed", data["seed"]),
        )
        rules = game_class(data["game"]).rule_book.from_dict(data["rules"], data["rules_name"])
    if not players:
        raise InvalidInput(f"{path} is damaged: nobody plays")
    return RunConfig(data["game"], rules, players, data["algorithm"], data["settings"], seed, data["device"])
