"""What a hand is worth at a glance, against all ways to take chains out of it written down in plain Python."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from cardgames.doudizhu.cards import RANKS, hand_from_text, hand_to_text
from cardgames.doudizhu.hands.hand_value import new_workspace, split_off_chains
from tests.doudizhu.hand_helpers import any_hand, dense_hand

ACE, TWO = RANKS.index("A"), RANKS.index("2")


def loose(copies: list[int], trios: int) -> int:
    """The worth of cards without chains, beside so many trios in chains."""
    worth, singles = 0, []
    if copies[13] and copies[14]:
        worth, copies = 13, [*copies[:13], 0, 0]
    for rank, count in enumerate(copies):
        if count == 4:
            worth += rank
        elif count:
            worth += rank - 14
        trios += count == 3
        if count in (1, 2) and rank < ACE:
            singles.append(rank)
    return worth + sum(14 - rank for rank in singles[:trios])


def chains(copies: list[int]) -> Iterator[tuple[int, range]]:
    """Every chain there is: how many cards of each rank, and which ranks."""
    for count, shortest in ((1, 5), (2, 3), (3, 2)):
        for start in range(TWO):
            for end in range(start + shortest, TWO + 1):
                if all(copies[rank] >= count for rank in range(start, end)):
                    yield count, range(start, end)


def worth(copies: list[int], trios: int = 0) -> int:
    """The best worth over all sets of chains."""
    best = loose(copies, trios)
    for count, ranks in chains(copies):
        rest = [held - count * (rank in ranks) for rank, held in enumerate(copies)]
        own = (ranks[-1] + 1) // 2 - 7 if count == 3 else ranks[-1] - 13
        best = max(best, own + worth(rest, trios + len(ranks) * (count == 3)))
    return best


@pytest.mark.parametrize("seed", range(6))
def test_a_hand_is_worth_its_best_set_of_chains(seed: int) -> None:
    chance, workspace = random.Random(seed), new_workspace()
    for _ in range(25):
        hand = (dense_hand if chance.random() < 0.4 else any_hand)(chance, chance.randrange(1, 15))
        found, left, number = split_off_chains(np.uint64(hand_from_text(hand)), workspace)
        assert found == worth([hand.count(rank) for rank in RANKS]), hand
        assert left + sum(workspace.found[:number]) == hand_from_text(hand)


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
def test_hands_of_which_one_can_say_it(hand: str, value: int, chains: list[str]) -> None:
    workspace = new_workspace()
    found, _, number = split_off_chains(np.uint64(hand_from_text(hand)), workspace)
    assert found == value
    assert [hand_to_text(int(chain)) for chain in workspace.found[:number]] == chains
