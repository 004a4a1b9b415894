"""Kernels that deal a round: reset the state, shuffle, deal the hands and open the auction (implements `ops.deal`)."""

from cardgames.core import ops
from cardgames.doudizhu.auction import open_auction
from cardgames.doudizhu.card_sampling import deal_hands
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.rules.first_bidder import draw_first_bidder
from cardgames.doudizhu.state import NUM_RECENT_ACTIONS
from cardgames.kernels.jit import njit


@njit
def clear(state):
    """Reset the fields of `state` that record the play: cards played, recent actions, doubles, counters and the winner.

    Hands, bottom cards, random stream and auction fields are left as they are, for the caller to set.
    """
    for seat in range(3):
        state.played[seat] = 0
        state.play_counts[seat] = state.first_actions[seat] = 0
        state.doubles[seat] = 1
    state.padding[0] = state.padding[1] = 0
    for i in range(NUM_RECENT_ACTIONS):
        state.recent_actions[i] = 0
    state.last = state.turns = state.decisions = 0
    state.redeals = state.passes = state.bombs = state.rockets = 0
    state.last_by = state.winner = state.viewer = -1


@ops.deal.register(DOUDIZHU_RULES)
@njit
def deal(rules, state, seed):
    """Reset `state`, seed its random stream with `seed`, deal the cards and open the auction (implements `ops.deal`)."""
    clear(state)
    state.rng = seed
    deal_hands(state)
    open_auction(rules, state, draw_first_bidder(rules, state))
