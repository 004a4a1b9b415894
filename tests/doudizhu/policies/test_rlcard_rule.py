"""`rlcard-rule`, decision by decision against RLCard's doudizhu-rule-v1 itself."""

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


class Choices(list[list[str]]):
    """Stands for NumPy's random module inside RLCard: notes what was drawn from, and takes the first."""

    def choice(self, actions: list[str]) -> str:
        self.append(list(actions))
        return actions[0]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Choices:
    """What RLCard's agent draws from."""
    found = Choices()
    numpy = type("Numpy", (), {"random": found})
    monkeypatch.setattr(doudizhu_rule_models, "np", numpy)
    return found


def check(raw: dict[str, Any], drawn: Choices, stream: Any) -> str:
    """Our decision is theirs, or drawn from the same; theirs is returned."""
    drawn.clear()
    theirs = DouDizhuRuleAgentV1().step({"raw_obs": raw})
    played = [text for _, text in raw["trace"]]
    leading = not played or played[-2:] == ["pass", "pass"]
    last = PASS if leading else parse_action(next(text for text in reversed(played) if text != "pass"), RLCARD)

    def ours() -> str:
        hand = np.uint64(hand_from_text(raw["current_hand"]))
        settled = deterministic_move(kernel_rules(RLCARD), hand, last, int(raw["self"] == UP))
        return action_text(int(settled if settled >= 0 else random_reply(kernel_rules(RLCARD), hand, last, stream)))

    if drawn:
        assert {ours() for _ in range(40 * len(drawn[0]))} == set(drawn[0]), raw
    else:
        assert ours() == theirs, raw
    return str(theirs)


def test_games_are_played_as_rlcard_plays_them(drawn: Choices) -> None:
    """A quarter of the moves are random, so that every form has to be answered."""
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


def listed(hand: str, last: int) -> list[str]:
    """The replies in RLCard's order: the target's own type by weight, then the rocket and bombs."""
    texts = {action_text(action) for action in replies(RLCARD, hand, last)}
    own = {kind for kind, _ in CARD_TYPE[0][action_text(last)]}
    kinds = [*own, *({"rocket", "bomb"} - own)]
    return ["pass", *(text for kind in kinds for found in TYPE_CARD[kind].values() for text in found if text in texts)]


def test_replies_to_every_form_are_those_of_rlcard(drawn: Choices) -> None:
    chance, stream = random.Random(0), rng.stream(0)
    for form in np.unique(MOVE_TABLE.form_ranks[allowed_moves(RLCARD)] >> 4):
        lasts = [action for action in allowed_moves(RLCARD) if MOVE_TABLE.form_ranks[action] >> 4 == form]
        for last in map(int, chance.choices(lasts, k=20)):
            for hand in (any_hand(chance, 20), dense_hand(chance, 20), dense_hand(chance, 17)):
                seat = chance.randrange(3)
                trace = [((seat + 1) % 3, action_text(last)), ((seat + 2) % 3, "pass")]
                raw = {"current_hand": hand, "trace": trace, "landlord": LANDLORD, "self": seat}
                check({**raw, "actions": listed(hand, last)}, drawn, stream)


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
def test_the_group_of_the_lowest_card_is_led(hand: str, lead: str) -> None:
    action = deterministic_move(kernel_rules(RLCARD), np.uint64(hand_from_text(hand)), PASS, 0)
    assert action_text(int(action)) == lead
