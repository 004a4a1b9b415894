"""Kernels for information sets: `observe` (a seat's view of a state) and `determinize` (a random state that fits a view).

A determinization is uniform over *deals* of physical cards, not over the opponents' hands. Seats see only ranks, so
opponents' hands of the same size are not equally likely. For example, if two cards of a rank were dealt to the two
opponents, an opponent that has played one of the two is less likely to hold the other one.
"""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.card_sampling import card_bits_to_hand, draw_card_bits, hand_to_card_bits
from cardgames.doudizhu.cards import DECK, NUM_RANKS, card_count, rank_count
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import BOTTOM_SIZE, HAND_SIZE
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import next_word, uniform

_DECK = np.uint64(DECK)
_BINOMIALS = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], np.float64)
"""[5, 5] binomial coefficients: element [n, k] is "n choose k"."""
_MAX_HAND_SIZE = HAND_SIZE + BOTTOM_SIZE


@ops.observe.register(DOUDIZHU_RULES)
@njit
def observe(rules, state, player, out):
    """Copy to `out` what seat `player` can see of `state` (implements `ops.observe`).

    The other seats' hands, the random stream and, until there is a landlord, the bottom cards are set to zero.
    """
    copy_record(out, state)
    out.viewer = player
    out.rng = 0
    for seat in range(3):
        if seat != player:
            out.hands[seat] = 0
    if state.landlord < 0:
        out.bottom = 0


@njit
def unseen_by(state, player):
    """Return, as a hand, the cards of the deck that are neither in the hand of seat `player` nor played by any seat."""
    return _DECK - state.hands[player] - (state.played[0] + state.played[1] + state.played[2])


@njit
def unseen_cards(observation):
    """Return, as a hand, the cards of the deck that are neither in the viewing seat's hand nor played by any seat."""
    return unseen_by(observation, observation.viewer)


@njit
def _min_dealt(observation, seat, rank):
    """Return a lower bound on the cards of a rank that a seat was dealt, derived from the cards that it has played.

    The bottom cards are not counted as dealt, so the landlord's bound is lower by its bottom cards of the rank.
    """
    played = rank_count(observation.played[seat], rank)
    taken = rank_count(observation.bottom, rank) if seat == observation.landlord else 0
    return max(0, played - taken)


@njit
def known_cards(observation, seat):
    """Return, as a hand, the publicly known cards in the hand of `seat`: the landlord's unplayed bottom cards, else none."""
    known = np.uint64(0)
    if seat == observation.landlord:
        for rank in range(NUM_RANKS):
            left = rank_count(observation.bottom, rank) - rank_count(observation.played[seat], rank)
            known += np.uint64(max(0, left)) << np.uint64(4 * rank)
    return known


@njit
def _fill_weights(observation, unplaced, first, second, weights):
    """Fill `weights` [ranks, 5] float64 with the numbers of ways to deal a rank's cards to two hidden hands.

    Element [rank, k] counts the choices of physical cards of the rank that were dealt to seat `first`, if it gets k of
    the `unplaced` cards of the rank besides the cards it is known to have been dealt.
    """
    for rank in range(NUM_RANKS):
        min_dealt = _min_dealt(observation, first, rank)
        num_dealt = min_dealt + rank_count(unplaced, rank) + _min_dealt(observation, second, rank)
        for k in range(5):
            weights[rank, k] = _BINOMIALS[num_dealt, min_dealt + k] if k <= rank_count(unplaced, rank) else 0.0


@njit
def _count_ways(weights, ways):
    """Fill `ways` [ranks + 1, cards + 1] float64 with weighted numbers of ways to choose n cards.

    Element [rank, n] counts the choices of n cards whose ranks are `rank` or higher. A choice of k cards of a rank has
    the factor `weights[rank, k]`.
    """
    ways[:] = 0.0
    ways[NUM_RANKS, 0] = 1.0
    for rank in range(NUM_RANKS - 1, -1, -1):
        for k in range(5):
            if weights[rank, k] > 0.0:
                for n in range(ways.shape[1] - k):
                    ways[rank, n + k] += weights[rank, k] * ways[rank + 1, n]


@njit
def _sample_hand(observation, unplaced, n, first, second, rng):
    """Draw `n` of the `unplaced` cards for seat `first` and return them as a hand; seat `second` would get the rest.

    All deals of physical cards that fit the cards played so far are equally likely. `rng` is the random stream.
    """
    weights, ways = np.empty((NUM_RANKS, 5)), np.empty((NUM_RANKS + 1, _MAX_HAND_SIZE + 1))
    _fill_weights(observation, unplaced, first, second, weights)
    _count_ways(weights, ways)
    hand = np.uint64(0)
    for rank in range(NUM_RANKS):
        threshold = uniform(rng) * ways[rank, n]
        copies = 0
        for k in range(min(4, n) + 1):
            share = weights[rank, k] * ways[rank + 1, n - k]
            if share > 0.0:
                copies = k
                threshold -= share
                if threshold < 0.0:
                    break
        hand += np.uint64(copies) << np.uint64(4 * rank)
        n -= copies
    return hand


@njit
def _deal_hidden_hands(out, viewer, rng):
    """Sample the hands of the two seats other than `viewer` and write them to `out`, in a round with a landlord.

    The landlord keeps its unplayed bottom cards. All consistent deals of physical cards are equally likely.
    """
    first, second = (viewer + 1) % 3, (viewer + 2) % 3
    known = known_cards(out, first), known_cards(out, second)
    unplaced = unseen_cards(out) - known[0] - known[1]
    n = out.counts[first] - card_count(known[0])
    out.hands[first] = _sample_hand(out, unplaced, n, first, second, rng)
    out.hands[second] = unplaced - out.hands[first] + known[1]
    out.hands[first] += known[0]


@njit
def deal_auction(out, viewer, hidden, rng):
    """Deal 17 of the cards `hidden` to each seat other than `viewer` at random, and return the remaining 3 as a hand.

    The returned cards are the bottom cards. Used in the auction, when nobody has played yet.
    """
    remaining, size = hand_to_card_bits(hidden), card_count(hidden)
    first = draw_card_bits(remaining, size, HAND_SIZE, rng)
    second = draw_card_bits(remaining ^ first, size - HAND_SIZE, HAND_SIZE, rng)
    out.hands[(viewer + 1) % 3] = card_bits_to_hand(first)
    out.hands[(viewer + 2) % 3] = card_bits_to_hand(second)
    return card_bits_to_hand(remaining ^ first ^ second)


@ops.determinize.register(DOUDIZHU_RULES)
@njit
def determinize(rules, observation, rng, out):
    """Sample a state that is consistent with an observation and write it to `out` (implements `ops.determinize`).

    All deals of physical cards that fit the actions so far are equally likely.
    """
    copy_record(out, observation)
    out.rng = next_word(rng)
    viewer = np.int64(observation.viewer)
    if out.landlord < 0:
        out.bottom = deal_auction(out, viewer, unseen_cards(out), rng)
    else:
        _deal_hidden_hands(out, viewer, rng)
    out.viewer = -1


@njit
def _next_copies(copies, unplaced, n):
    """Advance `copies` [ranks], the number of cards of each rank that are chosen, to the next choice of `n` cards.

    The choices are in ascending order of the numbers read from rank 14 down to rank 0. Returns False after the last one.
    """
    moved = np.int64(0)
    for rank in range(NUM_RANKS):
        moved += copies[rank]
        copies[rank] = 0
        if rank + 1 < NUM_RANKS and moved > 0 and copies[rank + 1] < rank_count(unplaced, rank + 1):
            copies[rank + 1] += 1
            return _choose_lowest(copies, unplaced, moved - 1, rank + 1)
    return False


@njit
def _choose_lowest(copies, unplaced, n, end):
    """Set `copies[:end]` to the choice of `n` cards of the lowest ranks below `end`; return whether there are so many."""
    for rank in range(end):
        copies[rank] = min(n, rank_count(unplaced, rank))
        n -= copies[rank]
    return n == 0


@ops.enumerate_deals.register(DOUDIZHU_RULES)
@njit
def enumerate_deals(rules, observation, out, weights):
    """Write every state that is consistent with an observation in the play to `out` (implements `ops.enumerate_deals`)."""
    if observation.landlord < 0 or len(out) == 0:
        return -1
    viewer = np.int64(observation.viewer)
    first, second = (viewer + 1) % 3, (viewer + 2) % 3
    known = known_cards(observation, first), known_cards(observation, second)
    unplaced = unseen_cards(observation) - known[0] - known[1]
    n = np.int64(observation.counts[first] - card_count(known[0]))
    ways_of_rank, copies = np.empty((NUM_RANKS, 5)), np.zeros(NUM_RANKS, np.int64)
    _fill_weights(observation, unplaced, first, second, ways_of_rank)
    found, more, total = 0, _choose_lowest(copies, unplaced, n, NUM_RANKS), 0.0
    while more:
        if found == len(out):
            return -1
        hand, ways = np.uint64(0), 1.0
        for rank in range(NUM_RANKS):
            hand += np.uint64(copies[rank]) << np.uint64(4 * rank)
            ways *= ways_of_rank[rank, copies[rank]]
        deal = out[found]
        copy_record(deal, observation)
        deal.viewer = -1
        deal.hands[first] = hand + known[0]
        deal.hands[second] = unplaced - hand + known[1]
        weights[found] = ways
        total += ways
        found += 1
        more = _next_copies(copies, unplaced, n)
    for i in range(found):
        weights[i] /= total
    return found
