"""Memory of the exact solver: a stack of states and of the decisions open on the current line, and what is asked.

All of it lies in arrays, so that a search can be interrupted after any number of nodes and continued, from Python or from
another kernel.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game_definition import GameDefinition
from cardgames.kernels.record_type import record_type

WIN, PAYOFF = range(2)
OBJECTIVES = {"win": WIN, "payoff": PAYOFF}
"""Ids of the objectives: who wins (1 for a win, 0 for a loss), or the payoff of a seat under the rules."""

FRAME = record_type(
    __name__,
    "FRAME",
    [
        ("key", "u8"),  # hash of the state; 0 if it has none
        ("lower", "f8"),  # least and greatest value that the actions searched so far leave possible
        ("upper", "f8"),
        ("known_lower", "f8"),  # bounds known before the search of this node
        ("known_upper", "f8"),
        ("first", "i8"),  # the untried actions are those from `next` to `end` of the list `actions`
        ("next", "i8"),
        ("end", "i8"),
        ("action", "i8"),  # action being searched
        ("best", "i8"),  # best action so far, -1 for none
        ("maximizes", "i8"),  # 1 if the player's side moves, 0 if the other side does
        ("decided", "i8"),  # 1 if the other actions need not be searched
        ("nodes", "i8"),  # number of nodes searched before this one
        ("cuts", "i8"),  # value of `TASK.cuts` before this node
    ],
)
"""Dtype of a decision on the current line."""

TASK = record_type(
    __name__,
    "TASK",
    [
        ("salt", "u8"),  # combined with every hash, so that different questions can share a table
        ("target", "f8"),  # the question: is the value at least this?
        ("lower", "f8"),  # answer: bounds on the value of the first state
        ("upper", "f8"),
        ("best", "i8"),  # best known action of the state that was looked up last, -1 for none
        ("least", "f8"),  # bounds on the value of any state
        ("greatest", "f8"),
        ("player", "i8"),  # seat whose value is searched
        ("objective", "i8"),  # id of an objective (`OBJECTIVES`)
        ("depth", "i8"),  # index of the deepest open decision, -1 when the search is over
        ("horizon", "i8"),  # number of open decisions at which the search stops looking further
        ("nodes", "i8"),  # number of nodes searched
        ("cuts", "i8"),  # number of times that the horizon stopped the search
    ],
)
"""Dtype of the question that a search answers, and of its progress."""


class SolverMemory(NamedTuple):
    """Arrays that a search works on."""

    task: NDArray[Any]
    """[1] `TASK`."""
    states: NDArray[Any]
    """[depth + 1] states on the current line, the first one included."""
    frames: NDArray[Any]
    """[depth] `FRAME`, one for each open decision."""
    actions: NDArray[np.int32]
    """Actions of all open decisions, one list after the other."""
    priorities: NDArray[np.int64]
    """Priority of each of `actions`; greater ones are tried first."""
    payoffs: NDArray[np.float64]
    """[seats] working memory."""
    max_legal_actions: int
    """Upper bound on the number of legal actions of a state."""


def new_memory(game: GameDefinition, depth: int = 512) -> SolverMemory:
    """Return the memory of a solver for `game`.

    Args:
        game: Game whose states are solved.
        depth: Greatest number of decisions on one line; lines that are longer have no known value.
    """
    capacity = 2 * game.max_legal_actions + (1 << 14)
    return SolverMemory(
        np.zeros(1, TASK),
        np.zeros(depth + 1, game.state_dtype),
        np.zeros(depth, FRAME),
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.int64),
        np.zeros(max(2, game.num_players)),
        game.max_legal_actions,
    )
