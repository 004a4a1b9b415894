"""How many turns a hand takes to play out against nobody: the fewest groups it splits into, and the ways to do so.

A decomposition is a set of *chains* (solo, pair and trio chains, planes with their kickers) and of groups around one
rank (a kicker more or less). Chains need their ranks; for what they leave over only its *shape* counts: of how many
ranks there are one, two, three and four cards, and whether both jokers are there. A table knows the fewest groups of
every shape, so the search is over sets of chains alone: some 30 for a hand of 20 cards.
`rules` is a record of type `DOUDIZHU_RULES`, a hand has at most 20 cards.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.doudizhu.cards import TWO, holds, rank_sets
from cardgames.doudizhu.hands.decomposition import (
    Decompositions,
    checked_hand,
    first_decomposition,
    in_order,
    leads,
    new_walk,
    next_decomposition,
    with_room,
    write_groups,
)
from cardgames.doudizhu.hands.shapes import AFTER_CHAINS, FIRST_CHAIN, MOST_CARDS, shape, shape_table
from cardgames.doudizhu.moves.move_table import CARDS, FIRST, form_number
from cardgames.kernels.bits import popcount
from cardgames.kernels.jit import njit

FIRST_TRIO_CHAIN = int(FIRST[form_number("trio chain", 2)])
_CHAIN_RANKS = np.uint64((1 << 4 * TWO) - 1)
_MOST_CHAINS = MOST_CARDS // 5


class Chains(NamedTuple):
    """The chains a hand holds, by ascending ids: `thin` of them are solo or pair chains, the others have trios."""

    ids: NDArray[np.int32]
    cards: NDArray[np.uint64]
    thin: np.int64


class ChainWalk(NamedTuple):
    """Where the search stands: after each chain so far (and before the first) what is left, and the next to try."""

    left: NDArray[np.uint64]
    next: NDArray[np.int64]


@njit
def chains_among(ids):
    """Return those of some moves, given by ascending ids, that are chains."""
    first, thick, end = (
        np.searchsorted(ids, FIRST_CHAIN),
        np.searchsorted(ids, FIRST_TRIO_CHAIN),
        np.searchsorted(ids, AFTER_CHAINS),
    )
    return Chains(ids[first:end], CARDS[ids[first:end]], np.int64(thick - first))


@njit
def begin_chains(hand):
    """Return a walk over sets of chains that has not begun."""
    walk = ChainWalk(np.empty(_MOST_CHAINS + 1, np.uint64), np.empty(_MOST_CHAINS + 1, np.int64))
    walk.left[0], walk.next[0] = hand, 0
    return walk


@njit
def saved_by_planes(hand):
    """Return how many turns trio chains and planes may save at most: n trios in a chain are no more than n trios apart."""
    trios = rank_sets(hand)[2] & _CHAIN_RANKS
    return popcount(trios & trios >> np.uint64(4))


@njit
def next_chains(chains, table, walk, number, most):
    """Go on to the next set of chains after which `most` turns in all may do; return how many they are, -1 for no more.

    `number` is what the last call returned, 0 (the empty set, which is not returned) to begin with.
    """
    while number >= 0:
        left, chain = walk.left[number], walk.next[number]
        without_planes = number + np.int64(table[shape(left)])
        end = chains.thin if without_planes - saved_by_planes(left) > most else len(chains.ids)
        while chain < end and not holds(left, chains.cards[chain]):
            chain += 1
        if chain >= end:
            number -= 1
            continue
        walk.next[number] = chain + 1
        rest = left - chains.cards[chain]
        if number + 1 + (rest != 0) <= most:
            number += 1
            walk.left[number], walk.next[number] = rest, chain
            return number
    return -1


@njit
def min_turns(rules, table, hand):
    """Return the fewest groups a hand splits into; `table` is the rules' `shape_table`."""
    chains, walk = chains_among(leads(rules, hand)), begin_chains(hand)
    best = np.int64(table[shape(hand)])
    number = next_chains(chains, table, walk, 0, best - 1)
    while number >= 0:
        best = min(best, number + np.int64(table[shape(walk.left[number])]))
        number = next_chains(chains, table, walk, number, best - 1)
    return best


@njit
def fewest_decompositions(rules, table, hand):
    """Return the groups of all decompositions of a hand into the fewest groups, and where each begins (see `decompose`)."""
    ids = leads(rules, hand)
    chains, chain_walk = chains_among(ids), begin_chains(hand)
    options, walk = in_order(ids[(ids < FIRST_CHAIN) | (ids >= AFTER_CHAINS)]), new_walk()
    found, starts = np.empty(1 << 12, np.int32), np.empty(1 << 9, np.int64)
    starts[0] = count = end = number = 0
    most = min_turns(rules, table, hand)
    while number >= 0:
        left = chain_walk.left[number]
        others = -1
        if number + np.int64(table[shape(left)]) == most:
            others = first_decomposition(options, walk, left, table, most - number)
        while others >= 0:
            found, starts = with_room(found, starts, end, count)
            for k in range(number):
                found[end + k] = chains.ids[chain_walk.next[k] - 1]
            write_groups(options, walk, others, found, end + number)
            end += number + others
            count += 1
            starts[count] = end
            others = next_decomposition(options, walk, others, table, most - number)
        number = next_chains(chains, table, chain_walk, number, most)
    return found[:end], starts[: count + 1]


def fewest(rules: Any, hand: int) -> Decompositions:
    """Return every decomposition of a hand into the fewest groups. Raises `InvalidInput` (see `checked_hand`)."""
    return Decompositions(*fewest_decompositions(rules, shape_table(rules), checked_hand(hand)))


def turns(rules: Any, hand: int) -> int:
    """Return the fewest groups a hand splits into. Raises `InvalidInput` (see `checked_hand`)."""
    return int(min_turns(rules, shape_table(rules), checked_hand(hand)))
