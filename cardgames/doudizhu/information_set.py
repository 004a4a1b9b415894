"""What a seat may know of a state, and states drawn from what it may not: the verbs `observe` and `determinize`.

Of a deal only ranks are ever seen, so not every hidden hand of the right size is as likely as every other: who has
played one of a rank of which two were dealt is less likely to hold the other. The deals are what is uniform.
"""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.cards import DECK, NUM_RANKS, card_count, rank_count
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.shuffle import card_bits_to_hand, draw_card_bits, hand_to_card_bits
from cardgames.doudizhu.state import BOTTOM_SIZE, HAND_SIZE
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import next_word, uniform

_DECK = np.uint64(DECK)
_BINOMIALS = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], np.float64)
"""[n, k] how many ways there are to choose k of n."""
_MAX_HAND_SIZE = HAND_SIZE + BOTTOM_SIZE


@ops.observe.register(DOUDIZHU_RULES)
@njit
def observe(rules, state, player, out):
    """Dou Di Zhu's verb `observe`: the record without the other hands and, as long as there is no landlord, the bottom."""
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
    """Return how many cards of a rank a seat was dealt at least, the bottom apart."""
    played = rank_count(observation.played[seat], rank)
    taken = rank_count(observation.bottom, rank) if seat == observation.landlord else 0
    return max(0, played - taken)


@njit
def known_cards(observation, seat):
    """Return, as a hand, the cards everybody knows a seat to hold: those of the bottom the landlord has not played."""
    known = np.uint64(0)
    if seat == observation.landlord:
        for rank in range(NUM_RANKS):
            left = rank_count(observation.bottom, rank) - rank_count(observation.played[seat], rank)
            known += np.uint64(max(0, left)) << np.uint64(4 * rank)
    return known


@njit
def _fill_weights(observation, unplaced, first, second, weights):
    """Fill `weights` [ranks, 5]: in how many ways the first of two seats was dealt k of a rank more than it had at least."""
    for rank in range(NUM_RANKS):
        least = _min_dealt(observation, first, rank)
        dealt = least + rank_count(unplaced, rank) + _min_dealt(observation, second, rank)
        for k in range(5):
            weights[rank, k] = _BINOMIALS[dealt, least + k] if k <= rank_count(unplaced, rank) else 0.0


@njit
def _count_ways(weights, ways):
    """Fill `ways` [ranks + 1, cards]: the sum over all choices of so many cards of the ranks from `rank` on."""
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
        point = uniform(rng) * ways[rank, n]
        best = 0
        for k in range(min(4, n) + 1):
            share = weights[rank, k] * ways[rank + 1, n - k]
            if share > 0.0:
                best = k
                point -= share
                if point < 0.0:
                    break
        hand += np.uint64(best) << np.uint64(4 * rank)
        n -= best
    return hand


@njit
def _deal_hidden_hands(out, viewer, rng):
    """Fill the two hidden hands once the landlord is known."""
    first, second = (viewer + 1) % 3, (viewer + 2) % 3
    known = known_cards(out, first), known_cards(out, second)
    unplaced = unseen_cards(out) - known[0] - known[1]
    n = out.counts[first] - card_count(known[0])
    out.hands[first] = _sample_hand(out, unplaced, n, first, second, rng)
    out.hands[second] = unplaced - out.hands[first] + known[1]
    out.hands[first] += known[0]


@njit
def deal_auction(out, viewer, hidden, rng):
    """Deal `hidden`, a hand, to the two others as before an auction; return, as a hand, what is left for the bottom."""
    left, size = hand_to_card_bits(hidden), card_count(hidden)
    first = draw_card_bits(left, size, HAND_SIZE, rng)
    second = draw_card_bits(left ^ first, size - HAND_SIZE, HAND_SIZE, rng)
    out.hands[(viewer + 1) % 3] = card_bits_to_hand(first)
    out.hands[(viewer + 2) % 3] = card_bits_to_hand(second)
    return card_bits_to_hand(left ^ first ^ second)


@ops.determinize.register(DOUDIZHU_RULES)
@njit
def determinize(rules, observation, rng, out):
    """Dou Di Zhu's verb `determinize`: each deal with which all could have been played is as likely."""
    copy_record(out, observation)
    out.rng = next_word(rng)
    viewer = np.int64(observation.viewer)
    if out.landlord < 0:
        out.bottom = deal_auction(out, viewer, unseen_cards(out), rng)
    else:
        _deal_hidden_hands(out, viewer, rng)
    out.viewer = -1
