"""Policy `beginner`: a beginner's mistakes, for the level `easy`.

It leads the group of its lowest card without kickers. It replies whenever it can, even to its partner, by the lowest
move of the same form, whatever group that breaks up, and else plays a bomb or the rocket at once. In an auction it bids
on single high cards. `rules` is a record of type `DOUDIZHU_RULES`.
"""

import numpy as np

from cardgames.doudizhu.cards import BLACK_JOKER, RED_JOKER, TWO, rank_count
from cardgames.doudizhu.moves.move_generation import MAX_MOVES, NO_MOVE, follow_moves
from cardgames.doudizhu.moves.move_table import PASS
from cardgames.doudizhu.policies.rhcp import lowest_bomb_or_rocket
from cardgames.doudizhu.policies.rlcard_rule import rule_lead, rule_reply
from cardgames.kernels.jit import njit

_MAX_BID = 3


@njit
def beginner(rules, state):
    """Return the id of the action that `beginner` takes for the seat to move; the state must be in the phase of play."""
    hand, last = state.hands[state.to_move], np.int64(state.last)
    if last == PASS:
        return np.int64(rule_lead(hand))
    reply = rule_reply(rules, hand, last)
    if reply != PASS:
        return np.int64(reply)
    replies = np.empty(MAX_MOVES, np.int32)
    bomb = lowest_bomb_or_rocket(replies[: follow_moves(rules, hand, last, replies)])
    return np.int64(PASS if bomb == NO_MOVE else bomb)


@njit
def beginner_bid(hand):
    """Return the highest bid that `beginner` makes for a hand, from 0 (pass) to 3: one for each two and each joker."""
    high_cards = rank_count(hand, TWO) + rank_count(hand, BLACK_JOKER) + rank_count(hand, RED_JOKER)
    return np.int64(min(high_cards, _MAX_BID))
