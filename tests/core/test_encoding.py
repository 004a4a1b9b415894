"""Encodings tell what a seat's observation tells, and no more; those that cheat say so in their names."""

import random

import numpy as np
import pytest

import cardgames

_TABLES = [
    ("uno", "rlcard", 3),
    ("uno", "rlcard-2022", 2),
    ("uno", "common", 4),
    ("uno", "official", 2),
    ("uno", "simplified", 3),
    ("doudizhu", "classic", 3),
    ("doudizhu", "douzero", 3),
]


@pytest.mark.parametrize(("name", "rules", "players"), _TABLES)
def test_what_a_seat_may_not_know_is_in_no_encoding_that_does_not_cheat(name: str, rules: str, players: int) -> None:
    game = cardgames.make(name, players=players, rules=rules)
    state, chance = game.new_initial_state(seed=2), random.Random(1)
    told = set()
    for _ in range(60):
        if state.is_terminal():
            break
        seat = chance.randrange(players)
        other = game.determinize(state.observation(seat), chance.getrandbits(60))
        for encoding in game.encodings:
            true, guessed = (game.encode(position, encoding, player=seat) for position in (state, other))
            if not np.array_equal(true, guessed):
                told.add(encoding)
        state.apply_action(chance.choice(state.legal_actions()))
    assert told == {encoding for encoding in game.encodings if encoding.startswith("cheating-")}
