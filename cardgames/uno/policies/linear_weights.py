"""Files of weights for the linear policy: safetensors, one tensor for a preset and a number of players."""

import functools
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import cardgames
from cardgames.core.game import Game
from cardgames.support.atomic_write import describe_file_error, file_stamp
from cardgames.support.errors import InvalidInput
from cardgames.support.file_lock import locked
from cardgames.support.tensor_file import read_tensors, write_tensors
from cardgames.uno.policies.linear_policy import ACTION_TYPES, FEATURES, NUM_WEIGHTS

WEIGHTS_FOLDER = Path(__file__).parents[1] / "weights"
PRETRAINED = WEIGHTS_FOLDER / "linear.safetensors"
_LOCK_TIMEOUT = 60
"""Seconds to wait, before a training begins, for another that adds its weights to the same file."""
MOST_PLAYERS = 4
"""More players use the weights for so many."""

Weights = dict[str, NDArray[np.float32]]
"""`preset-players` -> weights [NUM_WEIGHTS]."""


def linear_weights(game: Game, path: str | None = None) -> NDArray[np.float32]:
    """Return the weights [NUM_WEIGHTS] for rules and players like those of `game`, from a file or as shipped.

    Those shipped are for some presets, of which the one whose rules agree on the most axes serves; a file given must have
    the table that training for such a game writes (`table_name`). Raises `InvalidInput`.
    """
    if path is not None:
        tables, name = read_weights(path), table_name(game)
        if name not in tables:
            raise InvalidInput(f"{path} has no weights {name}, but {', '.join(sorted(tables)) or 'none'}")
        return tables[name]
    tables = read_weights(str(PRETRAINED))
    presets = [preset for preset in game.rule_book.presets if _table_name(preset, game) in tables]
    return tables[_table_name(game.rule_book.nearest_preset(game.rules, presets), game)]


def table_name(game: Game) -> str:
    """Return the name of the table for the preset nearest to the rules of `game` and for its players."""
    return _table_name(game.rule_book.nearest_preset(game.rules, game.rule_book.presets), game)


def _table_name(preset: str, game: Game) -> str:
    return f"{preset}-{min(game.num_players, MOST_PLAYERS)}"


def read_weights(path: str) -> Weights:
    """Return the tables of a file. Raises `InvalidInput` if it is not one of linear weights."""
    return _read_cached(path, file_stamp(path))


@functools.lru_cache(maxsize=16)
def _read_cached(path: str, stamp: tuple[int, int]) -> Weights:
    """Return the tables of a file, read once for as long as it is the same: an arena makes new agents for every deal."""
    return _read(path)[0]


def _read(path: str) -> tuple[Weights, dict[str, str]]:
    tables, metadata = read_tensors(path)
    for name, table in tables.items():
        if table.shape != (NUM_WEIGHTS,) or table.dtype != np.float32 or not np.isfinite(table).all():
            raise InvalidInput(f"{path}: {name} is no table of {NUM_WEIGHTS} linear weights")
    return tables, metadata


def check_can_add_weights(path: str, game: Game) -> None:
    """Raise `InvalidInput` unless weights for a game may be added to a file: it holds some of others or can be made."""
    _check_absent(path, table_name(game), read_weights(path) if Path(path).exists() else {})
    try:
        tempfile.TemporaryFile(dir=Path(path).resolve().parent).close()
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {describe_file_error(path, error)}") from None
    with _lock_for_writing(path, _LOCK_TIMEOUT):
        pass


def _lock_for_writing(path: str, timeout: float) -> AbstractContextManager[None]:
    """Keep a file from other trainings that would add to it."""
    target = Path(path).resolve()
    return locked(target.with_name(f".{target.name}.lock"), f"{path} is being written by another process", timeout)


def _check_absent(path: str, name: str, tables: Weights) -> None:
    if name in tables:
        raise InvalidInput(f"{path} holds weights for {name} already: name another file, or move it away")


def add_weights(path: str, game: Game, weights: NDArray[np.float32], seed: int) -> None:
    """Write what was learned in a game, with this seed, into a file beside the tables of others, and how it came about into
    its header. Raises `InvalidInput` if that cannot be.
    """
    name = table_name(game)
    provenance = f"rules {game.rules.hash}, {game.num_players} players, seed {seed}, version {cardgames.__version__}"
    with _lock_for_writing(path, timeout=-1):  # however long: what was learned is not to be lost
        tables, metadata = _read(path) if Path(path).exists() else ({}, {})
        _check_absent(path, name, tables)  # once more: another training may have ended meanwhile
        metadata |= {"game": game.name, "types": " ".join(ACTION_TYPES), "inputs": " ".join(FEATURES), name: provenance}
        write_tensors(path, {**tables, name: weights}, metadata)
