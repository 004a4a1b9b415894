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
    grow_arrays,
    list_leads,
    new_search_stack,
    next_decomposition,
    order_options,
    write_groups,
)
from cardgames.doudizhu.hands.shapes import AFTER_CHAINS, FIRST_CHAIN, MAX_HAND_SIZE, shape, shape_table
from cardgames.doudizhu.moves.move_table import FORM_FIRST_IDS, MOVE_CARDS, form_index
from cardgames.kernels.bits import popcount
from cardgames.kernels.jit import njit

FIRST_TRIO_CHAIN = int(FORM_FIRST_IDS[form_index("trio chain", 2)])
_CHAIN_RANKS = np.uint64((1 << 4 * TWO) - 1)
_MAX_CHAINS = MAX_HAND_SIZE // 5


class Chains(NamedTuple):
    """The chains a hand holds, by ascending ids: `num_without_trios` of them are solo or pair chains, the others have trios."""

    ids: NDArray[np.int32]
    cards: NDArray[np.uint64]
    num_without_trios: np.int64


class ChainStack(NamedTuple):
    """Where the search stands: after each chain so far (and before the first) what is left, and the next to try."""

    remaining: NDArray[np.uint64]
    next: NDArray[np.int64]


@njit
def select_chains(ids):
    """Return those of some moves, given by ascending ids, that are chains."""
    first, thick, end = (
        np.searchsorted(ids, FIRST_CHAIN),
        np.searchsorted(ids, FIRST_TRIO_CHAIN),
        np.searchsorted(ids, AFTER_CHAINS),
    )
    return Chains(ids[first:end], MOVE_CARDS[ids[first:end]], np.int64(thick - first))


@njit
def new_chain_stack(hand):
    """Return a walk over sets of chains that has not begun."""
    stack = ChainStack(np.empty(_MAX_CHAINS + 1, np.uint64), np.empty(_MAX_CHAINS + 1, np.int64))
    stack.remaining[0], stack.next[0] = hand, 0
    return stack


@njit
def max_turns_saved_by_planes(hand):
    """Return how many turns trio chains and planes may save at most: n trios in a chain are no more than n trios apart."""
    trios = rank_sets(hand)[2] & _CHAIN_RANKS
    return popcount(trios & trios >> np.uint64(4))


@njit
def next_chain_set(chains, table, stack, num_chains, max_turns):
    """Go on to the next set of chains after which `max_turns` turns in all may do; return how many they are, -1 for no more.

    `num_chains` is what the last call returned, 0 (the empty set, which is not returned) to begin with.
    """
    while num_chains >= 0:
        remaining, chain = stack.remaining[num_chains], stack.next[num_chains]
        without_planes = num_chains + np.int64(table[shape(remaining)])
        end = (
            chains.num_without_trios
            if without_planes - max_turns_saved_by_planes(remaining) > max_turns
            else len(chains.ids)
        )
        while chain < end and not holds(remaining, chains.cards[chain]):
            chain += 1
        if chain >= end:
            num_chains -= 1
            continue
        stack.next[num_chains] = chain + 1
        rest = remaining - chains.cards[chain]
        if num_chains + 1 + (rest != 0) <= max_turns:
            num_chains += 1
            stack.remaining[num_chains], stack.next[num_chains] = rest, chain
            return num_chains
    return -1


@njit
def min_turns(rules, table, hand):
    """Return the fewest groups a hand splits into; `table` is the rules' `shape_table`."""
    chains, stack = select_chains(list_leads(rules, hand)), new_chain_stack(hand)
    best = np.int64(table[shape(hand)])
    num_chains = next_chain_set(chains, table, stack, 0, best - 1)
    while num_chains >= 0:
        best = min(best, num_chains + np.int64(table[shape(stack.remaining[num_chains])]))
        num_chains = next_chain_set(chains, table, stack, num_chains, best - 1)
    return best


@njit
def fewest_decompositions(rules, table, hand):
    """Return the groups of all decompositions of a hand into the fewest groups, and where each begins (see `decompose`)."""
    ids = list_leads(rules, hand)
    chains, chain_stack = select_chains(ids), new_chain_stack(hand)
    options, stack = order_options(ids[(ids < FIRST_CHAIN) | (ids >= AFTER_CHAINS)]), new_search_stack()
    flat_groups, starts = np.empty(1 << 12, np.int32), np.empty(1 << 9, np.int64)
    starts[0] = count = end = num_chains = 0
    fewest_groups = min_turns(rules, table, hand)
    while num_chains >= 0:
        remaining = chain_stack.remaining[num_chains]
        num_others = -1
        if num_chains + np.int64(table[shape(remaining)]) == fewest_groups:
            num_others = first_decomposition(options, stack, remaining, table, fewest_groups - num_chains)
        while num_others >= 0:
            flat_groups, starts = grow_arrays(flat_groups, starts, end, count)
            for k in range(num_chains):
                flat_groups[end + k] = chains.ids[chain_stack.next[k] - 1]
            write_groups(options, stack, num_others, flat_groups, end + num_chains)
            end += num_chains + num_others
            count += 1
            starts[count] = end
            num_others = next_decomposition(options, stack, num_others, table, fewest_groups - num_chains)
        num_chains = next_chain_set(chains, table, chain_stack, num_chains, fewest_groups)
    return flat_groups[:end], starts[: count + 1]


def min_turn_decompositions(rules: Any, hand: int) -> Decompositions:
    """Return every decomposition of a hand into the fewest groups. Raises `InvalidInput` (see `checked_hand`)."""
    return Decompositions(*fewest_decompositions(rules, shape_table(rules), checked_hand(hand)))


def count_min_turns(rules: Any, hand: int) -> int:
    """Return the fewest groups a hand splits into. Raises `InvalidInput` (see `checked_hand`)."""
    return int(min_turns(rules, shape_table(rules), checked_hand(hand)))
