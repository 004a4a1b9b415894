"""Tests of outcome classes: under all rules a class pays what the round paid."""

import random

import numpy as np
import pytest

from cardgames.core import ops
from cardgames.doudizhu.auction_model.outcomes import (
    ENDINGS,
    FIRST_LOST_OUTCOME,
    MAX_BOMBS,
    NUM_OUTCOMES,
    outcome_class,
    outcome_payoffs,
)
from cardgames.doudizhu.game import DouDiZhu
from cardgames.kernels import rng
from tests.doudizhu.hand_helpers import choose_rules


@pytest.mark.parametrize("name", ["random", "frugal"])
def test_payoffs_of_the_outcome_class_are_those_of_the_round(name: str) -> None:
    seen = set()
    for seed in range(150):
        game, stream = DouDiZhu(rules=choose_rules(random.Random(seed).choice)), rng.stream(seed)
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            state.apply_action(int(ops.policy(game.kernel_rules, state.record, *game.policy(name), stream)))
        if not state.winners() or state.record.bombs > MAX_BOMBS:
            continue
        outcome = outcome_class(state.record)
        seen.add(outcome)
        assert (outcome < FIRST_LOST_OUTCOME) == (int(state.record.landlord) in state.winners())
        for seat in range(3):
            paid, copy = np.empty(NUM_OUTCOMES), state.clone().record
            outcome_payoffs(game.kernel_rules, copy, np.int64(seat), paid)
            assert paid[outcome] == state.returns()[seat], (game.rules.to_dict(), ENDINGS[outcome // 8])
    assert len(seen) > 5
