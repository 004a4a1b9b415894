"""The policy `frugal`: it gives away as little of what its hand is worth as it can, and plays with its partner.

A reply is the one that leaves the best rest (`worth`), if that is not much worse than the hand; the fewer cards the enemy
has left, the worse it may be. A peasant passes on his partner's moves, unless a low one can be raised before the landlord
gets it. Bombs and the rocket are for when little is left. A lead is the group of the lowest card, trios first; groups
that nobody can beat go first when one other is left. It looks at the mover's hand, the cards played and how many the
others have. `rules` is a record of type `DOUDIZHU_RULES`, `room` one of `worth.new_room`.
"""

from typing import Any

import numpy as np

from cardgames.core.bits import lowest_bit, popcount
from cardgames.core.jit import njit
from cardgames.doudizhu.cards import BLACK_JOKER, DECK, JOKERS, count_of, holds, rank_masks
from cardgames.doudizhu.movegen import BOMB, COPIES, FORM_FEATURES, KICKERS, KIND, LENGTH, ROCKET, add_form
from cardgames.doudizhu.moves import CARDS, FIRST, NO_KICKERS, PAIRS, PASS, PLACES, form_number
from cardgames.doudizhu.pick import PAIR, PAIR_CHAIN, SOLO, SOLO_CHAIN, TRIO, TRIO_CHAIN, chain_starts, rank_sets
from cardgames.doudizhu.worth import CHEAP, block, count_turns, exact_sets, new_room, sort_hand, worth_of

NONE: Any = np.int64(-1)
"""No move."""
_LAST: Any = np.int64(1000)
"""Later than any group."""
_TRIO_SOLO, _TRIO_PAIR = form_number("trio+solo"), form_number("trio+pair")
_PLANE_SOLOS, _PLANE_PAIRS = form_number("plane+solos", 2), form_number("plane+pairs", 2)
_QUAD_SOLOS, _QUAD_PAIRS = form_number("quad+solos"), form_number("quad+pairs")
_MOST_SOLOS, _MOST_PAIRS = 5, 4
"""The longest planes with single cards and with pairs."""

LOSS = np.array([0, 30, 16, 10, 10, 7])
"""[cards] how much worth a reply may cost when the enemy has so many cards left, or more."""
_LAST_STAND = 3
"""When the enemy has so few cards left, bombs are played."""
_ENOUGH = -10
"""So much the rest of a hand must be worth after a bomb before that."""
_RAISED_BELOW, _LEAST_GAIN = 9, 1
"""A partner's move is raised below this rank, for at least so much gain."""
_TRIOS_FIRST = 6
"""How many ranks lower than it is a group with trios counts when a lead is chosen."""
_HIGH = 9
"""A partner with one or two cards is not led to from this rank on."""
BIDS = (-40, -34, -28)
"""The worths from which on a hand of 17 cards bids 1, 2 and 3: one of -40 wins half of its rounds as the landlord, all
playing like this, one of -28 six in ten.
"""
_ONE = np.uint64(1)
_NOTHING = np.uint64(0)
_DECK = np.uint64(DECK)


@njit
def _lowest_of(ranks, n):
    """Return the n lowest ranks of a set."""
    found = _NOTHING
    for _ in range(n):
        found |= ranks & ~(ranks - _ONE)
        ranks &= ranks - _ONE
    return found


@njit
def _highest(ranks):
    """Return the highest rank of a set."""
    while ranks & (ranks - _ONE):
        ranks &= ranks - _ONE
    return ranks


@njit
def _above(ranks, others):
    """Return those of some ranks that are higher than all others."""
    return ranks & ~((_highest(others) << _ONE) - _ONE) if others else ranks


@njit
def move_id(rules, form, start, cards):
    """Return the id of the move of a form that starts at a rank and has these cards, `NONE` if the rules forbid it."""
    if KIND[form] == NO_KICKERS:
        return FIRST[form] + start
    if FORM_FEATURES[form] & rules.forbidden:
        return NONE
    out = np.empty(2, np.int32)
    n = add_form(rules.forbidden, rank_masks(cards), form, np.int64(1) << start, out, np.int64(0))
    return np.int64(out[0]) if n == 1 else NONE


@njit
def _kickers(rest, form, start, room):
    """Return the cheapest kickers, as cards, that a move of a form can take from the rest of a hand, none if it cannot."""
    n, pairs = KICKERS[form], KIND[form] == PAIRS
    allowed = ~block(np.int64(1), LENGTH[form], start)
    one, two, _, _ = exact_sets(sort_hand(rest, room)[1])
    ranks = (two if pairs else one) & allowed
    if popcount(ranks) < n:
        held = rank_sets(rest)
        ranks = (held[1] if pairs else held[0]) & allowed
    if popcount(ranks) < n:
        return _NOTHING
    return _lowest_of(ranks, n) << _ONE if pairs else _lowest_of(ranks, n)


@njit
def _enemy_cards(state, seat):
    """Return how few cards an enemy has."""
    if seat == state.landlord:
        return np.int64(min(state.counts[(seat + 1) % 3], state.counts[(seat + 2) % 3]))
    return np.int64(state.counts[state.landlord])


@njit
def _best_reply(rules, hand, last, enemy, room):
    """Return the reply of the same form as `last` that leaves the best rest, or `NONE`, its rank and the worth of the
    rest. To a single card, with an enemy who has but one, higher ones count as better.
    """
    form, bar = np.int64(PLACES[last]) >> 4, np.int64(PLACES[last]) & 15
    copies, length = COPIES[form], LENGTH[form]
    starts = rank_sets(hand)[copies - 1]
    if length > 1:
        starts = chain_starts(starts, length)
    starts &= ~((_ONE << np.uint64(4 * bar + 4)) - _ONE)
    best, chosen, rank = np.int64(-1000), NONE, NONE
    while starts:
        start = lowest_bit(starts) >> 2
        starts &= starts - _ONE
        cards = block(copies, length, start)
        if KIND[form] != NO_KICKERS:
            kickers = _kickers(hand - cards, form, start, room)
            if kickers == _NOTHING:
                continue
            cards += kickers
        worth = worth_of(hand - cards, room)
        if form == SOLO and enemy == 1 and start < BLACK_JOKER:
            worth += 3 * start
        if worth > best or cards == hand:
            action = move_id(rules, form, start, cards)
            if action != NONE:
                best, chosen, rank = worth, action, start
                if cards == hand:
                    break
    return chosen, rank, best


@njit
def _power(hand, bombs, enemy, room):
    """Return the lowest bomb, else the rocket, that is worth playing now, else `PASS`."""
    while bombs:
        rank = lowest_bit(bombs) >> 2
        bombs &= bombs - _ONE
        rest = hand - block(np.int64(4), np.int64(1), rank)
        if rest == 0 or enemy <= _LAST_STAND or worth_of(rest, room) >= _ENOUGH:
            return FIRST[BOMB] + rank
    if holds(hand, JOKERS):
        rest = hand - JOKERS
        if rest == 0 or enemy <= _LAST_STAND or worth_of(rest, room) >= _ENOUGH:
            return np.int64(FIRST[ROCKET])
    return np.int64(PASS)


@njit
def _raises(state, seat, form, bar, gain, enemy):
    """Return whether a peasant raises his partner's move, of a form and rank, at a gain (or loss) of worth."""
    if (seat + 1) % 3 != state.landlord:
        return False
    if form == (SOLO if enemy == 1 else PAIR) and enemy <= 2 and bar < _HIGH:
        return gain >= -LOSS[1]
    return LENGTH[form] == 1 and bar < _RAISED_BELOW and gain >= _LEAST_GAIN


@njit
def frugal_reply(rules, state, room):
    """Return the reply to the last move."""
    seat, last = np.int64(state.to_move), np.int64(state.last)
    hand, form = state.hands[seat], np.int64(PLACES[last]) >> 4
    if form == ROCKET:
        return np.int64(PASS)
    enemy = _enemy_cards(state, seat)
    action, _, best = _best_reply(rules, hand, last, enemy, room)
    bombs = rank_sets(hand)[3] if form != BOMB else _NOTHING
    if action == NONE and not bombs and not holds(hand, JOKERS):
        return np.int64(PASS)
    if action != NONE and CARDS[action] == hand:
        return action
    partner = seat != state.landlord and state.last_by != state.landlord
    if partner and hand != JOKERS and hand != bombs << np.uint64(2):
        if action != NONE and _raises(
            state, seat, form, np.int64(PLACES[last]) & 15, best - worth_of(hand, room), enemy
        ):
            return action
        return np.int64(PASS)
    if action != NONE and (
        best >= _ENOUGH or enemy <= _LAST_STAND
        if form == BOMB
        else best - worth_of(hand, room) >= -LOSS[min(enemy, len(LOSS) - 1)]
    ):
        return action
    return _power(hand, bombs, enemy, room)


@njit
def _sure_winner(hand, seen, loose, turns):
    """Return a lead that nobody can beat, if all groups but one are such leads and there are others, else `NONE`.

    `loose` is what the chains leave, `turns` how many groups there are beside bombs and the rocket; bombs of others do
    not count.
    """
    one, two, _, four = exact_sets(loose)
    rocket = holds(loose, JOKERS)
    if rocket:
        one ^= JOKERS
    unseen = rank_sets(_DECK - hand - seen)
    sure_one, sure_two = _above(one, unseen[0]), _above(two, unseen[1])
    if turns - popcount(sure_one) - popcount(sure_two) > 1:
        return NONE
    if rocket:
        return np.int64(FIRST[ROCKET])
    if turns > 1:
        if sure_one:
            return FIRST[SOLO] + (lowest_bit(sure_one) >> 2)
        return FIRST[PAIR] + (lowest_bit(sure_two) >> 2) if sure_two else NONE
    return FIRST[BOMB] + (lowest_bit(four) >> 2) if four else NONE


@njit
def _for_partner(state, seat, hand):
    """Return the lowest card, or pair, for a partner who comes next and has just one, or two, cards; or `NONE`."""
    if (seat - state.landlord) % 3 != 1:
        return NONE
    cards = np.int64(state.counts[(seat + 1) % 3])
    if cards > 2:
        return NONE
    ranks = rank_sets(hand)[cards - 1]
    rank = lowest_bit(ranks) >> 2
    if rank >= _HIGH:
        return NONE
    return FIRST[SOLO if cards == 1 else PAIR] + rank


@njit
def _chain_form(chain):
    """Return the form of a chain of so many cards of each rank, given as a hand."""
    length = popcount(rank_sets(chain)[0])
    copies = count_of(chain, lowest_bit(chain) >> 2)
    if copies == 1:
        return SOLO_CHAIN + length - 5
    return PAIR_CHAIN + length - 3 if copies == 2 else TRIO_CHAIN + length - 2


@njit
def _lowest_group(loose, chains, enemy, room):
    """Return the form and the rank of the group to lead, kickers apart; a form of -1 if only bombs and the rocket are left.

    With an enemy of one card, or two, single cards, or pairs, come last, and of single cards the highest.
    """
    one, two, three, _ = exact_sets(loose)
    if holds(loose, JOKERS):
        one ^= JOKERS
    best, form, start = _LAST, NONE, NONE
    for k in range(chains):
        chain = room.found[k]
        rank, own = lowest_bit(chain) >> 2, _chain_form(chain)
        key = rank - (_TRIOS_FIRST if own >= TRIO_CHAIN else 0)
        if key < best:
            best, form, start = key, own, rank
    if three and (lowest_bit(three) >> 2) - _TRIOS_FIRST < best:
        start = lowest_bit(three) >> 2
        best, form = start - _TRIOS_FIRST, TRIO
    if two and (lowest_bit(two) >> 2) + (50 if enemy == 2 else 0) < best:
        start = lowest_bit(two) >> 2
        best, form = start + (50 if enemy == 2 else 0), PAIR
    if one and (lowest_bit(one) >> 2) + (100 if enemy == 1 else 0) < best:
        form, start = SOLO, lowest_bit(_highest(one) if enemy == 1 else one) >> 2
    return form, start


@njit
def _with_kickers(rules, loose, form, start, all_out):
    """Return the id of a trio or a chain of trios with the lowest kickers that are loose, without any if there are too few.

    Aces and what is higher are only given away to get `all_out`.
    """
    one, two, _, _ = exact_sets(loose)
    if not all_out:
        one, two = one & CHEAP, two & CHEAP
    length = LENGTH[form]
    cards, action = block(np.int64(3), length, start), NONE
    solos = popcount(one) >= length and (length > 1 or not two or lowest_bit(one) < lowest_bit(two))
    if solos and length <= _MOST_SOLOS:
        own = _TRIO_SOLO if length == 1 else _PLANE_SOLOS + length - 2
        action = move_id(rules, own, start, cards + _lowest_of(one, length))
    if action == NONE and popcount(two) >= length and length <= _MOST_PAIRS:
        own = _TRIO_PAIR if length == 1 else _PLANE_PAIRS + length - 2
        action = move_id(rules, own, start, cards + (_lowest_of(two, length) << _ONE))
    return FIRST[form] + start if action == NONE else action


@njit
def _four_with_all(rules, hand, cards):
    """Return the move of four of a kind with kickers that is all of a hand of so many cards, `NONE` if it is none."""
    four = rank_sets(hand)[3]
    if not four or (cards != 6 and cards != 8):
        return NONE
    return move_id(rules, _QUAD_SOLOS if cards == 6 else _QUAD_PAIRS, lowest_bit(four) >> 2, hand)


@njit
def frugal_lead(rules, state, room):
    """Return the move to lead."""
    seat = np.int64(state.to_move)
    hand = state.hands[seat]
    action = _four_with_all(rules, hand, np.int64(state.counts[seat]))
    if action != NONE:
        return action
    _, loose, chains = sort_hand(hand, room)
    turns = count_turns(loose, chains, room)
    action = _sure_winner(hand, state.played[0] + state.played[1] + state.played[2], loose, turns)
    if action == NONE and seat != state.landlord:
        action = _for_partner(state, seat, hand)
    if action != NONE:
        return action
    form, start = _lowest_group(loose, chains, _enemy_cards(state, seat), room)
    if form == NONE:
        four = exact_sets(loose)[3]
        return FIRST[BOMB] + (lowest_bit(four) >> 2) if four else np.int64(FIRST[ROCKET])
    if form == TRIO or TRIO_CHAIN <= form < _PLANE_SOLOS:
        return _with_kickers(rules, loose, form, start, turns <= 2)
    return FIRST[form] + start


@njit
def frugal(rules, state):
    """Return what the seat to move plays."""
    room = new_room()
    if state.last == PASS:
        return np.int64(frugal_lead(rules, state, room))
    return np.int64(frugal_reply(rules, state, room))


@njit
def frugal_bid(hand):
    """Return how much a hand would bid: 0 (pass) to 3."""
    worth, bid = worth_of(hand, new_room()), np.int64(0)
    for least in BIDS:
        bid += worth >= least
    return bid
