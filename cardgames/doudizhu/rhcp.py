"""The baseline `rhcp`, recursive hand-card partitioning: a hand is worth what its groups are worth as it would lead them.

A hand's value is a sum of group values and a number of turns; a turn costs `TURN` points. What is led leaves the rest
that scores best, which is split the same way; a reply may not worsen the hand by more than the turn it saves. It looks at
no other hand, knows neither roles nor partners. Its source, an article by sm9sun as coded for paper 004, leads and
replies moves that some rule sets forbid: here these are never considered, nor seen as one group.

A value is one number, `POINTS` times the sum plus the turns, so values add. `rules` is a record of type `DOUDIZHU_RULES`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core.bits import lowest_bit
from cardgames.core.jit import njit
from cardgames.core.rng import mix
from cardgames.doudizhu.cards import BLACK_JOKER, NUM_RANKS, comes_first, count_of, rank_masks
from cardgames.doudizhu.movegen import BOMB, COPIES, KICKERS, KIND, LENGTH, ROCKET, follow_moves, lead_moves
from cardgames.doudizhu.moves import CARDS, FEATURES, FIRST, FORMS, PASS, PLACES, SOLOS, Form, form_number
from cardgames.doudizhu.rules.grammar import EQUAL_PAIRS, TWO_EQUAL

TURN = 7
"""What a turn costs, in the points of group values."""
POINTS = 64
"""A hand's value is this times its sum, plus its turns."""
NONE = np.int64(-1)
"""No move."""
BIDS = (10, 15, 20)
"""The sums from which on a hand bids 1, 2 and 3. The code of paper 004 never passes: there the first is commented out."""
_ROCKET_PAYS, _BOMB_PAYS = 20, 14
"""A rocket, or a bomb on four of a kind with pairs, is played if what is left sums up to more."""
_SOLO, _SOLO_CHAIN, _LAST_SOLO_CHAIN = form_number("solo"), form_number("solo chain", 5), form_number("solo chain", 12)
_QUAD_SOLOS, _QUAD_PAIRS = form_number("quad+solos"), form_number("quad+pairs")
_EQUAL = TWO_EQUAL | EQUAL_PAIRS
_JOKERS = np.uint64(0x11 << 4 * BLACK_JOKER)
_NORMAL = (1 << BLACK_JOKER) - 1


def _group_value(form: Form, start: int) -> int:
    """Return what a group is worth, from its form and lowest main rank (3 is rank 0)."""
    top = start + form.length - 1
    if form.name in ("solo chain", "pair chain"):
        return top - 6
    if form.name in ("trio chain", "plane+solos", "plane+pairs"):
        return (top + 1) // 2
    special = {"quad+solos": top // 2, "quad+pairs": top // 2, "bomb": top + 7, "rocket": 20}
    return special.get(form.name, top - 7)


VALUE = np.array([[POINTS * _group_value(form, start) + 1 for start in range(NUM_RANKS)] for form in FORMS], np.int64)
"""[forms, ranks] what a group of that form and lowest main rank is worth, its turn included."""


class Desk(NamedTuple):
    """What is known of hands so far, and room to work."""

    hands: NDArray[np.uint64]
    """A hash table of hands, 0 where it is empty; its length is a power of two."""
    values: NDArray[np.int64]
    used: NDArray[np.int64]
    """[1] how many hands the table has."""
    ids: NDArray[np.int32]
    stack: NDArray[np.uint64]


@njit
def new_desk(rules, hand):
    """Return a desk with room for a hand and all that is left when some of it is played."""
    size, leads = 1 << 11, lead_moves(rules, hand, None)
    table = np.zeros(size, np.uint64), np.empty(size, np.int64)
    # a hand of 20 cards asks for at most 20 rests in a row, each of them for no more rests than it has leads
    return Desk(*table, np.zeros(1, np.int64), np.empty(leads, np.int32), np.empty(21 * (leads + 1), np.uint64))


@njit
def slot_of(desk, hand):
    """Return where a hand is, or would be, in the table."""
    last = len(desk.hands) - 1
    slot = np.int64(mix(hand)) & last
    while desk.hands[slot] != hand and desk.hands[slot] != 0:
        slot = (slot + 1) & last
    return slot


@njit
def is_known(desk, hand):
    """Return whether the value of a hand is known."""
    return hand == 0 or desk.hands[slot_of(desk, hand)] == hand


@njit
def value_of(desk, hand):
    """Return the value of a hand that is known."""
    return np.int64(0) if hand == 0 else desk.values[slot_of(desk, hand)]


@njit
def note(desk, hand, value):
    """Enter the value of a hand. Returns the desk, with a larger table when half of it is full."""
    slot = slot_of(desk, hand)
    desk.hands[slot], desk.values[slot] = hand, value
    desk.used[0] += 1
    if 2 * desk.used[0] <= len(desk.hands):
        return desk
    size = 2 * len(desk.hands)
    larger = Desk(np.zeros(size, np.uint64), np.empty(size, np.int64), desk.used, desk.ids, desk.stack)
    for i in range(len(desk.hands)):
        if desk.hands[i]:
            slot = slot_of(larger, desk.hands[i])
            larger.hands[slot], larger.values[slot] = desk.hands[i], desk.values[i]
    return larger


@njit
def score(value):
    """Return a value in points: its sum less what its turns cost."""
    return (value // POINTS) - TURN * (value % POINTS)


@njit
def all_of(hand, ids):
    """Return the move that plays all of a hand as one group, if that is not four of a kind with kickers; or `NONE`."""
    for action in ids:
        form = PLACES[action] >> 4
        if CARDS[action] == hand and not FEATURES[action] & _EQUAL and form != _QUAD_SOLOS and form != _QUAD_PAIRS:
            return np.int64(action)
    return NONE


@njit
def carries_kickers(hand, action):
    """Return whether a move is a trio or a plane with kickers as it would be led: from exactly three of its lowest rank."""
    form, start = PLACES[action] >> 4, PLACES[action] & 15
    kickers = KICKERS[form]
    if kickers == 0 or COPIES[form] != 3 or kickers > (4 if KIND[form] == SOLOS else 3):
        return False
    return not FEATURES[action] & _EQUAL and count_of(hand, start) == 3


@njit
def considered_later(action, other):
    """Return whether a lead is considered after another: by lowest main rank, by form, by kickers as in a dictionary."""
    if other == NONE:
        return True
    place, other_place = np.int64(PLACES[action]), np.int64(PLACES[other])
    if place & 15 != other_place & 15:
        return place & 15 > other_place & 15
    return place > other_place or (place == other_place and comes_first(CARDS[other], CARDS[action]))


@njit
def ask(desk, hand, top):
    """Put a hand on the stack, whose height is `top`, unless its value is known. Returns the new height."""
    if not is_known(desk, hand):
        desk.stack[top] = hand
        top += 1
    return top


@njit
def best_rest(desk, hand, ids, top):
    """Return the move to lead that leaves the best rest, and the height of the stack, which gets the rests not yet known.

    Trios and planes with kickers are considered before all; else what is made of the lowest rank that is no bomb: `NONE`
    if there is no such rank. `ids` are all moves of the hand.
    """
    one, _, _, four = rank_masks(hand)
    lowest = lowest_bit(one & ~four & _NORMAL)
    carriers = False
    for action in ids:
        carriers |= carries_kickers(hand, action)
    best, chosen = -25 - 21 * TURN, NONE
    for action in ids:
        of_lowest = PLACES[action] & 15 == lowest and KICKERS[PLACES[action] >> 4] == 0
        if not (carries_kickers(hand, action) if carriers else of_lowest):
            continue
        rest = hand - CARDS[action]
        slot = slot_of(desk, rest)
        if desk.hands[slot] != rest:
            desk.stack[top] = rest
            top += 1
            continue
        points = score(desk.values[slot])
        if points > best or (points == best and considered_later(action, chosen)):
            best, chosen = points, np.int64(action)
    return chosen, top


@njit
def lead_from(desk, hand, ids, top):
    """Return the move to lead from a hand, and the height of the stack: the move stands if no rest was put there."""
    whole = all_of(hand, ids)
    if whole != NONE:
        return whole, top
    jokers = hand & _JOKERS
    if jokers == _JOKERS:
        asked = ask(desk, hand - _JOKERS, top)
        if asked > top:
            return NONE, asked
        if value_of(desk, hand - _JOKERS) % POINTS == 1:
            return FIRST[ROCKET], top
    chosen, asked = best_rest(desk, hand, ids, top)
    if chosen == NONE and asked == top:
        chosen = FIRST[BOMB] + (lowest_bit(hand) >> 2)
        if jokers and jokers != _JOKERS:
            chosen = FIRST[_SOLO] + (lowest_bit(jokers) >> 2)
    return chosen, asked


@njit
def study(rules, desk, hand):
    """Find the value of a hand, and of every rest that it takes. Returns the desk."""
    desk.stack[0], top = hand, 1
    while top > 0:
        hand = desk.stack[top - 1]
        if is_known(desk, hand):
            top -= 1
            continue
        ids = desk.ids[: lead_moves(rules, hand, desk.ids)]
        action, asked = lead_from(desk, hand, ids, top)
        if asked == top:
            asked = ask(desk, hand - CARDS[action], top)
        if asked > top:
            top = asked
            continue
        worth = VALUE[PLACES[action] >> 4, PLACES[action] & 15]
        desk = note(desk, hand, worth + value_of(desk, hand - CARDS[action]))
    return desk


@njit
def hand_value(rules, hand):
    """Return the sum of a hand's group values and its number of turns."""
    value = value_of(study(rules, new_desk(rules, hand), hand), hand)
    return value // POINTS, value % POINTS


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
    if FEATURES[action] & _EQUAL or KICKERS[form] > (4 if KIND[form] == SOLOS else 3):
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
        return form == _QUAD_SOLOS or not FEATURES[action] & _EQUAL
    return not _SOLO_CHAIN <= form <= _LAST_SOLO_CHAIN


@njit
def reply_of_form(rules, desk, hand, replies, form):
    """Return the desk, the reply of the same form that leaves the best rest, or `NONE`, and the value of that rest.

    The rest must score no less than the hand with a turn more; without such a reply, that is the value returned.
    """
    best, chosen = value_of(desk, hand) + 1, NONE
    for action in replies:
        if PLACES[action] >> 4 != form or not answers(hand, action):
            continue
        desk = study(rules, desk, hand - CARDS[action])
        value = value_of(desk, hand - CARDS[action])
        # ordered kickers of planes are tried in turn, so that ids decide; those of quads once, as words
        later = considered_later(action, chosen) if form == _QUAD_SOLOS or form == _QUAD_PAIRS else True
        if score(value) > score(best) or (score(value) == score(best) and later):
            best, chosen = value, np.int64(action)
    return desk, chosen, best


@njit
def bomb_or_rocket(rules, desk, hand, replies, best):
    """Return the bomb that is worth it, else the rocket if it is, else a pass; `best` is the value to be kept."""
    chosen = NONE
    for action in replies:
        if PLACES[action] >> 4 == BOMB:
            desk = study(rules, desk, hand - CARDS[action])
            value = value_of(desk, hand - CARDS[action])
            if score(value) >= score(best) or value // POINTS > 0:
                best, chosen = value, np.int64(action)
    if chosen == NONE and hand & _JOKERS == _JOKERS and best // POINTS > _ROCKET_PAYS:
        chosen = FIRST[ROCKET]
    return PASS if chosen == NONE else chosen


@njit
def strongest_kind(replies):
    """Return the lowest bomb among some replies, else the rocket, else `NONE`."""
    for action in replies:
        if PLACES[action] >> 4 == BOMB or PLACES[action] >> 4 == ROCKET:
            return np.int64(action)
    return NONE


@njit
def reply_to(rules, desk, hand, last):
    """Return the reply to the move `last`, `PASS` for none."""
    if hand & _JOKERS == _JOKERS and hand != _JOKERS:
        desk = study(rules, desk, hand - _JOKERS)
        if value_of(desk, hand - _JOKERS) % POINTS == 1:
            return FIRST[ROCKET]
    replies = np.empty(follow_moves(rules, hand, last, None), np.int32)
    if follow_moves(rules, hand, last, replies) == 0:
        return PASS
    form = PLACES[last] >> 4
    power = strongest_kind(replies)
    if form == BOMB:
        return PASS if power == NONE else power
    for action in replies:
        if ends_hand(hand, action, form):
            return np.int64(action)
    desk, chosen, best = reply_of_form(rules, study(rules, desk, hand), hand, replies, form)
    if form == _QUAD_PAIRS:
        if power != NONE and (chosen == NONE or best // POINTS > _BOMB_PAYS):
            return power
        return PASS if chosen == NONE else chosen
    return bomb_or_rocket(rules, desk, hand, replies, best) if chosen == NONE else chosen


@njit
def rhcp(rules, hand, last):
    """Return what `rhcp` plays from a hand: to the move with the id `last`, or as a lead if that is `PASS`."""
    desk = new_desk(rules, hand)
    if last != PASS:
        return reply_to(rules, desk, hand, last)
    desk = study(rules, desk, hand)
    ids = desk.ids[: lead_moves(rules, hand, desk.ids)]
    return lead_from(desk, hand, ids, 0)[0]


def value(rules: Any, hand: int) -> tuple[int, int]:
    """Return the sum of a hand's group values and its number of turns."""
    total, turns = hand_value(rules, np.uint64(hand))
    return int(total), int(turns)
