"""Networks by name: pretrained ones, which come with a game, and those in files and in folders of training runs.

A game's folder of weights has a file `NAME/PRESET.safetensors` for each pretrained network and rule preset, and may have a
file `NAME/PRESET-PLAYERS.safetensors` for a number of players.
"""

import functools
import os
from dataclasses import replace
from pathlib import Path

from cardgames.core.game_definition import GameDefinition
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import NETWORK_SUFFIX, load_network
from cardgames.support.atomic_write import file_stamp
from cardgames.support.errors import error_context, unknown_name

TRAINED_WEIGHTS = "weights.safetensors"
"""Name of the file that holds the trained network in the folder of a training run."""
RUN_FOLDER_HINT = "FOLDER of a training"
"""Text that stands for the folder of a training run in lists of the allowed network names."""


def networks_folder(game: GameDefinition) -> Path | None:
    """Return the folder of a game's pretrained networks, None if the game has no network policy."""
    return None if game.networks is None else game.networks.folder


@functools.cache
def pretrained_names(folder: Path | None) -> list[str]:
    """Return the names of the pretrained networks in `folder`, a game's folder of weights: its subfolders with networks.

    The result is cached, since a match makes new agents for every deal.
    """
    if folder is None or not folder.is_dir():
        return []
    return sorted({path.parent.name for path in folder.glob(f"*/*{NETWORK_SUFFIX}")})


def is_network_name(folder: Path | None, name: str) -> bool:
    """Return whether `name` is a pretrained network, has the suffix of a network file, or is the folder of a training run.

    A network file with that name need not exist.
    """
    return name in pretrained_names(folder) or name.endswith(NETWORK_SUFFIX) or _path_in_run_folder(name) != name


def _path_in_run_folder(name: str) -> str:
    """Return the path of the network file in the folder `name` of a training run; `name` if it is no such folder."""
    path = os.path.join(name, TRAINED_WEIGHTS)
    return path if os.path.exists(path) else name  # os.path.exists takes any text, unlike Path.exists


def network_path(game: GameDefinition, name: str) -> str:
    """Return the path of the file of a network that is given by name.

    Args:
        game: Game to play. A pretrained network may have several files: the one for the preset nearest to the game's rules
            is taken, and for its number of players if there is one.
        name: Name of a pretrained network, folder of a training run, or path of a network file.
    """
    if name in pretrained_names(networks_folder(game)):
        return _pretrained_path(game, name)
    return _path_in_run_folder(name)


def pretrained_preset(game: GameDefinition, name: str) -> str:
    """Return the preset nearest to the rules of `game` for which there is a pretrained network `name`.

    The nearest preset has the same value on the most rule axes; of several it is the first in the alphabet.
    """
    folder = Path(str(networks_folder(game))) / name
    presets = sorted(preset for preset in game.rule_book.presets if (folder / f"{preset}{NETWORK_SUFFIX}").exists())
    return game.rule_book.nearest_preset(game.rules, presets)


@functools.lru_cache(maxsize=64)
def _pretrained_path(game: GameDefinition, name: str) -> str:
    """Return the path of a pretrained network's file for the rules and, if there is one, the number of players of `game`."""
    folder = Path(str(networks_folder(game))) / name
    preset = pretrained_preset(game, name)
    for_players = folder / f"{preset}-{game.num_players}{NETWORK_SUFFIX}"
    return str(for_players if for_players.exists() else folder / f"{preset}{NETWORK_SUFFIX}")


def load_named_network(game: GameDefinition, name: str, *, any_rules: bool = False) -> Mlp:
    """Return a pretrained network, or the network in a file or in the folder of a training run.

    A pretrained network plays under any rules; its outputs for actions that the rules lack are removed.

    Args:
        game: Game to play.
        name: Name or path, as for `network_path`.
        any_rules: Accept a network that was trained under other rules.

    Raises:
        InvalidInput: If there is no such network, or it does not fit the game.
    """
    path = network_path(game, name)
    is_word = path == name and os.path.basename(name) == name and not name.endswith(NETWORK_SUFFIX)
    if is_word and not os.path.exists(path):
        raise unknown_name(
            "network", name, [*pretrained_names(networks_folder(game)), f"FILE{NETWORK_SUFFIX}", RUN_FOLDER_HINT]
        )
    return _read(game, path, any_rules, file_stamp(path))


@functools.lru_cache(maxsize=16)
def _read(game: GameDefinition, path: str, any_rules: bool, stamp: tuple[int, int]) -> Mlp:
    """Return the network in a file, after a check that it fits `game`.

    The result is cached as long as the file's `stamp` is the same, since a match makes new agents for every deal.
    """
    network = load_network(path)
    folder = networks_folder(game)
    if folder is not None and Path(path).is_relative_to(folder):
        network = replace(network, rules="").with_outputs(game.num_distinct_actions)
    with error_context(path):
        network.check(game, any_rules=any_rules)
    return network
