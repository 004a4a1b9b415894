"""The networks that come with a game: a file `NAME/PRESET.safetensors` in its folder of weights for each, beside it perhaps
`NAME/PRESET-PLAYERS.safetensors` for a number of players.
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
"""What a training calls its network in its folder."""
RUN_FOLDER_HINT = "FOLDER of a training"
"""How such a folder is offered where a network can be named."""


def networks_folder(game: GameDefinition) -> Path | None:
    """Return the folder of a game's pretrained networks, None if it plays by none."""
    return None if game.networks is None else game.networks.folder


@functools.cache
def pretrained_names(folder: Path | None) -> list[str]:
    """Return the names of the networks in a game's folder of weights, which is read once: an arena makes its agents anew
    for every deal.
    """
    if folder is None or not folder.is_dir():
        return []
    return sorted({path.parent.name for path in folder.glob(f"*/*{NETWORK_SUFFIX}")})


def is_network_name(folder: Path | None, name: str) -> bool:
    """Return whether a name is that of a network in a game's folder of weights, of a network's file, be there one or not, or
    of the folder of a training.
    """
    return name in pretrained_names(folder) or name.endswith(NETWORK_SUFFIX) or _path_in_run_folder(name) != name


def _path_in_run_folder(name: str) -> str:
    """Return the file of the network in the folder of a training, or the name as it is if it is that of none."""
    path = os.path.join(name, TRAINED_WEIGHTS)
    return path if os.path.exists(path) else name  # which takes any name, as `Path.exists` does not


def network_path(game: GameDefinition, name: str) -> str:
    """Return the file of the network that comes with `game` as `name`, for the preset nearest to its rules and, if there is
    one, its number of players; that in the folder of a training; any other name is a file's own.
    """
    if name in pretrained_names(networks_folder(game)):
        return _pretrained_path(game, name)
    return _path_in_run_folder(name)


def pretrained_preset(game: GameDefinition, name: str) -> str:
    """Return the preset nearest to the rules of `game` for which a network comes with it as `name`; of equally near ones
    the first in the alphabet: `common` and not `official` wherever it is not points that are paid.
    """
    folder = Path(str(networks_folder(game))) / name
    presets = sorted(preset for preset in game.rule_book.presets if (folder / f"{preset}{NETWORK_SUFFIX}").exists())
    return game.rule_book.nearest_preset(game.rules, presets)


@functools.lru_cache(maxsize=64)
def _pretrained_path(game: GameDefinition, name: str) -> str:
    """Return it for one that comes with the game; looked for once."""
    folder = Path(str(networks_folder(game))) / name
    preset = pretrained_preset(game, name)
    own = folder / f"{preset}-{game.num_players}{NETWORK_SUFFIX}"
    return str(own if own.exists() else folder / f"{preset}{NETWORK_SUFFIX}")


def load_named_network(game: GameDefinition, name: str, *, any_rules: bool = False) -> Mlp:
    """Return the network of a file, or the one that comes with `game` as `name` (see `network_path`).

    One that comes with the game plays under any rules; actions they do not have are left out. Raises `InvalidInput` for
    a file that is no network or not for `game` and (or `any_rules`) its rules.
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
    """Return the network. A file is read once for as long as it is the same: an arena makes new agents for every deal."""
    network = load_network(path)
    folder = networks_folder(game)
    if folder is not None and Path(path).is_relative_to(folder):
        network = replace(network, rules="").with_outputs(game.num_distinct_actions)
    with error_context(path):
        network.check(game, any_rules=any_rules)
    return network
