"""The games as environments of PettingZoo (`SeatsEnv`) and Gymnasium (`SeatEnv`), for learners written for those.

Needs both packages: `pip install 'cardgames[envs]'`. Importing this registers `cardgames/Uno-v0` and
`cardgames/DouDiZhu-v0` with Gymnasium. `Game.vector` steps thousands of rounds together, and needs neither.
"""

try:
    import gymnasium
    import pettingzoo  # noqa: F401
except ImportError as error:
    raise ImportError(f"{error}: pip install 'cardgames[envs]' installs what environments need") from None

from cardgames.envs.seat import SeatEnv
from cardgames.envs.seats import SeatsEnv

__all__ = ["SeatEnv", "SeatsEnv"]

for _name, _game in (("Uno", "uno"), ("DouDiZhu", "doudizhu")):
    gymnasium.register(f"cardgames/{_name}-v0", "cardgames.envs.seat:make_seat", kwargs={"game": _game})
