"""Replies of the policy `frugal`: the move after which the hand has the highest value, or a pass if it costs too much.

The fewer cards an opponent has left, the more value a reply may cost. A peasant passes on its partner's moves, unless
it can raise a low one before the landlord acts. Bombs and the rocket are played when few cards are left.
"""

import numpy as np

from cardgames.doudizhu.cards import BLACK_JOKER, JOKERS, exact_rank_sets, has_rocket, lowest_ranks, rank_sets
from cardgames.doudizhu.hands.hand_value import consecutive_cards, evaluate_hand, split_off_chains
from cardgames.doudizhu.moves.move_forms import (
    BOMB,
    FORM_COPIES,
    FORM_KICKER_KIND,
    FORM_LENGTH,
    FORM_NUM_KICKERS,
    PAIR,
    ROCKET,
    SOLO,
)
from cardgames.doudizhu.moves.move_generation import NO_MOVE, move_id
from cardgames.doudizhu.moves.move_sampling import starts_above
from cardgames.doudizhu.moves.move_table import FORM_FIRST_IDS, MOVE_CARDS, MOVE_FORM_RANKS, NO_KICKERS, PAIRS, PASS
from cardgames.kernels.bits import NONE, ONE, lowest_bit, popcount
from cardgames.kernels.jit import njit

MAX_LOSS = np.array([0, 30, 16, 10, 10, 7])
"""[6] largest loss of hand value in points that a reply may cost.

The index is the smallest number of cards that an opponent has; 5 stands for five or more.
"""
HIGH_RANK = 9
"""Lowest rank that counts as high.

A partner with one or two cards is not led a high rank, and a peasant does not raise its partner's high move to stop a
landlord with one or two cards.
"""
_BOMB_OPPONENT_CARDS = 3
"""Largest number of cards of an opponent at which a bomb or the rocket is played whatever the rest of the hand is worth."""
_MIN_VALUE_AFTER_BOMB = -10
"""Value (points) of the hand without a bomb or the rocket from which on it is played."""
_OVERTAKE_BELOW_RANK, _OVERTAKE_MIN_GAIN = 9, 1
"""Rank and gain in hand value (points) that decide if a peasant beats its partner's move.

It does so if the move's rank is below the first number and the value of its hand rises by at least the second.
"""


@njit
def _cheapest_kickers(rest, form, start, workspace):
    """Return the lowest kickers that a move can take from `rest`, the hand without the move's main cards, as a hand.

    Single cards or pairs outside the best split's other groups are preferred. Returns `NONE` if there are too few
    kickers. `form` is the index of the move's form and `start` its lowest main rank.
    """
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
    """Return the smallest number of cards in the hand of an opponent of `seat` (for a peasant: the landlord's number)."""
    if seat == state.landlord:
        return np.int64(min(state.counts[(seat + 1) % 3], state.counts[(seat + 2) % 3]))
    return np.int64(state.counts[state.landlord])


@njit
def _best_reply(rules, hand, last, opponent_cards, workspace):
    """Return the id of the reply of the same form as `last` after which the hand's value is highest, and that value.

    The id is `NO_MOVE` if there is no such reply. If the move is a single card and an opponent has one card left, a
    bonus of 3 points per rank favors higher replies.
    """
    form, rank_to_beat = np.int64(MOVE_FORM_RANKS[last]) >> 4, np.int64(MOVE_FORM_RANKS[last]) & 15
    copies, length = FORM_COPIES[form], FORM_LENGTH[form]
    starts = starts_above(rank_sets(hand), form, rank_to_beat)
    best_value, chosen = np.int64(-1000), NO_MOVE
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
        if value > best_value or cards == hand:
            action = move_id(rules, form, start, cards)
            if action != NO_MOVE:
                best_value, chosen = value, action
                if cards == hand:
                    break
    return chosen, best_value


@njit
def _choose_bomb_or_rocket(hand, bombs, opponent_cards, workspace):
    """Return the id of the lowest bomb that is worth playing, else of the rocket if it is, else `PASS`.

    It is worth playing if it is the whole hand, if an opponent has at most `_BOMB_OPPONENT_CARDS` cards, or if the rest
    of the hand has at least the value `_MIN_VALUE_AFTER_BOMB`. `bombs` is the rank set of the hand's bombs.
    """
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
    """Return whether a peasant beats its partner's move instead of passing; only if the landlord acts next.

    It does so to stop a landlord with one card (two cards) if the move is a low single card (pair), and to get rid of a
    card if the move is low and the hand's value rises.

    Args:
        state: State record.
        seat: Seat of the peasant.
        form: Form index of the partner's move.
        rank_to_beat: Lowest main rank of the partner's move.
        gain: Change of the value of the peasant's hand by the reply, in points.
        opponent_cards: Number of cards of the landlord.
    """
    if (seat + 1) % 3 != state.landlord:
        return False
    if form == (SOLO if opponent_cards == 1 else PAIR) and opponent_cards <= 2 and rank_to_beat < HIGH_RANK:
        return gain >= -MAX_LOSS[1]
    return FORM_LENGTH[form] == 1 and rank_to_beat < _OVERTAKE_BELOW_RANK and gain >= _OVERTAKE_MIN_GAIN


@njit
def frugal_reply(rules, state, workspace):
    """Return the id of the move or pass with which `frugal` replies to the move to beat, for the seat to move."""
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
