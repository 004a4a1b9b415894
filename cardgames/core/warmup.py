"""Compiling before it is needed, and in a process of its own: the compiler's memory and locks stay out of a running game."""

import subprocess
import sys

from cardgames.core.agents import agent
from cardgames.core.arena import deal, play_round
from cardgames.core.decision import Decision, Limit
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
    seats = range(table.num_players)
    play_round(deal(table, 0, 0), [agent(name, table, seat) if name else _First() for seat in seats])


def compile_apart(game: str, name: str) -> subprocess.Popen[bytes] | None:
    """Start a process that plays a round and so leaves its machine code on disk; None if nothing can be kept there.

    Should it fail, nothing is lost: whoever calls a kernel that is not on disk compiles it himself.
    """
    if not CACHING:
        return None
    command = [sys.executable, "-P", "-c", _CHILD, game, name]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
