"""Information sets: the verbs `observe` (a seat's view of a state) and `determinize` (a random state consistent with it).

A determinization is uniform over *deals* of physical cards, not over hidden hands. Seats see only ranks, so hidden hands
of the same size are not equally likely: if two cards of a rank were dealt to the hidden hands, a seat that has played
one of them is less likely to hold the other.
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
"""[n, k] binomial coefficient "n choose k"."""
_MAX_HAND_SIZE = HAND_SIZE + BOTTOM_SIZE


@ops.observe.register(DOUDIZHU_RULES)
@njit
def observe(rules, state, player, out):
    """Copy a state without its hidden parts (implements `ops.observe`).

    Hidden are the other hands, the random stream and, until there is a landlord, the bottom cards.
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
    """Return, as a hand, the cards that are neither in a player's hand nor played."""
    return _DECK - state.hands[player] - (state.played[0] + state.played[1] + state.played[2])


@njit
def unseen_cards(observation):
    """Return, as a hand, the cards that are neither in the viewer's hand nor played."""
    return unseen_by(observation, observation.viewer)


@njit
def _min_dealt(observation, seat, rank):
    """Return the least number of cards of a rank that a seat was dealt, not counting the bottom cards."""
    played = rank_count(observation.played[seat], rank)
    taken = rank_count(observation.bottom, rank) if seat == observation.landlord else 0
    return max(0, played - taken)


@njit
def known_cards(observation, seat):
    """Return, as a hand, the cards that all seats know a seat to hold: the landlord's unplayed bottom cards."""
    known = np.uint64(0)
    if seat == observation.landlord:
        for rank in range(NUM_RANKS):
            left = rank_count(observation.bottom, rank) - rank_count(observation.played[seat], rank)
            known += np.uint64(max(0, left)) << np.uint64(4 * rank)
    return known


@njit
def _fill_weights(observation, unplaced, first, second, weights):
    """Fill `weights` [ranks, 5] with numbers of ways to deal a rank to two hidden hands.

    Entry [rank, k] counts the ways to choose which physical cards of the rank the first hand was dealt, if it gets k of the
    `unplaced` cards of the rank besides those it must have been dealt.
    """
    for rank in range(NUM_RANKS):
        min_dealt = _min_dealt(observation, first, rank)
        num_dealt = min_dealt + rank_count(unplaced, rank) + _min_dealt(observation, second, rank)
        for k in range(5):
            weights[rank, k] = _BINOMIALS[num_dealt, min_dealt + k] if k <= rank_count(unplaced, rank) else 0.0


@njit
def _count_ways(weights, ways):
    """Fill `ways` [ranks + 1, cards]: entry [rank, n] is the number of ways to choose n cards of the ranks from `rank` on.

    Each choice of k cards of a rank counts `weights[rank, k]` times.
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
    """Return, as a hand, `n` of the `unplaced` cards, drawn for the first of two seats; the second gets the others."""
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
    """Sample the two hidden hands once the landlord is known."""
    first, second = (viewer + 1) % 3, (viewer + 2) % 3
    known = known_cards(out, first), known_cards(out, second)
    unplaced = unseen_cards(out) - known[0] - known[1]
    n = out.counts[first] - card_count(known[0])
    out.hands[first] = _sample_hand(out, unplaced, n, first, second, rng)
    out.hands[second] = unplaced - out.hands[first] + known[1]
    out.hands[first] += known[0]


@njit
def deal_auction(out, viewer, hidden, rng):
    """Deal the cards `hidden` to the two other seats as before an auction; return the rest, the bottom cards, as a hand."""
    remaining, size = hand_to_card_bits(hidden), card_count(hidden)
    first = draw_card_bits(remaining, size, HAND_SIZE, rng)
    second = draw_card_bits(remaining ^ first, size - HAND_SIZE, HAND_SIZE, rng)
    out.hands[(viewer + 1) % 3] = card_bits_to_hand(first)
    out.hands[(viewer + 2) % 3] = card_bits_to_hand(second)
    return card_bits_to_hand(remaining ^ first ^ second)


@ops.determinize.register(DOUDIZHU_RULES)
@njit
def determinize(rules, observation, rng, out):
    """Sample a state from the information set of an observation (implements `ops.determinize`).

    All deals that are consistent with the actions so far are equally likely.
    """
    copy_record(out, observation)
    out.rng = next_word(rng)
    viewer = np.int64(observation.viewer)
    if out.landlord < 0:
        out.bottom = deal_auction(out, viewer, unseen_cards(out), rng)
    else:
        _deal_hidden_hands(out, viewer, rng)
    out.viewer = -1
