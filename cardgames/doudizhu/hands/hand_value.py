"""What a hand is worth at a glance: points for the groups it is sorted into, less the cost of their turns.

Groups are worth what `rhcp` gives them (`partition`), but a hand is not split recursively. It is sorted into *chains*
(solo, pair and trio chains) and what these leave over, whose worth is a closed form: bombs, trios, pairs and single
cards, of which every trio takes a low one along as a kicker. The best set of chains is searched for, some 0.2 us for a
hand of 17 cards.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.doudizhu.cards import ACE, NIBBLES, NUM_RANKS, holds, rank_sets, sets_and_rocket
from cardgames.doudizhu.moves.move_sampling import chain_starts
from cardgames.kernels.bits import ONE, lowest_bit, popcount
from cardgames.kernels.jit import njit

CHEAP = NIBBLES & np.uint64((1 << 4 * ACE) - 1)
"""The ranks below the ace: what a trio takes along without regret."""
_MOST_CHAINS, _MOST_TO_TRY = 4, 128
_LOOSE, _THIN_CHAIN, _TRIO_CHAIN, _ROCKET = 14, 13, 7, 13
"""A single card, a pair or a trio of rank r is worth r less `_LOOSE` (3 is rank 0), a solo or pair chain that ends at r is
worth r less `_THIN_CHAIN`, a trio chain (r + 1) // 2 less `_TRIO_CHAIN`, a bomb r, the rocket `_ROCKET`.
"""
_RANK = np.uint64(4)
_WITH_BIT = np.array(
    [sum(1 << 4 * rank for rank in range(NUM_RANKS) if rank >> bit & 1) for bit in range(4)], np.uint64
)
"""[4] the ranks whose numbers have that bit."""


class Room(NamedTuple):
    """What sorting works in, and where it leaves the chains it found."""

    chains: NDArray[np.uint64]
    """[n] those a hand holds."""
    worth: NDArray[np.int64]
    """[n] what each is worth."""
    trios: NDArray[np.int64]
    """[n] how many trios it has."""
    left: NDArray[np.uint64]
    path: NDArray[np.int64]
    """[depth, 3] the next chain to try, and the worth and the trios of those before."""
    found: NDArray[np.uint64]
    """[depth] the best set of chains, as hands."""


@njit
def new_room():
    """Return room to sort hands in."""
    return Room(
        np.empty(_MOST_TO_TRY, np.uint64),
        np.empty(_MOST_TO_TRY, np.int64),
        np.empty(_MOST_TO_TRY, np.int64),
        np.empty(_MOST_CHAINS + 1, np.uint64),
        np.empty((_MOST_CHAINS + 1, 3), np.int64),
        np.empty(_MOST_CHAINS, np.uint64),
    )


@njit
def block(copies, length, start):
    """Return so many cards of each of `length` consecutive ranks from `start` on, as a hand."""
    ranks = NIBBLES & ((ONE << np.uint64(4 * length)) - ONE)
    return ranks * np.uint64(copies) << np.uint64(4 * start)


@njit
def _sum_of(ranks):
    """Return the sum of the ranks of a set."""
    total = np.int64(0)
    for bit in range(4):
        total += popcount(ranks & _WITH_BIT[bit]) << bit
    return total


@njit
def loose_worth(hand, trios):
    """Return what a hand is worth without chains, with so many trios in chains beside it."""
    one, two, three, four, rocket = sets_and_rocket(hand)
    worth = rocket * _ROCKET
    worth += _sum_of(one) + _sum_of(two) + _sum_of(three) + _sum_of(four) - _LOOSE * popcount(one | two | three)
    kickers = (one | two) & CHEAP
    for _ in range(min(trios + popcount(three), popcount(kickers))):
        worth += _LOOSE - (lowest_bit(kickers) >> 2)
        kickers &= kickers - ONE
    return worth


@njit
def _has_chains(hand):
    one, two, three, _ = rank_sets(hand)
    return (chain_starts(one, 5) | chain_starts(two, 3) | chain_starts(three, 2)) != 0


@njit
def _list_chains(hand, room):
    """Write the chains a hand holds into the room and return how many they are."""
    n = np.int64(0)
    sets = rank_sets(hand)
    for copies in range(1, 4):
        length = 5 if copies == 1 else 5 - copies
        starts = chain_starts(sets[copies - 1], length)
        while starts:
            left = starts
            while left and n < _MOST_TO_TRY:
                start = lowest_bit(left) >> 2
                top = start + length - 1
                room.chains[n] = block(copies, length, start)
                room.worth[n] = (top + 1) // 2 - _TRIO_CHAIN if copies == 3 else top - _THIN_CHAIN
                room.trios[n] = length if copies == 3 else 0
                left &= left - ONE
                n += 1
            starts &= starts >> _RANK
            length += 1
    return n


@njit
def _next_chain(room, depth, n):
    """Lay the next chain that fits behind `depth` others; return whether there is one."""
    left, chain = room.left[depth], room.path[depth, 0]
    while chain < n and not holds(left, room.chains[chain]):
        chain += 1
    if chain == n or depth == _MOST_CHAINS:
        return False
    room.path[depth, 0] = chain + 1
    room.left[depth + 1] = left - room.chains[chain]
    room.path[depth + 1, 0] = chain
    room.path[depth + 1, 1] = room.path[depth, 1] + room.worth[chain]
    room.path[depth + 1, 2] = room.path[depth, 2] + room.trios[chain]
    return True


@njit
def sort_hand(hand, room):
    """Return what a hand is worth, what is left of it without the chains, and how many these are (in `room.found`)."""
    best, loose, chains = loose_worth(hand, np.int64(0)), hand, np.int64(0)
    if not _has_chains(hand):
        return best, loose, chains
    n = _list_chains(hand, room)
    room.left[0] = hand
    room.path[0, 0] = room.path[0, 1] = room.path[0, 2] = 0
    depth = np.int64(0)
    while depth >= 0:
        if not _next_chain(room, depth, n):
            depth -= 1
            continue
        depth += 1
        worth = room.path[depth, 1] + loose_worth(room.left[depth], room.path[depth, 2])
        if worth > best:
            best, loose, chains = worth, room.left[depth], depth
            for k in range(depth):
                room.found[k] = room.chains[room.path[k, 0] - 1]
    return best, loose, chains


@njit
def worth_of(hand, room):
    """Return what a hand is worth."""
    return sort_hand(hand, room)[0]


@njit
def count_turns(loose, chains, room):
    """Return how many groups a hand has as `sort_hand` left it, bombs and the rocket apart."""
    one, two, three, _, _ = sets_and_rocket(loose)
    trios = popcount(three)
    for k in range(chains):
        trios += popcount(rank_sets(room.found[k])[2])
    return chains + popcount(three) + popcount(one | two) - min(trios, popcount((one | two) & CHEAP))
