"""A random one of the moves there are, found by counting them, not by writing them out.

Ranks are sets here, as they lie in a hand (`cards`): counting and choosing needs no masks.
Only moves with two or more kickers, which are rare, are counted by `movegen`, and written out if one of them is chosen.
"""

import numpy as np

from cardgames.doudizhu.cards import ACE, RANK_LOW_BITS, has_rocket, rank_masks, rank_sets
from cardgames.doudizhu.moves.move_generation import MAX_MOVES, append_form_moves, main_start_mask
from cardgames.doudizhu.moves.move_table import FORM_FIRST_IDS, FORM_KICKER_SETS, FORMS, MOVE_FORM_RANKS, PASS
from cardgames.doudizhu.moves.move_types import (
    BOMB,
    FORM_COPIES,
    FORM_FEATURES,
    FORM_KICKER_KIND,
    FORM_LENGTH,
    FORM_NUM_KICKERS,
    PAIR,
    PAIR_CHAIN,
    ROCKET,
    SOLO,
    SOLO_CHAIN,
    TRIO,
    TRIO_CHAIN,
    TRIO_PAIR,
    TRIO_SOLO,
)
from cardgames.kernels.bits import ONE, nth_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below

MULTI_KICKER_FORMS = np.array([i for i, form in enumerate(FORMS) if form.num_kickers > 1 and i < ROCKET], np.int64)
"""The forms with two or more kickers."""
_CHAINABLE = RANK_LOW_BITS & np.uint64((1 << 4 * (ACE + 1)) - 1)
_RANKS_ABOVE_LOWEST = RANK_LOW_BITS << np.uint64(4)
_RANK_BITS = np.uint64(4)


@njit
def chain_starts(ranks, length):
    """Return the ranks from which on `length` consecutive ones are in the set and may be chained."""
    ranks &= _CHAINABLE
    for _ in range(length - 1):
        ranks &= ranks >> _RANK_BITS
    return ranks


@njit
def count_chains(starts):
    """Return how many chains there are of the length that can start at these ranks, or longer."""
    n = 0
    while starts:
        n += popcount(starts)
        starts &= starts >> _RANK_BITS
    return n


@njit
def _nth_rank(ranks, k):
    return nth_bit(ranks, k) >> 2


@njit
def _nth_chain(starts, form, k):
    """Return the k-th chain, `form` being the shortest."""
    while k >= popcount(starts):
        k -= popcount(starts)
        starts &= starts >> _RANK_BITS
        form += 1
    return FORM_FIRST_IDS[form] + _nth_rank(starts, k)


@njit
def _nth_single_kicker_move(mains, kickers, form, k):
    """Return the k-th move of one main rank and one kicker; each main rank is among the `kickers` too."""
    others = popcount(kickers) - 1
    main = nth_bit(mains, k // others)
    kicker = _nth_rank(kickers & ~(ONE << np.uint64(main)), k % others)
    main >>= 2
    return FORM_FIRST_IDS[form] + main * FORM_KICKER_SETS[form] + kicker - (kicker > main)


@njit
def _nth_enumerated_move(forbidden, held, form, starts, k):
    """Return the k-th move of a form that starts at a rank of the mask `starts`."""
    moves = np.empty(MAX_MOVES, np.int32)
    append_form_moves(forbidden, held, form, starts, moves, 0)
    return np.int64(moves[k])


@njit
def _count_multi_kicker_moves(rules, hand):
    """Return how many moves with two or more kickers there are."""
    held = rank_masks(hand)
    n = 0
    for form in MULTI_KICKER_FORMS:
        if not FORM_FEATURES[form] & rules.forbidden:
            n += append_form_moves(rules.forbidden, held, form, main_start_mask(held, form), None, 0)
    return n


@njit
def _nth_multi_kicker_move(rules, hand, k):
    """Return the k-th move with two or more kickers."""
    held = rank_masks(hand)
    for form in MULTI_KICKER_FORMS:
        if not FORM_FEATURES[form] & rules.forbidden:
            starts = main_start_mask(held, form)
            n = append_form_moves(rules.forbidden, held, form, starts, None, 0)
            if k < n:
                return _nth_enumerated_move(rules.forbidden, held, form, starts, k)
            k -= n
    return -1


@njit
def random_lead(rules, hand, rng):
    """Return a random one of the moves that may be led from a hand."""
    one, two, three, four = rank_sets(hand)
    solos, pairs, trios, bombs = popcount(one), popcount(two), popcount(three), popcount(four)
    solo_chains, pair_chains, trio_chains = chain_starts(one, 5), chain_starts(two, 3), chain_starts(three, 2)
    with_solos, with_pairs = trios * (solos - 1), trios * (pairs - 1)
    n_solo_chains, n_pair_chains = count_chains(solo_chains), count_chains(pair_chains)
    n_trio_chains = count_chains(trio_chains)
    num_simple = solos + pairs + trios + with_solos + with_pairs + n_solo_chains + n_pair_chains + n_trio_chains + bombs
    num_multi_kicker = _count_multi_kicker_moves(rules, hand) if four or trio_chains else 0
    k = below(rng, num_simple + num_multi_kicker + has_rocket(hand))
    if k < solos:
        return FORM_FIRST_IDS[SOLO] + _nth_rank(one, k)
    k -= solos
    if k < pairs:
        return FORM_FIRST_IDS[PAIR] + _nth_rank(two, k)
    k -= pairs
    if k < with_solos:
        return _nth_single_kicker_move(three, one, TRIO_SOLO, k)
    k -= with_solos
    if k < with_pairs:
        return _nth_single_kicker_move(three, two, TRIO_PAIR, k)
    k -= with_pairs
    if k < n_solo_chains:
        return _nth_chain(solo_chains, SOLO_CHAIN, k)
    k -= n_solo_chains
    if k < trios:
        return FORM_FIRST_IDS[TRIO] + _nth_rank(three, k)
    k -= trios
    if k < n_pair_chains:
        return _nth_chain(pair_chains, PAIR_CHAIN, k)
    k -= n_pair_chains
    if k < n_trio_chains:
        return _nth_chain(trio_chains, TRIO_CHAIN, k)
    k -= n_trio_chains
    if k < bombs:
        return FORM_FIRST_IDS[BOMB] + _nth_rank(four, k)
    k -= bombs
    return _nth_multi_kicker_move(rules, hand, k) if k < num_multi_kicker else FORM_FIRST_IDS[ROCKET]


@njit
def starts_above(sets, form, rank):
    """Return the ranks above `rank` at which a move of a form may start; `sets` are the hand's (`cards.rank_sets`)."""
    copies, length = FORM_COPIES[form], FORM_LENGTH[form]
    ranks = sets[0] if copies == 1 else sets[1] if copies == 2 else sets[2] if copies == 3 else sets[3]
    if length > 1:
        ranks = chain_starts(ranks, length)
    return ranks & (_RANKS_ABOVE_LOWEST << np.uint64(4 * rank))


@njit
def random_reply(rules, hand, last, rng):
    """Return a random one of the moves that beat the move with the id `last`, or a pass, which counts as one more."""
    form, rank = np.int64(MOVE_FORM_RANKS[last]) >> 4, np.int64(MOVE_FORM_RANKS[last]) & 15
    if form == ROCKET:
        return PASS
    sets = rank_sets(hand)
    bombs = popcount(sets[3]) if form != BOMB else 0
    others = 1 + bombs + has_rocket(hand)
    higher = starts_above(sets, form, rank)
    n = popcount(higher)
    if n and FORM_NUM_KICKERS[form] == 1:
        n *= popcount(sets[FORM_KICKER_KIND[form] - 1]) - 1
    elif n and FORM_NUM_KICKERS[form]:
        held = rank_masks(hand)
        starts = main_start_mask(held, form) & -(2 << rank)
        n = append_form_moves(rules.forbidden, held, form, starts, None, 0)
    if n + others == 1:
        return PASS
    k = below(rng, n + others)
    if k == 0:
        return PASS
    if k < others:
        return FORM_FIRST_IDS[BOMB] + _nth_rank(sets[3], k - 1) if k <= bombs else FORM_FIRST_IDS[ROCKET]
    k -= others
    if FORM_NUM_KICKERS[form] == 0:
        return FORM_FIRST_IDS[form] + _nth_rank(higher, k)
    if FORM_NUM_KICKERS[form] == 1:
        return _nth_single_kicker_move(higher, sets[FORM_KICKER_KIND[form] - 1], form, k)
    held = rank_masks(hand)
    return _nth_enumerated_move(rules.forbidden, held, form, main_start_mask(held, form) & -(2 << rank), k)
