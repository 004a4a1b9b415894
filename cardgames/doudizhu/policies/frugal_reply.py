"""What the policy `frugal` replies: what leaves the best rest (`worth`), if that is not much worse than the hand.

The fewer cards the enemy has left, the worse it may be. A peasant passes on his partner's moves, unless a low one can be
raised before the landlord gets it. Bombs and the rocket are for when little is left.
"""

import numpy as np

from cardgames.doudizhu.cards import BLACK_JOKER, JOKERS, exact_rank_sets, has_rocket, lowest_ranks, rank_sets
from cardgames.doudizhu.hands.hand_value import consecutive_cards, evaluate_hand, split_off_chains
from cardgames.doudizhu.moves.move_generation import NO_MOVE, move_id
from cardgames.doudizhu.moves.move_sampling import starts_above
from cardgames.doudizhu.moves.move_table import FORM_FIRST_IDS, MOVE_CARDS, MOVE_FORM_RANKS, NO_KICKERS, PAIRS, PASS
from cardgames.doudizhu.moves.move_types import (
    BOMB,
    FORM_COPIES,
    FORM_KICKER_KIND,
    FORM_LENGTH,
    FORM_NUM_KICKERS,
    PAIR,
    ROCKET,
    SOLO,
)
from cardgames.kernels.bits import NONE, ONE, lowest_bit, popcount
from cardgames.kernels.jit import njit

MAX_LOSS = np.array([0, 30, 16, 10, 10, 7])
"""[cards] how much worth a reply may cost when the enemy has so many cards left, or more."""
HIGH_RANK = 9
"""From this rank on a partner with one or two cards is not led to, nor is a partner raised to keep such an enemy out."""
_BOMB_OPPONENT_CARDS = 3
"""When the enemy has so few cards left, bombs are played."""
_MIN_VALUE_AFTER_BOMB = -10
"""So much the rest of a hand must be worth after a bomb before that."""
_OVERTAKE_BELOW_RANK, _OVERTAKE_MIN_GAIN = 9, 1
"""A partner's move is raised below this rank, for at least so much gain."""


@njit
def _cheapest_kickers(rest, form, start, workspace):
    """Return the cheapest kickers, as cards, that a move of a form can take from the rest of a hand, none if it cannot."""
    n, pairs = FORM_NUM_KICKERS[form], FORM_KICKER_KIND[form] == PAIRS
    allowed = ~consecutive_cards(np.int64(1), FORM_LENGTH[form], start)
    one, two, _, _ = exact_rank_sets(split_off_chains(rest, workspace)[1])
    ranks = (two if pairs else one) & allowed
    if popcount(ranks) < n:
        held = rank_sets(rest)
        ranks = (held[1] if pairs else held[0]) & allowed
    if popcount(ranks) < n:
        return NONE
    return lowest_ranks(ranks, n) << ONE if pairs else lowest_ranks(ranks, n)


@njit
def min_opponent_cards(state, seat):
    """Return how few cards an enemy has."""
    if seat == state.landlord:
        return np.int64(min(state.counts[(seat + 1) % 3], state.counts[(seat + 2) % 3]))
    return np.int64(state.counts[state.landlord])


@njit
def _best_reply(rules, hand, last, opponent_cards, workspace):
    """Return the reply of the same form as `last` that leaves the best rest, or `NO_MOVE`, and the worth of the rest. To a
    single card, with an enemy who has but one, higher ones count as better.
    """
    form, rank_to_beat = np.int64(MOVE_FORM_RANKS[last]) >> 4, np.int64(MOVE_FORM_RANKS[last]) & 15
    copies, length = FORM_COPIES[form], FORM_LENGTH[form]
    starts = starts_above(rank_sets(hand), form, rank_to_beat)
    best, chosen = np.int64(-1000), NO_MOVE
    while starts:
        start = lowest_bit(starts) >> 2
        starts &= starts - ONE
        cards = consecutive_cards(copies, length, start)
        if FORM_KICKER_KIND[form] != NO_KICKERS:
            kickers = _cheapest_kickers(hand - cards, form, start, workspace)
            if kickers == NONE:
                continue
            cards += kickers
        value = evaluate_hand(hand - cards, workspace)
        if form == SOLO and opponent_cards == 1 and start < BLACK_JOKER:
            value += 3 * start
        if value > best or cards == hand:
            action = move_id(rules, form, start, cards)
            if action != NO_MOVE:
                best, chosen = value, action
                if cards == hand:
                    break
    return chosen, best


@njit
def _choose_bomb_or_rocket(hand, bombs, opponent_cards, workspace):
    """Return the lowest bomb, else the rocket, that is worth playing now, else `PASS`."""
    while bombs:
        rank = lowest_bit(bombs) >> 2
        bombs &= bombs - ONE
        rest = hand - consecutive_cards(np.int64(4), np.int64(1), rank)
        if (
            rest == 0
            or opponent_cards <= _BOMB_OPPONENT_CARDS
            or evaluate_hand(rest, workspace) >= _MIN_VALUE_AFTER_BOMB
        ):
            return FORM_FIRST_IDS[BOMB] + rank
    if has_rocket(hand):
        rest = hand - JOKERS
        if (
            rest == 0
            or opponent_cards <= _BOMB_OPPONENT_CARDS
            or evaluate_hand(rest, workspace) >= _MIN_VALUE_AFTER_BOMB
        ):
            return np.int64(FORM_FIRST_IDS[ROCKET])
    return np.int64(PASS)


@njit
def _overtakes_partner(state, seat, form, rank_to_beat, gain, opponent_cards):
    """Return whether a peasant raises his partner's move, of a form and rank, at a gain (or loss) of worth."""
    if (seat + 1) % 3 != state.landlord:
        return False
    if form == (SOLO if opponent_cards == 1 else PAIR) and opponent_cards <= 2 and rank_to_beat < HIGH_RANK:
        return gain >= -MAX_LOSS[1]
    return FORM_LENGTH[form] == 1 and rank_to_beat < _OVERTAKE_BELOW_RANK and gain >= _OVERTAKE_MIN_GAIN


@njit
def frugal_reply(rules, state, workspace):
    """Return the reply to the last move."""
    seat, last = np.int64(state.to_move), np.int64(state.last)
    hand, form = state.hands[seat], np.int64(MOVE_FORM_RANKS[last]) >> 4
    if form == ROCKET:
        return np.int64(PASS)
    opponent_cards = min_opponent_cards(state, seat)
    action, best = _best_reply(rules, hand, last, opponent_cards, workspace)
    bombs = rank_sets(hand)[3] if form != BOMB else NONE
    if action == NO_MOVE and not bombs and not has_rocket(hand):
        return np.int64(PASS)
    if action != NO_MOVE and MOVE_CARDS[action] == hand:
        return action
    partner = seat != state.landlord and state.last_by != state.landlord
    if partner and hand != JOKERS and hand != bombs << np.uint64(2):
        if action != NO_MOVE and _overtakes_partner(
            state,
            seat,
            form,
            np.int64(MOVE_FORM_RANKS[last]) & 15,
            best - evaluate_hand(hand, workspace),
            opponent_cards,
        ):
            return action
        return np.int64(PASS)
    if action != NO_MOVE and (
        best >= _MIN_VALUE_AFTER_BOMB or opponent_cards <= _BOMB_OPPONENT_CARDS
        if form == BOMB
        else best - evaluate_hand(hand, workspace) >= -MAX_LOSS[min(opponent_cards, len(MAX_LOSS) - 1)]
    ):
        return action
    return _choose_bomb_or_rocket(hand, bombs, opponent_cards, workspace)
