"""Compilation of kernels before a game starts, in a separate process that neither blocks nor enlarges the running one.

Marks in the compile cache record which games and which search agents (by game and name) have been compiled on this machine.
Other agents compile little and are not recorded, nor are the options of a search agent.
"""

import subprocess
import sys

from cardgames.agents.agent import Agent, Decision, Limit, is_searcher
from cardgames.agents.agent_factory import agent
from cardgames.arena.match import deal, play_round
from cardgames.core.game_registry import make
from cardgames.core.observation import Observation
from cardgames.kernels import compile_cache
from cardgames.kernels.compile_cache import CACHE_WRITABLE

_CHILD = "import sys; from cardgames.arena.warmup import play_once; play_once(*sys.argv[1:])"


class _FirstActionAgent:
    """Agent that takes the first legal action; it needs no kernels of its own, so only those of the game are compiled."""

    name = "first"

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        return Decision(observation.legal_actions[0])


def play_once(game: str, name: str) -> None:
    """Play one round, so that the kernels of the game and the agent are compiled, and record them as compiled.

    Args:
        game: Name of the game.
        name: Name of the agent on all seats; empty to compile only what the game itself needs.
    """
    made_game = make(game)
    agents = [agent(name, made_game, seat) if name else _FirstActionAgent() for seat in range(made_game.num_players)]
    play_round(deal(made_game, 0, 0), agents)
    mark_game_compiled(game)
    for player in agents:
        mark_agent_compiled(game, player)


def is_game_compiled(game: str) -> bool:
    """Return whether the kernels of a game have been compiled on this machine."""
    return compile_cache.is_marked_compiled(game)


def mark_game_compiled(game: str) -> None:
    """Record that the kernels of a game have been compiled on this machine."""
    compile_cache.mark_compiled(game)


def is_agent_compiled(game: str, agent: Agent | None) -> bool:
    """Return whether the kernels of an agent have been compiled on this machine.

    True also for an agent that does not search, and for None (a person).
    """
    return agent is None or not is_searcher(agent) or compile_cache.is_marked_compiled(_agent_key(game, agent))


def mark_agent_compiled(game: str, agent: Agent) -> None:
    """Record that the kernels of an agent have been compiled on this machine, if it is a search agent."""
    if is_searcher(agent):
        compile_cache.mark_compiled(_agent_key(game, agent))


def _agent_key(game: str, agent: Agent) -> str:
    return f"{game} {agent.name}"


def compile_in_subprocess(game: str, name: str) -> subprocess.Popen[bytes] | None:
    """Start a process that plays one round (`play_once`) and so compiles kernels into the cache on disk.

    Returns the process, or None if the cache cannot be written. If the process fails, nothing is lost: kernels that are not
    in the cache are compiled when they are called.
    """
    if not CACHE_WRITABLE:
        return None
    command = [sys.executable, "-P", "-c", _CHILD, game, name]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
