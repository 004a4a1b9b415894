"""Uno and Dou Di Zhu: composable rules, fast kernels, search agents one can look inside, learners, a terminal UI.

import cardgames
game = cardgames.make("uno", players=4, rules="official")
state = game.new_initial_state(seed=7)
agent = cardgames.agent("mcts-dbm", game, seed=0)
decision = agent.act(state.observation())
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "make": "cardgames.core.game",
    "Game": "cardgames.core.game",
    "State": "cardgames.core.game",
    "Observation": "cardgames.core.observation",
    "agent": "cardgames.core.agents",
    "Agent": "cardgames.core.agents",
    "Decision": "cardgames.core.agents",
    "Limit": "cardgames.core.agents",
    "InvalidInput": "cardgames.core.errors",
    "play_match": "cardgames.core.arena",
}

__all__ = ["Agent", "Decision", "Game", "InvalidInput", "Limit", "Observation", "State", "agent", "make", "play_match"]

if TYPE_CHECKING:
    from cardgames.core.agents import Agent, Decision, Limit, agent
    from cardgames.core.arena import play_match
    from cardgames.core.errors import InvalidInput
    from cardgames.core.game import Game, State, make
    from cardgames.core.observation import Observation


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import cardgames` stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'cardgames' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
