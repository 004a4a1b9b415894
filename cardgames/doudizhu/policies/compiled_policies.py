"""Indirect calls of long policy kernels (`rhcp`, `frugal`, `beginner`, bids, networks), compiled once, called by address.

`kernels.indirect_call` compiles them for fixed argument types, so that kernels that call them compile quickly.
"""

import numba
import numpy as np
from numba import float32, float64, int32, int64, uint64

from cardgames.core import ops
from cardgames.doudizhu.auction_model.payoffs import write_estimates
from cardgames.doudizhu.hands.shapes import MAX_HAND_SIZE
from cardgames.doudizhu.policies.beginner import beginner, beginner_bid
from cardgames.doudizhu.policies.combination_policy import combination_move
from cardgames.doudizhu.policies.frugal import frugal
from cardgames.doudizhu.policies.rhcp import rhcp, rhcp_bid
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import PLAY, STATE
from cardgames.kernels.indirect_call import indirect_call
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import STREAM
from cardgames.networks.network_policy import HEAD_SAMPLES, action_probabilities_by_q

_RULES, _STATE = numba.from_dtype(DOUDIZHU_RULES), numba.from_dtype(STATE)

call_rhcp = indirect_call(_RULES, uint64, int64)(rhcp)
call_rhcp_bid = indirect_call(_RULES, uint64)(rhcp_bid)
call_frugal = indirect_call(_RULES, _STATE)(frugal)
call_beginner = indirect_call(_RULES, _STATE)(beginner)
call_beginner_bid = indirect_call(uint64)(beginner_bid)
call_estimates = indirect_call(_RULES, _STATE, int32[::1], float64[::1])(write_estimates)
call_combination = indirect_call(
    _RULES, _STATE, float32[::1], float64, numba.from_dtype(STREAM), int32[::1], int32[::1], float32[::1]
)(combination_move)


@njit
def greedy_combination_move(rules, state, weights, groups, moves, q):
    """Return the move id that the combination policy of paper 004 plays without random choices (epsilon 0).

    The chosen decomposition, its legal moves and the Q of both are written to `groups`, `moves` and `q` (see
    `combination_policy.combination_move`).
    """
    return _best_of_combination(rules, state, weights, np.zeros(1, STREAM), groups, moves, q)


@njit
def _best_of_combination(rules, state, weights, streams, groups, moves, q):
    return call_combination(rules, state, weights, 0.0, streams[0], groups, moves, q)


@njit
def new_combination_outputs():
    """Allocate the outputs `groups`, `moves` and `q` of `combination_move`: a decomposition, its moves and their Q."""
    return (
        np.empty(MAX_HAND_SIZE, np.int32),
        np.empty(MAX_HAND_SIZE + 1, np.int32),
        np.empty(MAX_HAND_SIZE + 2, np.float32),
    )


@indirect_call(_RULES, _STATE, float32[::1], int32[::1], float64[::1])
@njit
def call_network(rules, state, weights, actions, probs):
    """Write the moves that a network policy plays with positive probability, and these probabilities; return their number.

    A network with heads is played by the combination policy, which has one best move; any other by its greatest Q.

    Args:
        rules: Record of type `DOUDIZHU_RULES`.
        state: State record.
        weights: Flat weights of the network.
        actions: Output [MAX_MOVES] int32, ids of the best moves.
        probs: Output [MAX_MOVES] float64, probabilities of the best moves.

    Returns:
        The number of best moves; 0 in the auction and in doubling.
    """
    if weights[HEAD_SAMPLES] == 0.0:
        return action_probabilities_by_q(rules, state, weights, actions, probs)
    if state.phase != PLAY:
        return 0
    if ops.legal_actions(rules, state, actions) > 1:
        groups, moves, q = new_combination_outputs()
        actions[0] = greedy_combination_move(rules, state, weights, groups, moves, q)
    probs[0] = 1.0
    return 1
