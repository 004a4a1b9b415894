"""Encodings tell what a seat's observation tells, and no more; those that cheat say so in their names.

`check_game` asks the same of positions with a seat to move; here rounds have a past, and any seat looks. What an observation
itself tells is tested with each game.
"""

import random

import numpy as np
import pytest

import cardgames
from cardgames.core.game_registry import game_class


def test_what_was_seen_at_another_table_is_refused() -> None:
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
    assert uno.encode(same.new_initial_state(seed=1), "4x4x15").any(), "a game made twice is the same"


_TABLES = [(name, rules) for name in ("uno", "doudizhu") for rules in game_class(name).rule_book.presets]


@pytest.mark.parametrize(("name", "rules"), _TABLES)
def test_what_a_seat_may_not_know_is_in_no_encoding_that_does_not_cheat(name: str, rules: str) -> None:
    game = cardgames.make(name, players=3, rules=rules)
    state, chance = game.new_initial_state(seed=2), random.Random(1)
    told, dealt_anew = set(), 0
    for _ in range(60):
        if state.is_terminal():
            break
        seat = chance.randrange(3)
        other = game.determinize(state.observation(seat), chance.getrandbits(60))
        dealt_anew += other.record.tobytes() != state.record.tobytes()
        for encoding in game.encodings:
            true, guessed = (game.encode(position, encoding, player=seat) for position in (state, other))
            if not np.array_equal(true, guessed):
                told.add(encoding)
        state.apply_action(chance.choice(state.legal_actions()))
    assert dealt_anew
    assert told == {encoding for encoding in game.encodings if encoding.startswith("cheating-")}
