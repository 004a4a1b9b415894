"""Minimum number of turns in which a hand can be played out unopposed, and the decompositions with that number of groups.

A decomposition is a set of *chains* (solo, pair and trio chains, planes with their kickers) and of groups around one
rank (with or without kickers). Chains depend on the ranks. For the cards outside chains only the *shape* matters: how
many ranks have one, two, three and four cards, and whether both jokers are present. A table gives the fewest groups of
every shape. So the search covers only the sets of chains: about 30 for a hand of 20 cards. `rules` is a record of type
`DOUDIZHU_RULES`; a hand has at most 20 cards.
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
    """Chains that a hand holds, by ascending id: `ids` are their move ids and `cards` the same moves as hands.

    The first `num_without_trios` are solo and pair chains; trio chains and planes follow.
    """

    ids: NDArray[np.int32]
    cards: NDArray[np.uint64]
    num_without_trios: np.int64


class ChainStack(NamedTuple):
    """Stack of the depth-first search over sets of chains.

    At depth d, after d chains are chosen, `remaining[d]` are the cards left and `next[d]` is the index of the next
    chain to try.
    """

    remaining: NDArray[np.uint64]
    next: NDArray[np.int64]


@njit
def select_chains(ids):
    """Return the solo, pair and trio chains and planes among the moves `ids` (ascending action ids)."""
    first_chain, first_trio_chain, end = (
        np.searchsorted(ids, FIRST_CHAIN),
        np.searchsorted(ids, FIRST_TRIO_CHAIN),
        np.searchsorted(ids, AFTER_CHAINS),
    )
    return Chains(ids[first_chain:end], MOVE_CARDS[ids[first_chain:end]], np.int64(first_trio_chain - first_chain))


@njit
def new_chain_stack(hand):
    """Return the stack for a search over the sets of chains of `hand`, before its first step."""
    stack = ChainStack(np.empty(_MAX_CHAINS + 1, np.uint64), np.empty(_MAX_CHAINS + 1, np.int64))
    stack.remaining[0], stack.next[0] = hand, 0
    return stack


@njit
def max_turns_saved_by_planes(hand):
    """Return an upper bound on the turns that a hand saves by playing trios in trio chains and planes.

    A chain of n trios saves at most n - 1 turns compared with n separate trios.
    """
    trios = rank_sets(hand)[2] & _CHAIN_RANKS
    return popcount(trios & trios >> np.uint64(4))


@njit
def next_chain_set(chains, table, stack, num_chains, max_turns):
    """Advance the search to the next set of chains with which the hand may be played out in at most `max_turns` turns.

    Args:
        chains: Chains that the hand holds.
        table: The rules' `shape_table`.
        stack: Stack of the search, changed in place.
        num_chains: Number of chains in the previous set, as the previous call returned it; 0 for the first call. The
            empty set is never returned.
        max_turns: Largest total number of turns, chains included.

    Returns:
        The number of chains in the new set, -1 if there are no more sets.
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
    """Return the minimum number of groups (moves) that a hand splits into; `table` is the rules' `shape_table`."""
    chains, stack = select_chains(list_leads(rules, hand)), new_chain_stack(hand)
    best = np.int64(table[shape(hand)])
    num_chains = next_chain_set(chains, table, stack, 0, best - 1)
    while num_chains >= 0:
        best = min(best, num_chains + np.int64(table[shape(stack.remaining[num_chains])]))
        num_chains = next_chain_set(chains, table, stack, num_chains, best - 1)
    return best


@njit
def fewest_decompositions(rules, table, hand):
    """Return all decompositions of a hand into the minimum number of groups (moves).

    `table` is the rules' `shape_table`.

    Returns:
        The move ids of all decompositions, one decomposition after the other, [groups] int32; and the index in it at
        which each decomposition starts, followed by its total length, [decompositions + 1] int64.
    """
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
    """Return all decompositions of a hand into the minimum number of groups (moves).

    Raises:
        InvalidInput: If the hand does not have 1 to 20 cards.
    """
    return Decompositions(*fewest_decompositions(rules, shape_table(rules), checked_hand(hand)))


def count_min_turns(rules: Any, hand: int) -> int:
    """Return the minimum number of groups (moves) that a hand splits into.

    Raises:
        InvalidInput: If the hand does not have 1 to 20 cards.
    """
    return int(min_turns(rules, shape_table(rules), checked_hand(hand)))
