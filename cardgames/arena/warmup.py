"""Compiling before it is needed, and in a process of its own: the compiler's memory and locks stay out of a running game.

What has been compiled is noted: each game, and each agent that searches, by its name. Others compile little, and need no
notice; nor does what other options of such an agent compile besides.
"""

import subprocess
import sys

from cardgames.agents.agent import Agent, Decision, Limit, searches
from cardgames.agents.agent_factory import agent
from cardgames.arena.match import deal, play_round
from cardgames.core.game_registry import make
from cardgames.core.observation import Observation
from cardgames.kernels import compile_cache
from cardgames.kernels.compile_cache import KEEPING

_CHILD = "import sys; from cardgames.arena.warmup import play_once; play_once(*sys.argv[1:])"


class _First:
    """Takes the first legal action: nothing has to be compiled for it."""

    name = "first"

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        return Decision(observation.legal_actions[0])


def play_once(game: str, name: str) -> None:
    """Play one round of `game` between agents called `name`, and with it compile whatever they need; without a name,
    what the game itself needs.
    """
    table = make(game)
    agents = [agent(name, table, seat) if name else _First() for seat in range(table.num_players)]
    play_round(deal(table, 0, 0), agents)
    note_rules(game)
    for player in agents:
        note_search(game, player)


def knows_rules(game: str) -> bool:
    """Return whether all that a round of `game` needs was compiled on this machine."""
    return compile_cache.is_noted(game)


def note_rules(game: str) -> None:
    """Note that it was."""
    compile_cache.note(game)


def knows_search(game: str, agent: Agent | None) -> bool:
    """Return whether an agent of that name has searched on this machine; True for one that does not search, or a person."""
    return agent is None or not searches(agent) or compile_cache.is_noted(_search(game, agent))


def note_search(game: str, agent: Agent) -> None:
    """Note that it has, if it is one that searches."""
    if searches(agent):
        compile_cache.note(_search(game, agent))


def _search(game: str, agent: Agent) -> str:
    return f"{game} {agent.name}"


def compile_apart(game: str, name: str) -> subprocess.Popen[bytes] | None:
    """Start a process that plays a round and so leaves its machine code on disk; None if nothing can be kept there.

    Should it fail, nothing is lost: whoever calls a kernel that is not on disk compiles it himself.
    """
    if not KEEPING:
        return None
    command = [sys.executable, "-P", "-c", _CHILD, game, name]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
