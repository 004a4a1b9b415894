"""The games as environments of others, for learners and searches written for those: of PettingZoo (`PettingZooEnv`), of
Gymnasium (`GymnasiumEnv`, also `gymnasium.make("cardgames.envs:cardgames/Uno-v0")`), of OpenSpiel (`cardgames.envs.openspiel`).

The extras `envs` and `openspiel` install what they need. `Game.vector`, which steps thousands of rounds together, needs
none of it.
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
    """Import an environment when it is first asked for: each needs another package."""
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
    """Have Gymnasium know a game's environment."""
    from gymnasium import register, registry

    name = f"cardgames/{title}-v0"
    if name not in registry:
        register(name, "cardgames.envs.gymnasium_env:make_seat", kwargs={"game": game})


try:
    _register("uno", "Uno")
    _register("doudizhu", "DouDiZhu")
except ImportError:
    pass  # nobody can ask Gymnasium for them then
