"""What the tests of Dou Di Zhu share: hands and rule sets drawn at random, and moves as the referee reads them."""

import functools
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import DECK_COPIES, RANKS, hand_from_text, hand_to_text
from cardgames.doudizhu.moves import move_generation
from cardgames.doudizhu.moves.move_table import NUM_HOLDABLE_ACTIONS, move_from_id
from cardgames.doudizhu.rules import BOOK, kernel_rules
from tests.referees.doudizhu import Reading

PRESETS = tuple(BOOK.presets)
DECK = "".join(rank * copies for rank, copies in zip(RANKS, DECK_COPIES, strict=True))
"""The 54 cards in ascending order."""


def choose_rules(pick: Callable[[Sequence[Any]], Any]) -> RuleSet:
    """A rule set of which `pick` chooses the value on every axis."""
    values = {name: list(axis.choices) or [0, 0, 2, 6, 100] for name, axis in BOOK.axes.items()}
    return BOOK.from_dict({name: pick(choices) for name, choices in values.items()}, "drawn")


def any_hand(chance: random.Random, size: int) -> str:
    """A random hand of so many cards."""
    return hand_to_text(hand_from_text("".join(chance.sample(DECK, size))))


def dense_hand(chance: random.Random, size: int) -> str:
    """A random hand of at most so many cards, most of few neighbouring ranks: it has chains, planes and bombs."""
    low, ranks = chance.randrange(9), chance.randrange(3, 7)
    near = [card for card in DECK if low <= RANKS.index(card) < low + ranks]
    far = [card for card in DECK if card not in near]
    few = chance.sample(far, min(size, chance.randrange(4)))
    return hand_to_text(hand_from_text("".join(few + chance.sample(near, min(len(near), size - len(few))))))


@functools.cache
def reading_of(action: int) -> Reading:
    """The move with that id as the referee reads it."""
    move = move_from_id(action)
    return Reading(move.form.name, hand_to_text(move.main), hand_to_text(move.kickers))


def leads(rules: RuleSet, hand: str) -> list[int]:
    """The ids of all moves from a hand, in the order in which the kernel writes them."""
    out = np.zeros(NUM_HOLDABLE_ACTIONS, np.int32)
    return [
        int(action)
        for action in out[: move_generation.lead_moves(kernel_rules(rules), np.uint64(hand_from_text(hand)), out)]
    ]


def replies(rules: RuleSet, hand: str, last: int) -> list[int]:
    """The ids of all moves from a hand that beat `last`, in the order in which the kernel writes them."""
    out = np.zeros(NUM_HOLDABLE_ACTIONS, np.int32)
    n = move_generation.follow_moves(kernel_rules(rules), np.uint64(hand_from_text(hand)), last, out)
    return [int(action) for action in out[:n]]
