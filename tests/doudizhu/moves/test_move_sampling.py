"""Tests of random move sampling: every legal action is equally likely."""

import collections
import math
import random

import numpy as np
import pytest

from cardgames.core import ops
from cardgames.core.kernel_policy import NO_WEIGHTS
from cardgames.doudizhu.cards import hand_from_text
from cardgames.doudizhu.game import DouDiZhu
from cardgames.doudizhu.moves import move_generation, move_sampling
from cardgames.doudizhu.moves.move_table import FORMS, MOVE_TABLE, PASS
from cardgames.doudizhu.notation import parse_action
from cardgames.doudizhu.rules import BOOK, CLASSIC, ONLINE, kernel_rules
from cardgames.kernels import rng
from tests.doudizhu.hand_helpers import PRESETS, any_hand, dense_hand, leads, replies
from tests.doudizhu.rounds import random_playthrough


def check_uniform(drawn: collections.Counter[int], choices: set[int]) -> None:
    """Chi-square test that all choices are equally likely; a correct sampler fails about once in 10,000 seeds."""
    assert set(drawn) <= choices
    expected = drawn.total() / len(choices)
    chi2 = sum((drawn[choice] - expected) ** 2 / expected for choice in choices)
    freedom = len(choices) - 1
    assert chi2 < freedom + 4 * math.sqrt(2 * freedom) + 6, (chi2, freedom)


def drawn_leads(rules: object, hand: str, n: int, seed: int = 5) -> collections.Counter[int]:
    stream = rng.stream(seed)
    return collections.Counter(
        int(move_sampling.random_lead(rules, np.uint64(hand_from_text(hand)), stream)) for _ in range(n)
    )


def drawn_replies(rules: object, hand: str, last: int, n: int, seed: int = 5) -> collections.Counter[int]:
    stream = rng.stream(seed)
    return collections.Counter(
        int(move_sampling.random_reply(rules, np.uint64(hand_from_text(hand)), last, stream)) for _ in range(n)
    )


@pytest.mark.parametrize(
    "hand",
    [
        "3",
        "34567",
        "334455",
        "3334",
        "33344BR",
        "3333BR",
        "333344",
        "3334445556",
        "33344455BR2",
        "5555666677",
        "TJQKA2",
    ],
)
@pytest.mark.parametrize("rules", [CLASSIC, ONLINE], ids=["classic", "online"])
def test_random_lead_is_uniform(rules: object, hand: str) -> None:
    choices = set(leads(rules, hand))  # type: ignore[arg-type]
    check_uniform(drawn_leads(kernel_rules(rules), hand, 60 * len(choices)), choices)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hand", "last"),
    [
        ("4455BR", "3"),
        ("4445557BR", "3334"),
        ("44455577", "33366"),
        ("456789TJQ", "34567"),
        ("44445555BR", "3333"),
        ("555566677889", "333345"),
        ("55566678999BR", "33344478"),
        ("4445556667778899", "3334445566"),
        ("7777", "BR"),
        ("3456", "2"),
    ],
)
def test_random_reply_is_uniform(hand: str, last: str) -> None:
    action = parse_action(last)
    choices = {PASS, *replies(ONLINE, hand, action)}
    check_uniform(drawn_replies(kernel_rules(ONLINE), hand, action, 60 * len(choices)), choices)


@pytest.mark.parametrize("preset", PRESETS)
def test_random_leads_are_legal_and_cover_every_form(preset: str) -> None:
    """Dense hands make every form occur, and only legal moves are drawn."""
    rules, chance, forms = BOOK.preset(preset), random.Random(0), set()
    hands = [dense_hand(chance, size) for size in 60 * [*range(1, 21)]]
    for seed, hand in enumerate(hands + 20 * ["3333445566", "3BR"]):
        choices, drawn = set(leads(rules, hand)), drawn_leads(kernel_rules(rules), hand, 4, seed)
        assert set(drawn) <= choices
        forms |= {FORMS[MOVE_TABLE.form_ranks[action] >> 4].name for action in drawn}
    missing = {"quad+solos", "quad+pairs"} if preset == "openspiel" else set()
    assert forms == {form.name for form in FORMS} - missing


@pytest.mark.parametrize("preset", PRESETS)
def test_random_replies_are_legal(preset: str) -> None:
    rules, chance = BOOK.preset(preset), random.Random(0)
    for draw in (any_hand, dense_hand):
        for size in 20 * [*range(1, 21)]:
            last = chance.choice(leads(rules, draw(chance, 20)))
            hand = draw(chance, size)
            drawn = drawn_replies(kernel_rules(rules), hand, last, 4, size)
            assert set(drawn) <= {PASS, *replies(rules, hand, last)}


@pytest.mark.parametrize("preset", PRESETS)
def test_random_policy_is_legal_with_uniform_likelihood(preset: str) -> None:
    game = DouDiZhu(rules=preset)
    rules, stream = game.kernel_rules, rng.stream(1)
    for seed in range(5):
        for state in random_playthrough(game.new_initial_state(seed=seed), random.Random(seed)):
            if state.is_terminal():
                continue
            legal = state.legal_actions()
            assert int(ops.policy(rules, state.record, 0, NO_WEIGHTS, stream)) in legal
            for action in random.Random(seed).sample(legal, min(3, len(legal))):
                probability = float(ops.likelihood(rules, state.record, action, 0, NO_WEIGHTS))
                assert probability == pytest.approx(1 / len(legal))
            illegal = PASS if PASS not in legal else 5
            assert ops.likelihood(rules, state.record, illegal, 0, NO_WEIGHTS) == 0 or illegal in legal


def test_number_of_moves_is_below_max_moves() -> None:
    """Hands built to have many moves have less than half of `MAX_MOVES`."""
    chance = random.Random(0)
    out = np.zeros(40_000, np.int32)
    hands = [dense_hand(chance, 20) for _ in range(400)] + ["333444555666789TJQKA", "33344455566677788899"]
    max_moves = max(
        int(move_generation.lead_moves(kernel_rules(ONLINE), np.uint64(hand_from_text(hand)), out)) for hand in hands
    )
    assert max_moves < move_generation.MAX_MOVES / 2
