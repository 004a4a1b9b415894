"""Environments for other libraries: Gymnasium, PettingZoo and OpenSpiel.

- Gymnasium: `GymnasiumEnv`, also made by `gymnasium.make("cardgames.envs:cardgames/Uno-v0")`.
- PettingZoo: `PettingZooEnv`.
- OpenSpiel: importing `cardgames.envs.openspiel` registers the games.

The extras `envs` and `openspiel` install these libraries. `Game.vector`, which steps thousands of rounds together, needs
none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_MODULES = {"GymnasiumEnv": "cardgames.envs.gymnasium_env", "PettingZooEnv": "cardgames.envs.pettingzoo_env"}
_OPTIONAL_PACKAGES = ("gymnasium", "pettingzoo")

__all__ = ["GymnasiumEnv", "PettingZooEnv"]

if TYPE_CHECKING:
    from cardgames.envs.gymnasium_env import GymnasiumEnv
    from cardgames.envs.pettingzoo_env import PettingZooEnv


def __getattr__(name: str) -> Any:
    """Import `GymnasiumEnv` or `PettingZooEnv` when it is first accessed, since each class needs an optional package.

    Raises:
        ImportError: If the package is not installed.
        AttributeError: If the name is not one of these classes.
    """
    if name not in _MODULES:
        raise AttributeError(f"module 'cardgames.envs' has no attribute {name!r}")
    try:
        return getattr(import_module(_MODULES[name]), name)
    except ImportError as error:
        if error.name not in _OPTIONAL_PACKAGES:
            raise
        raise ImportError(f"{error}: pip install 'cardgames[envs]' installs what {name} needs") from None


def __dir__() -> list[str]:
    return __all__


def _register(game: str, title: str) -> None:
    """Register the environment `cardgames/<title>-v0` of the game named `game` with Gymnasium, unless it is registered."""
    from gymnasium import register, registry

    name = f"cardgames/{title}-v0"
    if name not in registry:
        register(name, "cardgames.envs.gymnasium_env:make_gymnasium_env", kwargs={"game": game})


try:
    _register("uno", "Uno")
    _register("doudizhu", "DouDiZhu")
except ImportError:
    pass  # Gymnasium is not installed
