"""Uno and Dou Di Zhu for play and research: rules, search agents, reinforcement learning and a terminal interface.

import cardgames
game = cardgames.make("uno", players=4, rules="official")
state = game.new_initial_state(seed=7)
agent = cardgames.agent("mcts-dbm", game, seed=0)
decision = agent.act(state.observation())
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

_HOMES = {
    "make": "cardgames.core.game_registry",
    "Game": "cardgames.core.game",
    "State": "cardgames.core.state",
    "Observation": "cardgames.core.observation",
    "agent": "cardgames.agents.agent_factory",
    "Agent": "cardgames.agents.agent",
    "Decision": "cardgames.agents.agent",
    "Limit": "cardgames.agents.agent",
    "InvalidInput": "cardgames.support.errors",
    "play_match": "cardgames.arena.match",
    "play_round_robin": "cardgames.arena.round_robin",
    "check_game": "cardgames.core.conformance",
    "SearchReport": "cardgames.search.report",
    "Searcher": "cardgames.search.searcher",
    "Solution": "cardgames.search.exact.solution",
    "solve": "cardgames.search.exact.solver",
}

__all__ = [
    "Agent",
    "Decision",
    "Game",
    "InvalidInput",
    "Limit",
    "Observation",
    "SearchReport",
    "Searcher",
    "Solution",
    "State",
    "agent",
    "check_game",
    "make",
    "play_match",
    "play_round_robin",
    "solve",
]

if TYPE_CHECKING:
    from cardgames.agents.agent import Agent, Decision, Limit
    from cardgames.agents.agent_factory import agent
    from cardgames.arena.match import play_match
    from cardgames.arena.round_robin import play_round_robin
    from cardgames.core.conformance import check_game
    from cardgames.core.game import Game
    from cardgames.core.game_registry import make
    from cardgames.core.observation import Observation
    from cardgames.core.state import State
    from cardgames.search.exact.solution import Solution
    from cardgames.search.exact.solver import solve
    from cardgames.search.report import SearchReport
    from cardgames.search.searcher import Searcher
    from cardgames.support.errors import InvalidInput


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that `import cardgames` stays fast."""
    if name not in _HOMES:
        raise AttributeError(f"module 'cardgames' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, including those not imported yet."""
    return [*__all__, "__version__"]
