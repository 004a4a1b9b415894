"""Whole rounds between rule-based policies, played inside one kernel; and the words every match is seeded with."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.jit import njit
from cardgames.core.policy import Policy, side_by_side
from cardgames.core.rng import STREAM, mix

_BLOCK = np.uint64(0x9E3779B97F4A7C15)
_PART = np.uint64(0xD1B54A32D192ED03)

DEAL = 0
AGENT = 1
MATCH = 1_000
"""The parts of a block: its deal, agent e is `AGENT + e`, round r of a match over rounds is `MATCH + r`."""

TALLY = np.dtype((np.record, [("games", "i8"), ("wins", "i8"), ("paid", "f8")]))
"""What is counted for one agent."""


@njit
def seed_word(seed: Any, block: Any, part: Any) -> Any:
    """Return the random word (uint64) of one `part` of one `block` of a match with `seed` (uint64)."""
    return mix(mix(seed + np.uint64(block) * _BLOCK) + np.uint64(part) * _PART)


@njit
def _finish(rules: Any, state: Any, which: Any, weights: Any, streams: Any, rotation: Any) -> Any:
    """Play `state` to its end and return the number of decisions; agent e sits on seat (e + rotation) % players."""
    n = len(which)
    steps = 0
    while not ops.is_terminal(rules, state):
        entry = (ops.current_player(rules, state) + n - rotation) % n
        ops.apply_action(rules, state, ops.policy(rules, state, which[entry], weights[entry], streams[entry]))
        steps += 1
    return steps


@njit
def _play_blocks(
    rules: Any,
    state: Any,
    which: Any,
    weights: Any,
    seed: Any,
    first: Any,
    last: Any,
    streams: Any,
    paid: Any,
    tally: Any,
) -> Any:
    """Play the blocks from `first` up to `last`, add to `tally` and return (decisions, void rounds)."""
    n = len(which)
    steps = voids = 0
    for block in range(first, last):
        for entry in range(n):
            streams[entry].rng = seed_word(seed, block, AGENT + entry)
        for rotation in range(n):
            ops.deal(rules, state, seed_word(seed, block, DEAL))
            steps += _finish(rules, state, which, weights, streams, rotation)
            ops.returns(rules, state, paid)
            decided = False
            for entry in range(n):
                seat = (entry + rotation) % n
                tally[entry].games += 1
                won = ops.won(rules, state, seat)
                decided |= won
                tally[entry].wins += won
                tally[entry].paid += paid[seat]
            voids += not decided
    return steps, voids


def play_blocks(
    rules: Any, state_dtype: np.dtype[Any], policies: Sequence[Policy], seed: np.uint64, first: int, last: int
) -> tuple[NDArray[Any], int, int]:
    """Play the blocks `first` to `last` - 1 of a match between `policies`, one a player.

    A block is one deal, played once for every rotation of the agents through the seats. Returns a `TALLY` [players],
    the number of decisions and that of void rounds.
    """
    n = len(policies)
    which, weights = side_by_side(policies)
    tally = np.zeros(n, TALLY)
    state = np.zeros(1, state_dtype)[0]
    streams, paid = np.zeros(n, STREAM), np.zeros(n)
    steps, voids = _play_blocks(rules, state, which, weights, seed, first, last, streams, paid, tally)
    return tally, int(steps), int(voids)
