"""Uniform random sampling of a legal move, by counting the moves instead of listing them.

Sets of ranks are stored as rank sets (bit 4r for rank r), because a hand (4 bits per rank) converts to them fastest.
Moves with two or more kickers, which are rare, are counted by `move_generation`, and listed only if such a move is
drawn.
"""

import numpy as np

from cardgames.doudizhu.cards import ACE, RANK_LOW_BITS, has_rocket, rank_masks, rank_sets
from cardgames.doudizhu.moves.move_forms import (
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
from cardgames.doudizhu.moves.move_generation import MAX_MOVES, append_form_moves, main_start_mask
from cardgames.doudizhu.moves.move_table import FORM_FIRST_IDS, FORM_KICKER_SETS, FORMS, MOVE_FORM_RANKS, PASS
from cardgames.doudizhu.rules import move_restrictions
from cardgames.kernels.bits import ONE, nth_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below

MULTI_KICKER_FORMS = np.array([i for i, form in enumerate(FORMS) if form.num_kickers > 1 and i < ROCKET], np.int64)
"""Indices in `FORMS` of the forms with two or more kickers and at most 20 cards."""
_CHAINABLE = RANK_LOW_BITS & np.uint64((1 << 4 * (ACE + 1)) - 1)
_RANKS_ABOVE_LOWEST = RANK_LOW_BITS << np.uint64(4)
_RANK_BITS = np.uint64(4)


@njit
def chain_starts(ranks, length):
    """Return the rank set of the ranks r such that r, r + 1, ... r + `length` - 1 are all in `ranks` and at most the ace."""
    ranks &= _CHAINABLE
    for _ in range(length - 1):
        ranks &= ranks >> _RANK_BITS
    return ranks


@njit
def count_chains(starts):
    """Return the number of chains of the shortest length or longer.

    `starts` is the result of `chain_starts` for the shortest length: the ranks at which such a chain starts.
    """
    n = 0
    while starts:
        n += popcount(starts)
        starts &= starts >> _RANK_BITS
    return n


@njit
def _nth_rank(ranks, k):
    """Return the index (0 to 14) of the k-th lowest rank of a rank set; k counts from 0."""
    return nth_bit(ranks, k) >> 2


@njit
def _nth_chain(starts, form, k):
    """Return the action id of the k-th chain (k from 0), counted by length, then by lowest rank.

    `form` is the index of the shortest chain's form and `starts` the rank set at which such chains start.
    """
    while k >= popcount(starts):
        k -= popcount(starts)
        starts &= starts >> _RANK_BITS
        form += 1
    return FORM_FIRST_IDS[form] + _nth_rank(starts, k)


@njit
def _nth_single_kicker_move(mains, kickers, form, k):
    """Return the action id of the k-th move (k from 0) of a form with one main rank and one kicker.

    `mains` and `kickers` are the rank sets of possible main ranks and kickers; each main rank must also be in
    `kickers`.
    """
    others = popcount(kickers) - 1
    main = nth_bit(mains, k // others)
    kicker = _nth_rank(kickers & ~(ONE << np.uint64(main)), k % others)
    main >>= 2
    return FORM_FIRST_IDS[form] + main * FORM_KICKER_SETS[form] + kicker - (kicker > main)


@njit
def _nth_enumerated_move(forbidden, held, form, starts, k):
    """List a hand's moves of `form` whose lowest main rank is in the mask `starts`, and return the id at index `k`.

    `held` are the hand's `rank_masks`, `forbidden` the forbidden features.
    """
    moves = np.empty(MAX_MOVES, np.int32)
    append_form_moves(forbidden, held, form, starts, moves, 0)
    return np.int64(moves[k])


@njit
def _count_multi_kicker_moves(rules, hand):
    """Return the number of a hand's moves that have two or more kickers and are allowed by the rules."""
    held = rank_masks(hand)
    n = 0
    for form in MULTI_KICKER_FORMS:
        if not FORM_FEATURES[form] & rules.forbidden:
            n += append_form_moves(rules.forbidden, held, form, main_start_mask(held, form), None, 0)
    return n


@njit
def _nth_multi_kicker_move(rules, hand, k):
    """Return the id of the k-th (k from 0) of a hand's allowed moves with two or more kickers; -1 if k is too large."""
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
    """Return the id of a uniformly random move among all moves that a hand can play if there is no move to beat."""
    one, two, three, four = rank_sets(hand)
    solos, pairs, trios, bombs = popcount(one), popcount(two), popcount(three), popcount(four)
    solo_chains, pair_chains, trio_chains = chain_starts(one, 5), chain_starts(two, 3), chain_starts(three, 2)
    with_solos = np.int64(0) if rules.forbidden & move_restrictions.TRIO_SOLO else trios * (solos - 1)
    with_pairs = np.int64(0) if rules.forbidden & move_restrictions.TRIO_PAIR else trios * (pairs - 1)
    num_solo_chains, num_pair_chains = count_chains(solo_chains), count_chains(pair_chains)
    num_trio_chains = count_chains(trio_chains)
    num_simple = (
        solos + pairs + trios + with_solos + with_pairs + num_solo_chains + num_pair_chains + num_trio_chains + bombs
    )
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
    if k < num_solo_chains:
        return _nth_chain(solo_chains, SOLO_CHAIN, k)
    k -= num_solo_chains
    if k < trios:
        return FORM_FIRST_IDS[TRIO] + _nth_rank(three, k)
    k -= trios
    if k < num_pair_chains:
        return _nth_chain(pair_chains, PAIR_CHAIN, k)
    k -= num_pair_chains
    if k < num_trio_chains:
        return _nth_chain(trio_chains, TRIO_CHAIN, k)
    k -= num_trio_chains
    if k < bombs:
        return FORM_FIRST_IDS[BOMB] + _nth_rank(four, k)
    k -= bombs
    return _nth_multi_kicker_move(rules, hand, k) if k < num_multi_kicker else FORM_FIRST_IDS[ROCKET]


@njit
def starts_above(sets, form, rank):
    """Return the rank set of the lowest main ranks above `rank` at which a hand has the main cards of `form`.

    `sets` are the hand's `rank_sets`.
    """
    copies, length = FORM_COPIES[form], FORM_LENGTH[form]
    ranks = sets[0] if copies == 1 else sets[1] if copies == 2 else sets[2] if copies == 3 else sets[3]
    if length > 1:
        ranks = chain_starts(ranks, length)
    return ranks & (_RANKS_ABOVE_LOWEST << np.uint64(4 * rank))


@njit
def random_reply(rules, hand, last, rng):
    """Return the id of a uniformly random action among a pass and all moves of a hand that beat the move with id `last`."""
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
