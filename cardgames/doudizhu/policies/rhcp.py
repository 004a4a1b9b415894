"""Policy `rhcp`: recursive hand-card partitioning, the baseline of paper 004.

It leads as `partition` does. It replies if the reply does not cost its hand more than the turn it saves. It uses only its
own hand and the move to beat, not roles or partners, so peasants beat each other. Replies that the rules forbid are never
considered. `rules` is a record of type `DOUDIZHU_RULES`.
Source: an article by sm9sun, as coded for paper 004.
"""

import numpy as np

from cardgames.doudizhu.cards import JOKERS, has_rocket, rank_count
from cardgames.doudizhu.hands.recursive_partition import (
    EQUAL_KICKERS,
    VALUE_SCALE,
    choose_lead,
    evaluate_stack,
    is_considered_after,
    new_memo,
    partition_value,
    push_unknown,
    score,
    value_of,
)
from cardgames.doudizhu.moves.move_generation import MAX_MOVES, NO_MOVE, follow_moves, lead_moves
from cardgames.doudizhu.moves.move_table import (
    FORM_FIRST_IDS,
    MOVE_CARDS,
    MOVE_FEATURES,
    MOVE_FORM_RANKS,
    PASS,
    SOLOS,
    form_index,
)
from cardgames.doudizhu.moves.move_types import (
    BOMB,
    FORM_KICKER_KIND,
    FORM_LENGTH,
    FORM_NUM_KICKERS,
    QUAD_PAIRS,
    QUAD_SOLOS,
    ROCKET,
    SOLO_CHAIN,
)
from cardgames.kernels.jit import njit

BID_THRESHOLDS = (10, 15, 20)
"""Sums of group values from which on a hand bids 1, 2 and 3.

The code of paper 004 never passes: there the first threshold is commented out.
"""
_ROCKET_THRESHOLD, _BOMB_THRESHOLD = 20, 14
"""Sums of group values above which a rocket, or a bomb in reply to four of a kind with pairs, is played.

The sum is that of the hand or, for the bomb, of the rest after the best other reply.
"""
_LAST_SOLO_CHAIN = form_index("solo chain", 12)


@njit
def rhcp_bid(rules, hand):
    """Return the highest bid for a hand: 0 (pass) to 3."""
    total = partition_value(rules, hand)[0]
    bid = 0
    for threshold in BID_THRESHOLDS:
        bid += total >= threshold
    return bid


@njit
def is_considered_reply(hand, action):
    """Return whether a reply of the right form is considered.

    Excluded are long planes, equal kickers, and planes with single kickers that break a bomb.
    """
    form, start = MOVE_FORM_RANKS[action] >> 4, MOVE_FORM_RANKS[action] & 15
    if MOVE_FEATURES[action] & EQUAL_KICKERS or FORM_NUM_KICKERS[form] > (4 if FORM_KICKER_KIND[form] == SOLOS else 3):
        return False
    if FORM_KICKER_KIND[form] == SOLOS and FORM_LENGTH[form] > 1:
        for rank in range(start, start + FORM_LENGTH[form]):
            if rank_count(hand, rank) != 3:
                return False
    return True


@njit
def is_finishing_reply(hand, action, form):
    """Return whether a reply to a move of `form` counts as playing the whole hand as one group."""
    reply_form = MOVE_FORM_RANKS[action] >> 4
    if MOVE_CARDS[action] != hand:
        return False
    if reply_form == form:
        return form == QUAD_SOLOS or not MOVE_FEATURES[action] & EQUAL_KICKERS
    return not SOLO_CHAIN <= form <= _LAST_SOLO_CHAIN


@njit
def push_rests_after_replies(memo, hand, replies, form):
    """Push on the stack the hands that a reply to a move of `form` depends on: the hand and its rests. Return the height."""
    top = push_unknown(memo, hand, 0)
    for action in replies:
        reply_form = MOVE_FORM_RANKS[action] >> 4
        if reply_form == BOMB or reply_form == ROCKET or (reply_form == form and is_considered_reply(hand, action)):
            top = push_unknown(memo, hand - MOVE_CARDS[action], top)
    return top


@njit
def best_same_form_reply(memo, hand, replies, form):
    """Return the reply of the same form that leaves the best rest (`NO_MOVE` if there is none), and the value of that rest.

    The rest must not score less than the hand with one more turn. If no reply does, the second result is that value.
    """
    best_value, chosen = value_of(memo, hand) + 1, NO_MOVE
    for action in replies:
        if MOVE_FORM_RANKS[action] >> 4 != form or not is_considered_reply(hand, action):
            continue
        value = value_of(memo, hand - MOVE_CARDS[action])
        # the original tries the kickers of planes in the order of ids, and those of quads in lexicographic order
        wins_tie = is_considered_after(action, chosen) if form == QUAD_SOLOS or form == QUAD_PAIRS else True
        if score(value) > score(best_value) or (score(value) == score(best_value) and wins_tie):
            best_value, chosen = value, np.int64(action)
    return chosen, best_value


@njit
def choose_bomb_or_rocket(memo, hand, replies, best):
    """Return the bomb that is worth playing, else the rocket if it is, else `PASS`; `best` is the value to compare with."""
    chosen = np.int64(PASS)
    for action in replies:
        if MOVE_FORM_RANKS[action] >> 4 == BOMB:
            value = value_of(memo, hand - MOVE_CARDS[action])
            if score(value) >= score(best) or value // VALUE_SCALE > 0:
                best, chosen = value, np.int64(action)
    if chosen == PASS and has_rocket(hand) and best // VALUE_SCALE > _ROCKET_THRESHOLD:
        return FORM_FIRST_IDS[ROCKET]
    return chosen


@njit
def lowest_bomb_or_rocket(replies):
    """Return the lowest bomb among some replies, else the rocket, else `NO_MOVE`."""
    for action in replies:
        if MOVE_FORM_RANKS[action] >> 4 == BOMB or MOVE_FORM_RANKS[action] >> 4 == ROCKET:
            return np.int64(action)
    return NO_MOVE


@njit
def choose_reply(memo, hand, replies, form):
    """Return the reply to a move of `form`, or `PASS`; the values of all rests to compare must be known."""
    if has_rocket(hand) and value_of(memo, hand - JOKERS) % VALUE_SCALE == 1:
        return FORM_FIRST_IDS[ROCKET]
    bomb = lowest_bomb_or_rocket(replies)
    if form == BOMB:
        return bomb
    for action in replies:
        if is_finishing_reply(hand, action, form):
            return np.int64(action)
    chosen, best = best_same_form_reply(memo, hand, replies, form)
    if form == QUAD_PAIRS and bomb != NO_MOVE and (chosen == NO_MOVE or best // VALUE_SCALE > _BOMB_THRESHOLD):
        return bomb
    return choose_bomb_or_rocket(memo, hand, replies, best) if chosen == NO_MOVE else chosen


@njit
def rhcp(rules, hand, last):
    """Return the action of `rhcp`: a reply to the move `last` (an id), or a lead if `last` is `PASS`."""
    memo, moves = new_memo(rules, hand), np.empty(MAX_MOVES, np.int32)
    form = MOVE_FORM_RANKS[last] >> 4
    if last == PASS:
        moves = moves[: lead_moves(rules, hand, moves)]
        top = push_unknown(memo, hand, 0)
    else:
        moves = moves[: follow_moves(rules, hand, last, moves)]
        if len(moves) == 0:
            return np.int64(PASS)
        top = push_rests_after_replies(memo, hand, moves, form)
    memo = evaluate_stack(rules, memo, top)
    return choose_lead(memo, hand, moves, 0)[0] if last == PASS else choose_reply(memo, hand, moves, form)
