"""What a hand is worth at a glance: points for the groups it is sorted into, less the cost of their turns.

Groups are worth what `rhcp` gives them (`partition`), but a hand is not split recursively. It is sorted into *chains*
(solo, pair and trio chains) and what these leave over, whose worth is a closed form: bombs, trios, pairs and single
cards, of which every trio takes a low one along as a kicker. The best set of chains is searched for, some 0.2 us for a
hand of 17 cards.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.doudizhu.cards import ACE, NUM_RANKS, RANK_LOW_BITS, exact_rank_sets_and_rocket, holds, rank_sets
from cardgames.doudizhu.moves.move_sampling import chain_starts
from cardgames.kernels.bits import ONE, lowest_bit, popcount
from cardgames.kernels.jit import njit

CHEAP_KICKER_RANKS = RANK_LOW_BITS & np.uint64((1 << 4 * ACE) - 1)
"""The ranks below the ace: what a trio takes along without regret."""
_MAX_CHAINS, _MAX_CANDIDATE_CHAINS = 4, 128
_LOOSE_COST, _THIN_CHAIN_COST, _TRIO_CHAIN_COST, _ROCKET_VALUE = 14, 13, 7, 13
"""A single card, a pair or a trio of rank r is worth r less `_LOOSE_COST` (3 is rank 0), a solo or pair chain that ends at r is
worth r less `_THIN_CHAIN_COST`, a trio chain (r + 1) // 2 less `_TRIO_CHAIN_COST`, a bomb r, the rocket `_ROCKET_VALUE`.
"""
_RANK_BITS = np.uint64(4)
_RANKS_WITH_BIT = np.array(
    [sum(1 << 4 * rank for rank in range(NUM_RANKS) if rank >> bit & 1) for bit in range(4)], np.uint64
)
"""[4] the ranks whose numbers have that bit."""


class Workspace(NamedTuple):
    """What sorting works in, and where it leaves the chains it found."""

    chains: NDArray[np.uint64]
    """[n] those a hand holds."""
    value: NDArray[np.int64]
    """[n] what each is worth."""
    trios: NDArray[np.int64]
    """[n] how many trios it has."""
    remaining: NDArray[np.uint64]
    path: NDArray[np.int64]
    """[depth, 3] the next chain to try, and the worth and the trios of those before."""
    best_chains: NDArray[np.uint64]
    """[depth] the best set of chains, as hands."""


@njit
def new_workspace():
    """Return room to sort hands in."""
    return Workspace(
        np.empty(_MAX_CANDIDATE_CHAINS, np.uint64),
        np.empty(_MAX_CANDIDATE_CHAINS, np.int64),
        np.empty(_MAX_CANDIDATE_CHAINS, np.int64),
        np.empty(_MAX_CHAINS + 1, np.uint64),
        np.empty((_MAX_CHAINS + 1, 3), np.int64),
        np.empty(_MAX_CHAINS, np.uint64),
    )


@njit
def consecutive_cards(copies, length, start):
    """Return so many cards of each of `length` consecutive ranks from `start` on, as a hand."""
    ranks = RANK_LOW_BITS & ((ONE << np.uint64(4 * length)) - ONE)
    return ranks * np.uint64(copies) << np.uint64(4 * start)


@njit
def _sum_ranks(ranks):
    """Return the sum of the ranks of a set."""
    total = np.int64(0)
    for bit in range(4):
        total += popcount(ranks & _RANKS_WITH_BIT[bit]) << bit
    return total


@njit
def value_without_chains(hand, trios):
    """Return what a hand is worth without chains, with so many trios in chains beside it."""
    one, two, three, four, rocket = exact_rank_sets_and_rocket(hand)
    value = rocket * _ROCKET_VALUE
    value += (
        _sum_ranks(one)
        + _sum_ranks(two)
        + _sum_ranks(three)
        + _sum_ranks(four)
        - _LOOSE_COST * popcount(one | two | three)
    )
    kickers = (one | two) & CHEAP_KICKER_RANKS
    for _ in range(min(trios + popcount(three), popcount(kickers))):
        value += _LOOSE_COST - (lowest_bit(kickers) >> 2)
        kickers &= kickers - ONE
    return value


@njit
def _has_chains(hand):
    one, two, three, _ = rank_sets(hand)
    return (chain_starts(one, 5) | chain_starts(two, 3) | chain_starts(three, 2)) != 0


@njit
def _list_chains(hand, workspace):
    """Write the chains a hand holds into the room and return how many they are."""
    n = np.int64(0)
    sets = rank_sets(hand)
    for copies in range(1, 4):
        length = 5 if copies == 1 else 5 - copies
        starts = chain_starts(sets[copies - 1], length)
        while starts:
            remaining = starts
            while remaining and n < _MAX_CANDIDATE_CHAINS:
                start = lowest_bit(remaining) >> 2
                top = start + length - 1
                workspace.chains[n] = consecutive_cards(copies, length, start)
                workspace.value[n] = (top + 1) // 2 - _TRIO_CHAIN_COST if copies == 3 else top - _THIN_CHAIN_COST
                workspace.trios[n] = length if copies == 3 else 0
                remaining &= remaining - ONE
                n += 1
            starts &= starts >> _RANK_BITS
            length += 1
    return n


@njit
def _push_next_chain(workspace, depth, n):
    """Lay the next chain that fits behind `depth` others; return whether there is one."""
    remaining, chain = workspace.remaining[depth], workspace.path[depth, 0]
    while chain < n and not holds(remaining, workspace.chains[chain]):
        chain += 1
    if chain == n or depth == _MAX_CHAINS:
        return False
    workspace.path[depth, 0] = chain + 1
    workspace.remaining[depth + 1] = remaining - workspace.chains[chain]
    workspace.path[depth + 1, 0] = chain
    workspace.path[depth + 1, 1] = workspace.path[depth, 1] + workspace.value[chain]
    workspace.path[depth + 1, 2] = workspace.path[depth, 2] + workspace.trios[chain]
    return True


@njit
def split_off_chains(hand, workspace):
    """Return what a hand is worth, what is left of it without the chains, and how many these are (in `workspace.best_chains`)."""
    best, rest, chains = value_without_chains(hand, np.int64(0)), hand, np.int64(0)
    if not _has_chains(hand):
        return best, rest, chains
    n = _list_chains(hand, workspace)
    workspace.remaining[0] = hand
    workspace.path[0, 0] = workspace.path[0, 1] = workspace.path[0, 2] = 0
    depth = np.int64(0)
    while depth >= 0:
        if not _push_next_chain(workspace, depth, n):
            depth -= 1
            continue
        depth += 1
        value = workspace.path[depth, 1] + value_without_chains(workspace.remaining[depth], workspace.path[depth, 2])
        if value > best:
            best, rest, chains = value, workspace.remaining[depth], depth
            for k in range(depth):
                workspace.best_chains[k] = workspace.chains[workspace.path[k, 0] - 1]
    return best, rest, chains


@njit
def evaluate_hand(hand, workspace):
    """Return what a hand is worth."""
    return split_off_chains(hand, workspace)[0]


@njit
def count_turns(rest, chains, workspace):
    """Return how many groups a hand has as `split_off_chains` left it, bombs and the rocket apart."""
    one, two, three, _, _ = exact_rank_sets_and_rocket(rest)
    trios = popcount(three)
    for k in range(chains):
        trios += popcount(rank_sets(workspace.best_chains[k])[2])
    return chains + popcount(three) + popcount(one | two) - min(trios, popcount((one | two) & CHEAP_KICKER_RANKS))
