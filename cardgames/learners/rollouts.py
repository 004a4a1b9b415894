"""What every legal action of a decision is worth, by playing the round out from there with a policy.

Positions come from rounds between policies. Rollouts start from the true state, hidden cards and all: among positions
that look alike to their mover these are dealt as chance deals them, so that a network fitted to what came out learns
the mean over what is hidden, and never sees it. All actions of a position share the chance of each rollout (common
random numbers), which leaves the differences between them (Lagoudakis, Parr 2003; Tesauro, Galperin 1996).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops, rng
from cardgames.core.game import Game
from cardgames.core.jit import njit
from cardgames.core.policy import side_by_side
from cardgames.core.records import copy_record
from cardgames.core.rng import below, mix, uniform


class Judged(NamedTuple):
    """Decisions with a choice."""

    inputs: NDArray[np.int8]
    """[n, inputs] what the mover saw."""
    legal: NDArray[np.bool_]
    """[n, actions]"""
    values: NDArray[np.float32]
    """[n, actions] in [0, 1]: the mean outcome for the mover after each legal action, 0 for others."""


@njit
def _play_out(rules, state, seat, which, weights, rival, stream):
    """Play a round on: `seat` by policy 0, the others by policy `rival`."""
    while not ops.is_terminal(rules, state):
        i = 0 if ops.current_player(rules, state) == seat else rival
        ops.apply_action(rules, state, ops.policy(rules, state, which[i], weights[i], stream))


@njit
def _judge(rules, state, legal, n, which, weights, rival, rollouts, scratch, stream, values):
    """Write the mean outcome after each of `n` legal actions into `values` (float32 [actions])."""
    seat = np.int64(ops.current_player(rules, state))
    base = rng.next_word(stream)
    for rollout in range(rollouts):
        word = mix(base + np.uint64(rollout))
        for i in range(n):
            copy_record(scratch, state)
            scratch.rng = word
            stream.rng = mix(word)
            ops.apply_action(rules, scratch, np.int64(legal[i]))
            _play_out(rules, scratch, seat, which, weights, rival, stream)
            values[legal[i]] += ops.evaluate(rules, scratch, seat) / rollouts
    stream.rng = mix(base)


@njit
def judge_positions(
    rules, states, players, encoding, which, weights, rivals, rollouts, blur, share, seed, first, stream, legal, out
):
    """Fill `out` (the arrays of `Judged`) with decisions from rounds with numbers from `first` on; return their number.

    A round is between policy 0 on one seat and one of the policies 1 to `rivals` on the others (a policy may stand
    there twice). One in `1 / share` of his decisions is judged; with the chance `blur` he then acts at random.
    """
    inputs, allowed, values = out
    state, scratch = states[0], states[1]
    number, n = first, 0
    while True:
        ops.deal(rules, state, mix(seed + np.uint64(number)))
        seat, rival = number % players, 1 + below(stream, rivals)
        number += 1
        while not ops.is_terminal(rules, state):
            mover = ops.current_player(rules, state)
            i = 0 if mover == seat else rival
            action = ops.policy(rules, state, which[i], weights[i], stream)
            if mover == seat:
                count = ops.legal_actions(rules, state, legal)
                if count > 1 and uniform(stream) < share:
                    allowed[n] = False
                    values[n] = 0
                    for j in range(count):
                        allowed[n, legal[j]] = True
                    ops.encode(rules, state, mover, encoding, inputs[n])
                    _judge(rules, state, legal, count, which, weights, rival, rollouts, scratch, stream, values[n])
                    n += 1
                    if n == len(inputs):
                        return number - first
                if uniform(stream) < blur:
                    action = np.int64(legal[below(stream, count)])
            ops.apply_action(rules, state, action)


def judged(
    game: Game,
    encoding: str,
    positions: int,
    *,
    policy: str,
    rivals: tuple[str, ...],
    rollouts: int = 16,
    blur: float = 0.1,
    share: float = 0.5,
    seed: int = 0,
    first: int = 0,
) -> tuple[Judged, int]:
    """Return so many judged decisions and the number of rounds played for them; `first` numbers the first round."""
    which, shape = game.encodings[encoding]
    policies = [game.policy(name) for name in (policy, *rivals)]
    out: tuple[NDArray[Any], ...] = (
        np.zeros((positions, int(np.prod(shape))), np.int8),
        np.zeros((positions, game.num_distinct_actions), np.bool_),
        np.zeros((positions, game.num_distinct_actions), np.float32),
    )
    rounds = judge_positions(
        game.kernel_rules,
        np.zeros(2, game.state_dtype),
        game.num_players,
        which,
        *side_by_side(policies),
        len(rivals),
        rollouts,
        blur,
        share,
        np.uint64(rng.derive(seed)),
        first,
        rng.stream(rng.derive(seed, 1, first)),
        np.zeros(game.most_legal, np.int32),
        out,
    )
    return Judged(*out), rounds
