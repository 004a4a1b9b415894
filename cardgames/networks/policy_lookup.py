"""`find_policy`: a policy by name, for a rule-based policy of a game, a pretrained network or a network in a file."""

import numpy as np

from cardgames.core.game_definition import GameDefinition
from cardgames.core.kernel_policy import Policy
from cardgames.networks.network_file import NETWORK_SUFFIX
from cardgames.networks.network_policy import policy_weights
from cardgames.networks.pretrained import RUN_FOLDER_HINT, is_network_name, pretrained_names
from cardgames.support.errors import check_value, unknown_name


def find_policy(game: GameDefinition, name: str, option: str = "policy") -> Policy:
    """Return the policy with a name, in the form that kernels take: an id and an array of parameters.

    Args:
        game: Game to play.
        name: Name of a rule-based policy or of a pretrained network, path of a network file, or folder of a training run.
        option: Name of the option that gave `name`, for messages.

    Raises:
        InvalidInput: If there is no such policy, or the network does not fit the game.
    """
    check_value(option, name, "a name", isinstance(name, str))
    if name in game.policies:
        return game.policy(name, option)
    if game.networks is None or not is_policy_name(game, name):
        raise unknown_name(option, name, policy_choices(game))
    return Policy(np.int64(game.networks.policy_id), policy_weights(game, name))


def is_policy_name(game: GameDefinition, name: str) -> bool:
    """Return whether `name` is a rule-based policy or pretrained network of the game, or looks like a network in a file.

    A network file with that name need not exist.
    """
    return name in game.policies or (game.networks is not None and is_network_name(game.networks.folder, name))


def policy_choices(game: GameDefinition | type[GameDefinition]) -> list[str]:
    """Return the policy names that `find_policy` accepts for a game, for error messages and help texts."""
    if game.networks is None:
        return list(game.policies)
    return [
        *game.policies,
        *pretrained_names(game.networks.folder),
        f"FILE{NETWORK_SUFFIX} (a network)",
        RUN_FOLDER_HINT,
    ]
