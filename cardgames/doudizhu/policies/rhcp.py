"""Policy `rhcp`: recursive hand-card partitioning, the baseline of paper 004.

It leads the move that `hands.recursive_partition` would lead. It replies if the hand after the reply scores at least as
much as the hand with one more turn. It uses only its own hand and the move to beat, not roles or partners, so peasants
beat each other. Replies that the rules forbid are never considered. `rules` is a record of type `DOUDIZHU_RULES`.
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
from cardgames.doudizhu.moves.move_forms import (
    BOMB,
    FORM_KICKER_KIND,
    FORM_LENGTH,
    FORM_NUM_KICKERS,
    QUAD_PAIRS,
    QUAD_SOLOS,
    ROCKET,
    SOLO_CHAIN,
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
from cardgames.kernels.jit import njit

BID_THRESHOLDS = (10, 15, 20)
"""Sums of group points (`partition_value`) from which on a hand bids 1, 2 and 3.

The code of paper 004 never passes in the auction: there the first threshold is commented out.
"""
_ROCKET_THRESHOLD, _BOMB_THRESHOLD = 20, 14
"""Sums of group points above which the rocket, or a bomb in reply to four of a kind with pairs, is played.

For the rocket it is the sum of the hand, for the bomb the sum of the cards left after the best reply of the same form.
"""
_LAST_SOLO_CHAIN = form_index("solo chain", 12)


@njit
def rhcp_bid(rules, hand):
    """Return the highest bid that `rhcp` makes for a hand, from 0 (pass) to 3, by the sum of the hand's group points."""
    total = partition_value(rules, hand)[0]
    bid = 0
    for threshold in BID_THRESHOLDS:
        bid += total >= threshold
    return bid


@njit
def is_considered_reply(hand, action):
    """Return whether `rhcp` considers a move as a reply to a move of the same form.

    It excludes moves with more than four single kickers or three pairs, moves with kickers of the same rank, and planes
    with single kickers of which the hand does not have exactly three cards of each main rank.
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
    """Return whether a reply to a move of the form with index `form` plays the whole hand, so that `rhcp` plays it at once.

    Not counted, as in the code of paper 004: most replies with equal kickers, and bombs or the rocket against a solo
    chain.
    """
    reply_form = MOVE_FORM_RANKS[action] >> 4
    if MOVE_CARDS[action] != hand:
        return False
    if reply_form == form:
        return form == QUAD_SOLOS or not MOVE_FEATURES[action] & EQUAL_KICKERS
    return not SOLO_CHAIN <= form <= _LAST_SOLO_CHAIN


@njit
def push_rests_after_replies(memo, hand, replies, form):
    """Push the hands whose values decide the reply to a move of form index `form` on the stack of hands to evaluate.

    They are the hand itself and the cards left after each reply considered. Returns the height of the stack.
    """
    top = push_unknown(memo, hand, 0)
    for action in replies:
        reply_form = MOVE_FORM_RANKS[action] >> 4
        if reply_form == BOMB or reply_form == ROCKET or (reply_form == form and is_considered_reply(hand, action)):
            top = push_unknown(memo, hand - MOVE_CARDS[action], top)
    return top


@njit
def best_same_form_reply(memo, hand, replies, form):
    """Return the id of the reply of form index `form` that leaves the cards with the best score, and the value of the rest.

    The cards left must score at least as much as the hand with one more turn. If no reply leaves such cards, return
    `NO_MOVE` and the value of the hand with one more turn.
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
    """Return the id of the best bomb that is worth playing, else of the rocket if it is, else `PASS`.

    A bomb is worth playing if the cards left score at least as much as the value `best`, or have a positive sum of
    points. The rocket is worth playing if the sum of points of `best` is above `_ROCKET_THRESHOLD`.
    """
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
    """Return the id of the lowest bomb among `replies` (ascending ids), else of the rocket, else `NO_MOVE`."""
    for action in replies:
        if MOVE_FORM_RANKS[action] >> 4 == BOMB or MOVE_FORM_RANKS[action] >> 4 == ROCKET:
            return np.int64(action)
    return NO_MOVE


@njit
def choose_reply(memo, hand, replies, form):
    """Return the id with which `rhcp` replies to a move of form index `form`: one of `replies`, or `PASS`.

    The values of the hand and of the cards left after each reply considered must be stored in `memo`.
    """
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
    """Return the id of the action that `rhcp` takes: a reply to the move with id `last`, or a lead if `last` is `PASS`."""
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
