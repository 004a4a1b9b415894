"""Tests of encodings: they contain nothing that is hidden from the seat, except those named `cheating-...`.

`check_game` tests the same for the seat to move at positions without a past. Here rounds have a past, and any seat
observes. Observations themselves are tested with each game.
"""

import random

import numpy as np
import pytest

import cardgames
from cardgames.core.game_registry import game_class


def test_encode_refuses_observations_and_states_of_other_games() -> None:
    uno, rules, doudizhu = cardgames.make("uno", 2), cardgames.make("uno", 2, "rlcard"), cardgames.make("doudizhu", 3)
    for other in (cardgames.make("uno", 3), rules, doudizhu):
        state = other.new_initial_state(seed=1)
        with pytest.raises(cardgames.InvalidInput, match=r"an observation of .* is not one of"):
            uno.encode(state.observation(), "4x4x15")
        with pytest.raises(cardgames.InvalidInput, match=r"a state of .* is not one of"):
            uno.encode(state, "4x4x15")
    with pytest.raises(cardgames.InvalidInput, match="None is not an observation"):
        uno.encode(None, "4x4x15")  # type: ignore[arg-type]
    same = cardgames.make("uno", 2)
    assert uno.encode(same.new_initial_state(seed=1), "4x4x15").any(), "two games made alike are the same"


_TABLES = [(name, rules) for name in ("uno", "doudizhu") for rules in game_class(name).rule_book.presets]


@pytest.mark.parametrize(("name", "rules"), _TABLES)
def test_only_cheating_encodings_depend_on_hidden_cards(name: str, rules: str) -> None:
    game = cardgames.make(name, players=3, rules=rules)
    state, chance = game.new_initial_state(seed=2), random.Random(1)
    leaking, redealt = set(), 0
    for _ in range(60):
        if state.is_terminal():
            break
        seat = chance.randrange(3)
        other = game.determinize(state.observation(seat), chance.getrandbits(60))
        redealt += other.record.tobytes() != state.record.tobytes()
        for encoding in game.encodings:
            true, guessed = (game.encode(position, encoding, player=seat) for position in (state, other))
            if not np.array_equal(true, guessed):
                leaking.add(encoding)
        state.apply_action(chance.choice(state.legal_actions()))
    assert redealt
    assert leaking == {encoding for encoding in game.encodings if encoding.startswith("cheating-")}
