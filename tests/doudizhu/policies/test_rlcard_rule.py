"""Tests of `rlcard-rule`: every decision compared with RLCard's doudizhu-rule-v1."""

import random
from typing import Any

import numpy as np
import pytest
import rlcard
from rlcard.games.doudizhu.utils import CARD_TYPE, TYPE_CARD
from rlcard.models import doudizhu_rule_models
from rlcard.models.doudizhu_rule_models import DouDizhuRuleAgentV1

from cardgames.doudizhu.cards import hand_from_text
from cardgames.doudizhu.moves.move_sampling import random_reply
from cardgames.doudizhu.moves.move_table import MOVE_TABLE, PASS, allowed_moves
from cardgames.doudizhu.notation import action_text, parse_action
from cardgames.doudizhu.policies.rlcard_rule import deterministic_move
from cardgames.doudizhu.rules import RLCARD, kernel_rules
from cardgames.kernels import rng
from tests.doudizhu.hand_helpers import any_hand, dense_hand, replies

LANDLORD, UP = 0, 2


class RecordedDraws(list[list[str]]):
    """Stand-in for NumPy's random module in RLCard: records the options of each draw and returns the first."""

    def choice(self, actions: list[str]) -> str:
        self.append(list(actions))
        return actions[0]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> RecordedDraws:
    """Record of the draws of RLCard's agent."""
    draws = RecordedDraws()
    numpy = type("Numpy", (), {"random": draws})
    monkeypatch.setattr(doudizhu_rule_models, "np", numpy)
    return draws


def check(raw: dict[str, Any], drawn: RecordedDraws, stream: Any) -> str:
    """Assert that our decision equals RLCard's, or is drawn from the same options; return RLCard's."""
    drawn.clear()
    theirs = DouDizhuRuleAgentV1().step({"raw_obs": raw})
    past_actions = [text for _, text in raw["trace"]]
    leading = not past_actions or past_actions[-2:] == ["pass", "pass"]
    last = PASS if leading else parse_action(next(text for text in reversed(past_actions) if text != "pass"), RLCARD)

    def ours() -> str:
        hand = np.uint64(hand_from_text(raw["current_hand"]))
        move = deterministic_move(kernel_rules(RLCARD), hand, last, int(raw["self"] == UP))
        return action_text(int(move if move >= 0 else random_reply(kernel_rules(RLCARD), hand, last, stream)))

    if drawn:
        assert {ours() for _ in range(40 * len(drawn[0]))} == set(drawn[0]), raw
    else:
        assert ours() == theirs, raw
    return str(theirs)


def test_decisions_in_whole_games_match_rlcard(drawn: RecordedDraws) -> None:
    """A quarter of the actions are random, so that every form has to be answered."""
    env = rlcard.make("doudizhu", config={"seed": 0})
    chance, stream = random.Random(0), rng.stream(0)
    for _ in range(60):
        state, _player = env.reset()
        while not env.is_over():
            raw = state["raw_obs"]
            action = check(raw, drawn, stream)
            if drawn or chance.random() < 0.25:
                action = chance.choice(sorted(raw["actions"]))
            state, _player = env.step(action, raw_action=True)


def rlcard_actions(hand: str, last: int) -> list[str]:
    """Return the replies in RLCard's order: the type of the move to beat by weight, then the rocket and bombs."""
    texts = {action_text(action) for action in replies(RLCARD, hand, last)}
    own_types = {card_type for card_type, _ in CARD_TYPE[0][action_text(last)]}
    types = [*own_types, *({"rocket", "bomb"} - own_types)]
    return [
        "pass",
        *(text for card_type in types for draws in TYPE_CARD[card_type].values() for text in draws if text in texts),
    ]


def test_replies_to_every_form_match_rlcard(drawn: RecordedDraws) -> None:
    chance, stream = random.Random(0), rng.stream(0)
    for form in np.unique(MOVE_TABLE.form_ranks[allowed_moves(RLCARD)] >> 4):
        lasts = [action for action in allowed_moves(RLCARD) if MOVE_TABLE.form_ranks[action] >> 4 == form]
        for last in map(int, chance.choices(lasts, k=20)):
            for hand in (any_hand(chance, 20), dense_hand(chance, 20), dense_hand(chance, 17)):
                seat = chance.randrange(3)
                trace = [((seat + 1) % 3, action_text(last)), ((seat + 2) % 3, "pass")]
                raw = {"current_hand": hand, "trace": trace, "landlord": LANDLORD, "self": seat}
                check({**raw, "actions": rlcard_actions(hand, last)}, drawn, stream)


@pytest.mark.parametrize(
    ("hand", "lead"),
    [
        ("BR", "BR"),
        ("3BR", "3"),
        ("3333444", "3333"),
        ("333444555", "333444555"),
        ("33356789", "333"),
        ("33456678", "345678"),
        ("334455667", "34567"),
        ("3344556677", "34567"),
        ("AAA222", "AAA"),
        ("22B", "22"),
    ],
)
def test_leads_group_of_lowest_card(hand: str, lead: str) -> None:
    action = deterministic_move(kernel_rules(RLCARD), np.uint64(hand_from_text(hand)), PASS, 0)
    assert action_text(int(action)) == lead
