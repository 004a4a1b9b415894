"""What the policy `frugal` replies: what leaves the best rest (`worth`), if that is not much worse than the hand.

The fewer cards the enemy has left, the worse it may be. A peasant passes on his partner's moves, unless a low one can be
raised before the landlord gets it. Bombs and the rocket are for when little is left.
"""

import numpy as np

from cardgames.doudizhu.cards import BLACK_JOKER, JOKERS, exact_sets, has_rocket, lowest_ranks, rank_sets
from cardgames.doudizhu.hands.hand_value import block, sort_hand, worth_of
from cardgames.doudizhu.moves.move_generation import NO_MOVE, move_id
from cardgames.doudizhu.moves.move_sampling import starts_above
from cardgames.doudizhu.moves.move_table import CARDS, FIRST, NO_KICKERS, PAIRS, PASS, PLACES
from cardgames.doudizhu.moves.move_types import BOMB, COPIES, KICKERS, KIND, LENGTH, PAIR, ROCKET, SOLO
from cardgames.kernels.bits import NONE, ONE, lowest_bit, popcount
from cardgames.kernels.jit import njit

LOSS = np.array([0, 30, 16, 10, 10, 7])
"""[cards] how much worth a reply may cost when the enemy has so many cards left, or more."""
HIGH = 9
"""From this rank on a partner with one or two cards is not led to, nor is a partner raised to keep such an enemy out."""
_LAST_STAND = 3
"""When the enemy has so few cards left, bombs are played."""
_ENOUGH = -10
"""So much the rest of a hand must be worth after a bomb before that."""
_RAISED_BELOW, _LEAST_GAIN = 9, 1
"""A partner's move is raised below this rank, for at least so much gain."""


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
        return NONE
    return lowest_ranks(ranks, n) << ONE if pairs else lowest_ranks(ranks, n)


@njit
def enemy_cards(state, seat):
    """Return how few cards an enemy has."""
    if seat == state.landlord:
        return np.int64(min(state.counts[(seat + 1) % 3], state.counts[(seat + 2) % 3]))
    return np.int64(state.counts[state.landlord])


@njit
def _best_reply(rules, hand, last, enemy, room):
    """Return the reply of the same form as `last` that leaves the best rest, or `NO_MOVE`, and the worth of the rest. To a
    single card, with an enemy who has but one, higher ones count as better.
    """
    form, bar = np.int64(PLACES[last]) >> 4, np.int64(PLACES[last]) & 15
    copies, length = COPIES[form], LENGTH[form]
    starts = starts_above(rank_sets(hand), form, bar)
    best, chosen = np.int64(-1000), NO_MOVE
    while starts:
        start = lowest_bit(starts) >> 2
        starts &= starts - ONE
        cards = block(copies, length, start)
        if KIND[form] != NO_KICKERS:
            kickers = _kickers(hand - cards, form, start, room)
            if kickers == NONE:
                continue
            cards += kickers
        worth = worth_of(hand - cards, room)
        if form == SOLO and enemy == 1 and start < BLACK_JOKER:
            worth += 3 * start
        if worth > best or cards == hand:
            action = move_id(rules, form, start, cards)
            if action != NO_MOVE:
                best, chosen = worth, action
                if cards == hand:
                    break
    return chosen, best


@njit
def _power(hand, bombs, enemy, room):
    """Return the lowest bomb, else the rocket, that is worth playing now, else `PASS`."""
    while bombs:
        rank = lowest_bit(bombs) >> 2
        bombs &= bombs - ONE
        rest = hand - block(np.int64(4), np.int64(1), rank)
        if rest == 0 or enemy <= _LAST_STAND or worth_of(rest, room) >= _ENOUGH:
            return FIRST[BOMB] + rank
    if has_rocket(hand):
        rest = hand - JOKERS
        if rest == 0 or enemy <= _LAST_STAND or worth_of(rest, room) >= _ENOUGH:
            return np.int64(FIRST[ROCKET])
    return np.int64(PASS)


@njit
def _raises(state, seat, form, bar, gain, enemy):
    """Return whether a peasant raises his partner's move, of a form and rank, at a gain (or loss) of worth."""
    if (seat + 1) % 3 != state.landlord:
        return False
    if form == (SOLO if enemy == 1 else PAIR) and enemy <= 2 and bar < HIGH:
        return gain >= -LOSS[1]
    return LENGTH[form] == 1 and bar < _RAISED_BELOW and gain >= _LEAST_GAIN


@njit
def frugal_reply(rules, state, room):
    """Return the reply to the last move."""
    seat, last = np.int64(state.to_move), np.int64(state.last)
    hand, form = state.hands[seat], np.int64(PLACES[last]) >> 4
    if form == ROCKET:
        return np.int64(PASS)
    enemy = enemy_cards(state, seat)
    action, best = _best_reply(rules, hand, last, enemy, room)
    bombs = rank_sets(hand)[3] if form != BOMB else NONE
    if action == NO_MOVE and not bombs and not has_rocket(hand):
        return np.int64(PASS)
    if action != NO_MOVE and CARDS[action] == hand:
        return action
    partner = seat != state.landlord and state.last_by != state.landlord
    if partner and hand != JOKERS and hand != bombs << np.uint64(2):
        if action != NO_MOVE and _raises(
            state, seat, form, np.int64(PLACES[last]) & 15, best - worth_of(hand, room), enemy
        ):
            return action
        return np.int64(PASS)
    if action != NO_MOVE and (
        best >= _ENOUGH or enemy <= _LAST_STAND
        if form == BOMB
        else best - worth_of(hand, room) >= -LOSS[min(enemy, len(LOSS) - 1)]
    ):
        return action
    return _power(hand, bombs, enemy, room)
