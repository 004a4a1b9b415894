"""Tests of the fast hand value against an exhaustive search over sets of chains in plain Python."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from cardgames.doudizhu.cards import RANKS, hand_from_text, hand_to_text
from cardgames.doudizhu.hands.hand_value import new_workspace, split_off_chains
from tests.doudizhu.hand_helpers import any_hand, dense_hand

ACE, TWO = RANKS.index("A"), RANKS.index("2")


def value_without_chains(copies: list[int], trios: int) -> int:
    """Return the value of cards without chains, with `trios` trios in chains beside them."""
    value, singles = 0, []
    if copies[13] and copies[14]:
        value, copies = 13, [*copies[:13], 0, 0]
    for rank, count in enumerate(copies):
        if count == 4:
            value += rank
        elif count:
            value += rank - 14
        trios += count == 3
        if count in (1, 2) and rank < ACE:
            singles.append(rank)
    return value + sum(14 - rank for rank in singles[:trios])


def chains(copies: list[int]) -> Iterator[tuple[int, range]]:
    """Yield every chain: number of cards per rank, and the ranks."""
    for count, shortest in ((1, 5), (2, 3), (3, 2)):
        for start in range(TWO):
            for end in range(start + shortest, TWO + 1):
                if all(copies[rank] >= count for rank in range(start, end)):
                    yield count, range(start, end)


def best_value(copies: list[int], trios: int = 0) -> int:
    """Return the best value over all sets of chains."""
    best = value_without_chains(copies, trios)
    for count, ranks in chains(copies):
        rest = [held - count * (rank in ranks) for rank, held in enumerate(copies)]
        chain_value = (ranks[-1] + 1) // 2 - 7 if count == 3 else ranks[-1] - 13
        best = max(best, chain_value + best_value(rest, trios + len(ranks) * (count == 3)))
    return best


@pytest.mark.parametrize("seed", range(6))
def test_value_is_that_of_best_set_of_chains(seed: int) -> None:
    chance, workspace = random.Random(seed), new_workspace()
    for _ in range(25):
        hand = (dense_hand if chance.random() < 0.4 else any_hand)(chance, chance.randrange(1, 15))
        value, rest, num_chains = split_off_chains(np.uint64(hand_from_text(hand)), workspace)
        assert value == best_value([hand.count(rank) for rank in RANKS]), hand
        assert rest + sum(workspace.best_chains[:num_chains]) == hand_from_text(hand)


@pytest.mark.parametrize(
    ("hand", "value", "chains"),
    [
        ("3", -14, []),
        ("R", 0, []),
        ("BR", 13, []),
        ("3333", 0, []),
        ("33344", -14, []),
        ("333A", -17, []),
        ("345678", -8, ["345678"]),
        ("33344457", -6, ["333444"]),
        ("3456789TJQKA", -2, ["3456789TJQKA"]),
    ],
)
def test_value_and_chains_of_known_hands(hand: str, value: int, chains: list[str]) -> None:
    workspace = new_workspace()
    actual, _, num_chains = split_off_chains(np.uint64(hand_from_text(hand)), workspace)
    assert actual == value
    assert [hand_to_text(int(chain)) for chain in workspace.best_chains[:num_chains]] == chains
