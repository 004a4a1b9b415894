"""The baseline `rhcp`: recursive hand-card partitioning as a way to play.

It leads what `partition` says, and replies if that does not worsen the hand by more than the turn it saves. It looks at
its own hand and the move to beat alone, and knows neither roles nor partners: peasants beat each other. Replies that the
rules forbid are never considered. `rules` is a record of type `DOUDIZHU_RULES`.
Source: an article by sm9sun, as coded for paper 004, of which it is the yardstick.
"""

import numpy as np

from cardgames.doudizhu.cards import JOKERS, has_rocket, rank_count
from cardgames.doudizhu.hands.partition import (
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
"""The sums from which on a hand bids 1, 2 and 3. The code of paper 004 never passes: there the first is commented out."""
_ROCKET_THRESHOLD, _BOMB_THRESHOLD = 20, 14
"""A rocket, or a bomb on four of a kind with pairs, is played if what is left sums up to more."""
_LAST_SOLO_CHAIN = form_index("solo chain", 12)


@njit
def rhcp_bid(rules, hand):
    """Return how much a hand would bid: 0 (pass) to 3."""
    total = partition_value(rules, hand)[0]
    bid = 0
    for least in BID_THRESHOLDS:
        bid += total >= least
    return bid


@njit
def is_considered_reply(hand, action):
    """Return whether a reply of the right form is considered: no long plane, none with single kickers that breaks a bomb."""
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
    """Return whether a reply to a move of `form` is seen to play all of a hand as one group."""
    reply_form = MOVE_FORM_RANKS[action] >> 4
    if MOVE_CARDS[action] != hand:
        return False
    if reply_form == form:
        return form == QUAD_SOLOS or not MOVE_FEATURES[action] & EQUAL_KICKERS
    return not SOLO_CHAIN <= form <= _LAST_SOLO_CHAIN


@njit
def push_rests_after_replies(memo, hand, replies, form):
    """Put on the stack what a reply to a move of `form` depends on: the hand, and what is left of it. Returns its height."""
    top = push_unknown(memo, hand, 0)
    for action in replies:
        reply_form = MOVE_FORM_RANKS[action] >> 4
        if reply_form == BOMB or reply_form == ROCKET or (reply_form == form and is_considered_reply(hand, action)):
            top = push_unknown(memo, hand - MOVE_CARDS[action], top)
    return top


@njit
def best_same_form_reply(memo, hand, replies, form):
    """Return the reply of the same form that leaves the best rest, or `NO_MOVE`, and the value of that rest.

    The rest must score no less than the hand with a turn more; without such a reply, that is the value returned.
    """
    best, chosen = value_of(memo, hand) + 1, NO_MOVE
    for action in replies:
        if MOVE_FORM_RANKS[action] >> 4 != form or not is_considered_reply(hand, action):
            continue
        value = value_of(memo, hand - MOVE_CARDS[action])
        # ordered kickers of planes are tried in turn, so that ids decide; those of quads once, as words
        later = is_considered_after(action, chosen) if form == QUAD_SOLOS or form == QUAD_PAIRS else True
        if score(value) > score(best) or (score(value) == score(best) and later):
            best, chosen = value, np.int64(action)
    return chosen, best


@njit
def choose_bomb_or_rocket(memo, hand, replies, best):
    """Return the bomb that is worth it, else the rocket if it is, else `PASS`; `best` is the value to be kept."""
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
    """Return the reply to a move of `form`, `PASS` for none, when all rests to compare are known."""
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
    """Return what `rhcp` plays from a hand: to the move with the id `last`, or as a lead if that is `PASS`."""
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
