"""Shared helpers of the Dou Di Zhu tests: random hands, random rule sets, and moves as the slow referee represents them."""

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
    """Return a rule set whose value on every axis is chosen by `pick`."""
    values = {name: list(axis.choices) or [0, 0, 2, 6, 100] for name, axis in BOOK.axes.items()}
    return BOOK.from_dict({name: pick(choices) for name, choices in values.items()}, "drawn")


def any_hand(chance: random.Random, size: int) -> str:
    """Return a random hand of `size` cards."""
    return hand_to_text(hand_from_text("".join(chance.sample(DECK, size))))


def dense_hand(chance: random.Random, size: int) -> str:
    """Return a random hand of at most `size` cards, mostly of neighboring ranks, so that it has chains, planes and bombs."""
    low, ranks = chance.randrange(9), chance.randrange(3, 7)
    near = [card for card in DECK if low <= RANKS.index(card) < low + ranks]
    far = [card for card in DECK if card not in near]
    far_cards = chance.sample(far, min(size, chance.randrange(4)))
    return hand_to_text(hand_from_text("".join(far_cards + chance.sample(near, min(len(near), size - len(far_cards))))))


@functools.cache
def reading_of(action: int) -> Reading:
    """Return a move, given by its id, as the referee represents it."""
    move = move_from_id(action)
    return Reading(move.form.name, hand_to_text(move.main), hand_to_text(move.kickers))


def leads(rules: RuleSet, hand: str) -> list[int]:
    """Return the ids of all moves that a hand can lead, in the order in which the kernel writes them."""
    out = np.zeros(NUM_HOLDABLE_ACTIONS, np.int32)
    return [
        int(action)
        for action in out[: move_generation.lead_moves(kernel_rules(rules), np.uint64(hand_from_text(hand)), out)]
    ]


def replies(rules: RuleSet, hand: str, last: int) -> list[int]:
    """Return the ids of all moves of a hand that beat `last`, in the order in which the kernel writes them."""
    out = np.zeros(NUM_HOLDABLE_ACTIONS, np.int32)
    n = move_generation.follow_moves(kernel_rules(rules), np.uint64(hand_from_text(hand)), last, out)
    return [int(action) for action in out[:n]]
