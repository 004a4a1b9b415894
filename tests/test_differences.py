"""Tests of the comparing assertions: they accept equal values, and name the seat, line or field that differs."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from tests.differences import (
    assert_same_counts,
    assert_same_observation,
    assert_same_round,
    assert_same_transcript,
    difference,
)
from tests.observations import assert_same_for

GAME = cardgames.make("uno", players=3, rules="rlcard")


def position(**parts: Any) -> cardgames.State:
    """Return a position in which seat 0 is to move."""
    return GAME.position(**({"hands": ["r1 r2", "g5", "b7"], "top": "r9", "seed": 1} | parts))


@pytest.mark.parametrize(
    ("actual", "expected", "message"),
    [
        (1, 1, None),
        (1, 2, "x: 1 != 2"),
        ({"a": [1, {"b": "r5"}]}, {"a": [1, {"b": "r7"}]}, "x.a[1].b: 'r5' != 'r7'"),
        ({"a": 1}, {"a": 1, "b": 2}, "x.b: nothing != 2"),
        ({"a": 1, "b": 2}, {"a": 1}, "x.b: 2 != nothing"),
        ([1, 2], [1, 2, 3], "x[2]: nothing != 3"),
        ((1, 2), [1, 2], "x: (1, 2) != [1, 2]"),
        (np.array([[1, 2], [3, 4]]), np.array([[1, 2], [3, 5]]), "x[1, 1]: 4 != 5"),
        (np.zeros(2, np.int8), np.zeros(3, np.int8), "x: 'int8 (2,)' != 'int8 (3,)'"),
        (np.zeros(2, np.int8), np.zeros(2, np.int8), None),
        (cardgames.Limit(simulations=3), cardgames.Limit(simulations=4), "x.simulations: 3 != 4"),
        ("a" * 200, "b", f"x: '{'a' * 76}... != 'b'"),
    ],
)
def test_difference_names_the_first_place_and_both_values(actual: Any, expected: Any, message: str | None) -> None:
    assert difference(actual, expected, "x") == message


def test_difference_of_records_names_the_field() -> None:
    actual, expected = position().record, position().record
    assert difference(actual, expected, "seat 0") is None
    actual.counts[1] = 5
    assert difference(actual, expected, "seat 0") == "seat 0.counts[1]: 5 != 1"
    states = np.zeros(2, GAME.state_dtype), np.zeros(2, GAME.state_dtype)
    states[0][1]["top"] = 7
    assert difference(*states, "particles") == "particles[1].top: 7 != 0"


def test_difference_of_observations_names_the_seat_and_the_field() -> None:
    state = position()
    seen = state.observation(1)
    assert_same_observation(state.clone().observation(1), seen)
    record = seen.record.copy()
    record.direction = -1
    rows = seen.events.copy()
    rows[2, 1] = 9
    for changes, message in (
        ({"record": record}, "seat 1, record.direction: -1 != 1"),
        ({"legal_actions": (3,)}, "seat 1, legal_actions[0]: 3 != nothing"),
        ({"events": rows}, f"seat 1, events[2, 1]: 9 != {seen.events[2, 1]}"),
    ):
        with pytest.raises(AssertionError, match=f"^{re.escape(message)}$"):
            assert_same_observation(replace(seen, **changes), seen)


def test_difference_in_a_visible_card_names_the_seat_and_the_field() -> None:
    state, other = position(), position(hands=["r1 r2", "g6", "b7"])
    assert_same_for(state, other, 0, ["reflex", "random"])
    with pytest.raises(AssertionError, match=r"^seat 1, record\.once\[1\]: \d+ != \d+$"):
        assert_same_for(state, other, 1, [])


def test_difference_by_hidden_cards_names_the_encoding_or_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    state, other = position(), position(hands=["r1 r2", "g6", "b7"])

    class Cheat:
        def act(self, observation: cardgames.Observation) -> cardgames.Decision:
            return cardgames.Decision(observation.legal_actions[next(numbers)])

    numbers = iter((1, 0))
    with monkeypatch.context() as patched, pytest.raises(AssertionError, match=r"^seat 0, action of cheat: 2 != 1$"):
        patched.setattr(cardgames, "agent", lambda *_, **__: Cheat())
        assert_same_for(state, other, 0, ["cheat"])
    encode = ops.encode

    def leaking(rules: Any, record: Any, player: int, encoding_id: int, out: Any) -> int:
        symmetry_id = encode(rules, record, player, encoding_id, out)
        out[3] = next(numbers)
        return int(symmetry_id)

    numbers = iter((7, 8))
    first = next(iter(GAME.encodings))
    with (
        monkeypatch.context() as patched,
        pytest.raises(AssertionError, match=rf"^seat 0, encoding {first}\[.*\]: 7 != 8$"),
    ):
        patched.setattr(ops, "encode", leaking)
        assert_same_for(state, other, 0, [])


def test_difference_of_rounds_names_the_event_or_the_field() -> None:
    state, other = position(), position()
    for text in ("r1", "draw"):
        state.apply_action(GAME.parse_action(text))
        assert_same_round(state, state.clone(), "x")
    with pytest.raises(AssertionError, match=r"^x line \d+, ply 0: 'seat 0: r1' != nothing$"):
        assert_same_round(state, other, "x")
    other.apply_action(GAME.parse_action("r2"))
    with pytest.raises(AssertionError, match=r"^x line \d+, ply 0: 'seat 0: r1' != 'seat 0: r2'$"):
        assert_same_round(state, other, "x")
    later = state.clone()
    later.record.direction = -1
    with pytest.raises(AssertionError, match=r"^x, ply 2\.direction: -1 != 1$"):
        assert_same_round(later, state, "x")


def test_difference_from_a_golden_file_names_the_line_or_the_depth(tmp_path: Path) -> None:
    golden = tmp_path / "uno-official.txt"
    golden.write_text("seat 0 is dealt r5\nseat 0: r5\nseat 1: r7\nreturns [1.0, -1.0]\n")
    assert_same_transcript(golden.read_text(), golden)
    with pytest.raises(AssertionError, match=r"^uno-official\.txt line 3, ply 1: 'seat 1: r6' != 'seat 1: r7'$"):
        assert_same_transcript(golden.read_text().replace("r7", "r6"), golden)
    with pytest.raises(AssertionError, match=r"^uno-official\.txt line 5, ply 2: 'more' != nothing$"):
        assert_same_transcript(golden.read_text() + "more\n", golden)
    assert_same_counts([8, 22], [8, 22], "uno-counts.json, official")
    with pytest.raises(AssertionError, match=r"^uno-counts\.json, official, action sequences at depth 2: 23 != 22$"):
        assert_same_counts([8, 23], [8, 22], "uno-counts.json, official")
