"""Compiling before it is needed, and in a process of its own: the compiler's memory and locks stay out of a running game.

What has been compiled is noted: each game, and each agent that searches, by its name. Others compile little, and need no
notice; nor does what other options of such an agent compile besides.
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
    """Takes the first legal action: nothing has to be compiled for it."""

    name = "first"

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        return Decision(observation.legal_actions[0])


def play_once(game: str, name: str) -> None:
    """Play one round of `game` between agents called `name`, and with it compile whatever they need; without a name,
    what the game itself needs.
    """
    table = make(game)
    agents = [agent(name, table, seat) if name else _FirstActionAgent() for seat in range(table.num_players)]
    play_round(deal(table, 0, 0), agents)
    mark_game_compiled(game)
    for player in agents:
        mark_agent_compiled(game, player)


def is_game_compiled(game: str) -> bool:
    """Return whether all that a round of `game` needs was compiled on this machine."""
    return compile_cache.is_marked_compiled(game)


def mark_game_compiled(game: str) -> None:
    """Note that it was."""
    compile_cache.mark_compiled(game)


def is_agent_compiled(game: str, agent: Agent | None) -> bool:
    """Return whether an agent of that name has searched on this machine; True for one that does not search, or a person."""
    return agent is None or not is_searcher(agent) or compile_cache.is_marked_compiled(_agent_key(game, agent))


def mark_agent_compiled(game: str, agent: Agent) -> None:
    """Note that it has, if it is one that searches."""
    if is_searcher(agent):
        compile_cache.mark_compiled(_agent_key(game, agent))


def _agent_key(game: str, agent: Agent) -> str:
    return f"{game} {agent.name}"


def compile_in_subprocess(game: str, name: str) -> subprocess.Popen[bytes] | None:
    """Start a process that plays a round and so leaves its machine code on disk; None if nothing can be kept there.

    Should it fail, nothing is lost: whoever calls a kernel that is not on disk compiles it himself.
    """
    if not CACHE_WRITABLE:
        return None
    command = [sys.executable, "-P", "-c", _CHILD, game, name]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
