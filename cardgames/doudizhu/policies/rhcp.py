"""The baseline `rhcp`: recursive hand-card partitioning as a way to play.

It leads what `partition` says, and replies if that does not worsen the hand by more than the turn it saves. It looks at
its own hand and the move to beat alone, and knows neither roles nor partners: peasants beat each other. Replies that the
rules forbid are never considered. `rules` is a record of type `DOUDIZHU_RULES`.
Source: an article by sm9sun, as coded for paper 004, of which it is the yardstick.
"""

import numpy as np

from cardgames.doudizhu.cards import JOKERS, count_of, has_rocket
from cardgames.doudizhu.hands.partition import (
    EQUAL,
    POINTS,
    ask,
    considered_later,
    hand_value,
    lead_from,
    new_desk,
    score,
    study,
    value_of,
)
from cardgames.doudizhu.moves.move_generation import MOST_MOVES, NO_MOVE, follow_moves, lead_moves
from cardgames.doudizhu.moves.move_table import CARDS, FEATURES, FIRST, PASS, PLACES, SOLOS, form_number
from cardgames.doudizhu.moves.move_types import BOMB, KICKERS, KIND, LENGTH, QUAD_PAIRS, QUAD_SOLOS, ROCKET, SOLO_CHAIN
from cardgames.kernels.jit import njit

BIDS = (10, 15, 20)
"""The sums from which on a hand bids 1, 2 and 3. The code of paper 004 never passes: there the first is commented out."""
_ROCKET_PAYS, _BOMB_PAYS = 20, 14
"""A rocket, or a bomb on four of a kind with pairs, is played if what is left sums up to more."""
_LAST_SOLO_CHAIN = form_number("solo chain", 12)


@njit
def wanted_bid(rules, hand):
    """Return how much a hand would bid: 0 (pass) to 3."""
    total = hand_value(rules, hand)[0]
    bid = 0
    for least in BIDS:
        bid += total >= least
    return bid


@njit
def answers(hand, action):
    """Return whether a reply of the right form is considered: no long plane, none with single kickers that breaks a bomb."""
    form, start = PLACES[action] >> 4, PLACES[action] & 15
    if FEATURES[action] & EQUAL or KICKERS[form] > (4 if KIND[form] == SOLOS else 3):
        return False
    if KIND[form] == SOLOS and LENGTH[form] > 1:
        for rank in range(start, start + LENGTH[form]):
            if count_of(hand, rank) != 3:
                return False
    return True


@njit
def ends_hand(hand, action, form):
    """Return whether a reply to a move of `form` is seen to play all of a hand as one group."""
    own = PLACES[action] >> 4
    if CARDS[action] != hand:
        return False
    if own == form:
        return form == QUAD_SOLOS or not FEATURES[action] & EQUAL
    return not SOLO_CHAIN <= form <= _LAST_SOLO_CHAIN


@njit
def rests_to_compare(desk, hand, replies, form):
    """Put on the stack what a reply to a move of `form` depends on: the hand, and what is left of it. Returns its height."""
    top = ask(desk, hand, 0)
    for action in replies:
        own = PLACES[action] >> 4
        if own == BOMB or own == ROCKET or (own == form and answers(hand, action)):
            top = ask(desk, hand - CARDS[action], top)
    return top


@njit
def reply_of_form(desk, hand, replies, form):
    """Return the reply of the same form that leaves the best rest, or `NO_MOVE`, and the value of that rest.

    The rest must score no less than the hand with a turn more; without such a reply, that is the value returned.
    """
    best, chosen = value_of(desk, hand) + 1, NO_MOVE
    for action in replies:
        if PLACES[action] >> 4 != form or not answers(hand, action):
            continue
        value = value_of(desk, hand - CARDS[action])
        # ordered kickers of planes are tried in turn, so that ids decide; those of quads once, as words
        later = considered_later(action, chosen) if form == QUAD_SOLOS or form == QUAD_PAIRS else True
        if score(value) > score(best) or (score(value) == score(best) and later):
            best, chosen = value, np.int64(action)
    return chosen, best


@njit
def bomb_or_rocket(desk, hand, replies, best):
    """Return the bomb that is worth it, else the rocket if it is, else `PASS`; `best` is the value to be kept."""
    chosen = np.int64(PASS)
    for action in replies:
        if PLACES[action] >> 4 == BOMB:
            value = value_of(desk, hand - CARDS[action])
            if score(value) >= score(best) or value // POINTS > 0:
                best, chosen = value, np.int64(action)
    if chosen == PASS and has_rocket(hand) and best // POINTS > _ROCKET_PAYS:
        return FIRST[ROCKET]
    return chosen


@njit
def strongest_kind(replies):
    """Return the lowest bomb among some replies, else the rocket, else `NO_MOVE`."""
    for action in replies:
        if PLACES[action] >> 4 == BOMB or PLACES[action] >> 4 == ROCKET:
            return np.int64(action)
    return NO_MOVE


@njit
def reply_from(desk, hand, replies, form):
    """Return the reply to a move of `form`, `PASS` for none, when all rests to compare are known."""
    if has_rocket(hand) and value_of(desk, hand - JOKERS) % POINTS == 1:
        return FIRST[ROCKET]
    power = strongest_kind(replies)
    if form == BOMB:
        return power
    for action in replies:
        if ends_hand(hand, action, form):
            return np.int64(action)
    chosen, best = reply_of_form(desk, hand, replies, form)
    if form == QUAD_PAIRS and power != NO_MOVE and (chosen == NO_MOVE or best // POINTS > _BOMB_PAYS):
        return power
    return bomb_or_rocket(desk, hand, replies, best) if chosen == NO_MOVE else chosen


@njit
def rhcp(rules, hand, last):
    """Return what `rhcp` plays from a hand: to the move with the id `last`, or as a lead if that is `PASS`."""
    desk, moves = new_desk(rules, hand), np.empty(MOST_MOVES, np.int32)
    form = PLACES[last] >> 4
    if last == PASS:
        moves = moves[: lead_moves(rules, hand, moves)]
        top = ask(desk, hand, 0)
    else:
        moves = moves[: follow_moves(rules, hand, last, moves)]
        if len(moves) == 0:
            return np.int64(PASS)
        top = rests_to_compare(desk, hand, moves, form)
    desk = study(rules, desk, top)
    return lead_from(desk, hand, moves, 0)[0] if last == PASS else reply_from(desk, hand, moves, form)
