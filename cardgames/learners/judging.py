"""Rounds played out after every legal action of a decision, in one kernel."""

import numpy as np

from cardgames.core import ops, rng
from cardgames.core.copying import copy_record
from cardgames.core.jit import njit
from cardgames.core.rng import below, mix, uniform
from cardgames.learners.draws import draw_share

BEGUN, SEAT, RIVAL = range(3)
"""What is noted of a table at which rounds are judged (int64 [3])."""


@njit
def _play_out(rules, state, seat, which, weights, rival, stream):
    """Play a round on: `seat` by policy 0, the others by policy `rival`."""
    while not ops.is_terminal(rules, state):
        i = 0 if ops.current_player(rules, state) == seat else rival
        ops.apply_action(rules, state, ops.policy(rules, state, which[i], weights[i], stream))


@njit
def _judge(rules, state, legal, n, encoding, out, which, weights, rival, rollouts, scratch, stream):
    """Write what the mover sees, which actions are legal, and the mean outcome after each of these `n`, all renamed as the
    encoding has it, into `out`: a row of each array of `Judged`.
    """
    inputs, allowed, values = out
    seat = np.int64(ops.current_player(rules, state))
    naming = ops.encode(rules, state, seat, encoding, inputs)
    allowed[:], values[:] = False, 0.0
    for i in range(n):
        allowed[ops.renamed(rules, naming, legal[i])] = True
    base, after = rng.next_word(stream), stream.rng
    for rollout in range(rollouts):
        word = mix(base + np.uint64(rollout))
        for i in range(n):
            copy_record(scratch, state)
            scratch.rng = word
            stream.rng = mix(word)
            ops.apply_action(rules, scratch, np.int64(legal[i]))
            _play_out(rules, scratch, seat, which, weights, rival, stream)
            values[ops.renamed(rules, naming, legal[i])] += ops.evaluate(rules, scratch, seat) / rollouts
    stream.rng = after


@njit
def _sit_down(rules, state, players, shares, seed, table, stream):
    """Deal the next round, and draw who meets whom."""
    ops.deal(rules, state, mix(seed + np.uint64(table[BEGUN])))
    table[SEAT], table[RIVAL] = table[BEGUN] % players, 1 + draw_share(stream, shares)
    table[BEGUN] += 1


@njit
def judge_positions(
    rules, states, players, encoding, which, weights, shares, rollouts, blur, part, seed, table, stream, legal, out
):
    """Fill `out` (the arrays of `Judged`) with decisions from the round that is under way and the next ones.

    In a round one seat follows policy 0 and all others one of the policies from 1 on, drawn by their cumulated
    `shares`. A `part` of the seat's decisions is judged; with the chance `blur` it acts at random. `states[0]` is the round
    under way, `table` (int64 [3]: `BEGUN`, `SEAT`, `RIVAL`) tells how many were begun, and of it the seat and the policy of
    the others; `states[1]` is room.
    """
    inputs, allowed, values = out
    state, scratch = states[0], states[1]
    n = 0
    while n < len(inputs):
        if table[BEGUN] == 0 or ops.is_terminal(rules, state):
            _sit_down(rules, state, players, shares, seed, table, stream)
        mine, rival = ops.current_player(rules, state) == table[SEAT], table[RIVAL]
        i = 0 if mine else rival
        action = ops.policy(rules, state, which[i], weights[i], stream)
        if mine:
            count = ops.legal_actions(rules, state, legal)
            if count > 1 and uniform(stream) < part:
                row = inputs[n], allowed[n], values[n]
                _judge(rules, state, legal, count, encoding, row, which, weights, rival, rollouts, scratch, stream)
                n += 1
            if uniform(stream) < blur:
                action = np.int64(legal[below(stream, count)])
        ops.apply_action(rules, state, action)
