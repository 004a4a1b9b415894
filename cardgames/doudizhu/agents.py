"""The agents of Dou Di Zhu that do not search: each a policy of `doudizhu.policies`."""

from typing import Any

from cardgames.core.game import Game
from cardgames.core.policy_agent import PolicyAgent


def random(game: Game, seed: int) -> Any:
    """Return the random agent."""
    return PolicyAgent("random", game, seed, game.policy("random"))
