"""Files of weights for the linear policy: safetensors with an array for each preset and number of players."""

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
"""Seconds to wait, before training begins, for another training that adds its weights to the same file."""
MOST_PLAYERS = 4
"""Greatest number of players with weights of their own; games with more players use the weights for this number."""

Weights = dict[str, NDArray[np.float32]]
"""Name `preset-players` -> weights `[NUM_WEIGHTS] float32` for that preset and number of players."""


def linear_weights(game: Game, path: str | None = None) -> NDArray[np.float32]:
    """Return the weights `[NUM_WEIGHTS] float32` for the preset nearest to the rules of `game` and for its players.

    The weights that come with the package cover some presets, with 2 to `MOST_PLAYERS` players; the preset whose values
    agree with the rules of `game` in the most rules is used.

    Args:
        game: Game to play.
        path: File of weights, which must have the array that training for this game writes (`table_name`); None for the
            weights that come with the package.

    Raises:
        InvalidInput: If the file cannot be read or has no such array.
    """
    if path is not None:
        tables, name = read_weights(path), table_name(game)
        if name not in tables:
            raise InvalidInput(f"{path} has no weights {name}; it has {', '.join(sorted(tables)) or 'none'}")
        return tables[name]
    tables = read_weights(str(PRETRAINED))
    presets = [preset for preset in game.rule_book.presets if _table_name(preset, game) in tables]
    return tables[_table_name(game.rule_book.nearest_preset(game.rules, presets), game)]


def table_name(game: Game) -> str:
    """Return the name `preset-players` of the weights for the preset nearest to the rules of `game`."""
    return _table_name(game.rule_book.nearest_preset(game.rules, game.rule_book.presets), game)


def _table_name(preset: str, game: Game) -> str:
    """Return the name `preset-players` of the weights for `preset` and the number of players of `game`.

    More players than `MOST_PLAYERS` count as that number.
    """
    return f"{preset}-{min(game.num_players, MOST_PLAYERS)}"


def read_weights(path: str) -> Weights:
    """Return all weights in a file, by name.

    Raises:
        InvalidInput: If it is not a file of linear weights.
    """
    return _read_cached(path, file_stamp(path))


@functools.lru_cache(maxsize=16)
def _read_cached(path: str, stamp: tuple[int, int]) -> Weights:
    """Return all weights in a file, by name, read again only if the file's `stamp` has changed.

    An arena makes new agents for every deal.
    """
    return _read(path)[0]


def _read(path: str) -> tuple[Weights, dict[str, str]]:
    """Return all weights in a file, by name, and the file's metadata. Raises `InvalidInput` for any other content."""
    tables, metadata = read_tensors(path)
    for name, table in tables.items():
        if table.shape != (NUM_WEIGHTS,) or table.dtype != np.float32 or not np.isfinite(table).all():
            raise InvalidInput(f"{path}: {name} is not a table of {NUM_WEIGHTS} linear weights")
    return tables, metadata


def check_can_add_weights(path: str, game: Game) -> None:
    """Check that weights for `game` can be added to a file, which need not exist yet.

    Raises:
        InvalidInput: If the file has weights for this game already, has other content, or cannot be written.
    """
    _check_absent(path, table_name(game), read_weights(path) if Path(path).exists() else {})
    try:
        tempfile.TemporaryFile(dir=Path(path).resolve().parent).close()
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {describe_file_error(path, error)}") from None
    with _lock_for_writing(path, _LOCK_TIMEOUT):
        pass


def _lock_for_writing(path: str, timeout: float) -> AbstractContextManager[None]:
    """Return a context manager that locks a file against other trainings that add weights to it.

    It waits for the lock for `timeout` seconds; -1 is without limit.
    """
    target = Path(path).resolve()
    return locked(target.with_name(f".{target.name}.lock"), f"{path} is being written by another process", timeout)


def _check_absent(path: str, name: str, tables: Weights) -> None:
    """Raise `InvalidInput` if `tables`, the weights in the file at `path`, include some called `name`."""
    if name in tables:
        raise InvalidInput(f"{path} holds weights for {name} already: name another file, or move this one away")


def add_weights(path: str, game: Game, weights: NDArray[np.float32], seed: int) -> None:
    """Add trained weights for `game` to a file, beside those for other games, and note their origin in its metadata.

    Args:
        path: File to write; made if it does not exist.
        game: Game that the weights were trained for.
        weights: Trained weights `[NUM_WEIGHTS]`.
        seed: Seed of the training.

    Raises:
        InvalidInput: If the file has weights for this game already or cannot be written.
    """
    name = table_name(game)
    provenance = f"rules {game.rules.hash}, {game.num_players} players, seed {seed}, version {cardgames.__version__}"
    with _lock_for_writing(path, timeout=-1):  # no timeout: the trained weights must not be lost
        tables, metadata = _read(path) if Path(path).exists() else ({}, {})
        _check_absent(path, name, tables)  # again: another training may have ended in the meantime
        metadata |= {"game": game.name, "types": " ".join(ACTION_TYPES), "inputs": " ".join(FEATURES), name: provenance}
        write_tensors(path, {**tables, name: weights}, metadata)
