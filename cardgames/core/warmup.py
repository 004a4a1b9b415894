"""Compiling before it is needed, and in a process of its own: the compiler's memory and locks stay out of a running game.

What has been compiled is noted, a game and each agent that searches; others compile little, and need no notice.
"""

import subprocess
import sys
from collections.abc import Iterable

from cardgames.core import machine_code
from cardgames.core.agents import agent
from cardgames.core.arena import deal, play_round
from cardgames.core.decision import Agent, Decision, Limit
from cardgames.core.game import make
from cardgames.core.machine_code import CACHING
from cardgames.core.observation import Observation

_CHILD = "import sys; from cardgames.core.warmup import play_once; play_once(*sys.argv[1:])"


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
    note_playable(game)
    note_searched(game, agents)


def is_warm(game: str, agents: Iterable[Agent | None]) -> bool:
    """Return whether all that a round of `game` needs, and those of `agents` that search, was compiled on this machine."""
    return machine_code.is_warm(game) and have_searched(game, agents)


def have_searched(game: str, agents: Iterable[Agent | None]) -> bool:
    """Return whether those of `agents` that search have done so on this machine, in some position of `game`."""
    return all(map(machine_code.is_warm, _searches(game, agents)))


def note_searched(game: str, agents: Iterable[Agent | None]) -> None:
    """Note that `agents` decided on this machine."""
    for search in _searches(game, agents):
        machine_code.note_warm(search)


def note_playable(game: str) -> None:
    """Note that all that a round of `game` needs is compiled on this machine."""
    machine_code.note_warm(game)


def _searches(game: str, agents: Iterable[Agent | None]) -> set[str]:
    return {f"{game} {agent.name}" for agent in agents if agent is not None and hasattr(agent, "snapshot")}


def compile_apart(game: str, name: str) -> subprocess.Popen[bytes] | None:
    """Start a process that plays a round and so leaves its machine code on disk; None if nothing can be kept there.

    Should it fail, nothing is lost: whoever calls a kernel that is not on disk compiles it himself.
    """
    if not CACHING:
        return None
    command = [sys.executable, "-P", "-c", _CHILD, game, name]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
