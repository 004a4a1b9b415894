"""The recorder writes during play, overwrites nothing, resumes records, and refuses calls out of order."""

import math
import os
import pathlib
from typing import Any

import pytest

from cardgames.agents.agent import Decision
from cardgames.core.game_registry import make
from cardgames.records.record import read, replay
from cardgames.records.recorder import Recorder
from cardgames.support.errors import InvalidInput
from cardgames.uno.rules import BOOK
from tests.differences import assert_same_round
from tests.records.test_record import play


def test_recorder_does_not_overwrite_a_file(tmp_path: pathlib.Path) -> None:
    game, path = make("uno", players=2), tmp_path / "notes.txt"
    path.write_text("mine")
    with pytest.raises(InvalidInput, match=r"notes\.txt is not empty: choose another file"):
        Recorder(path, game, ["a", "b"], 0)
    assert path.read_text() == "mine"
    path.write_text("")
    for empty in (path, pathlib.Path(os.devnull)):
        with Recorder(empty, game, ["a", "b"], 0) as recorder:
            recorder.begin(game.new_initial_state(seed=1))
    assert len(read(path)) == 1


def test_second_recorder_of_a_new_file_is_refused(tmp_path: pathlib.Path) -> None:
    game, path = make("uno", players=2), tmp_path / "game.jsonl"
    state = game.new_initial_state(seed=1)
    first, second = (Recorder(path, game, [name, "b"], 0) for name in "ac")
    first.begin(state)
    with pytest.raises(InvalidInput, match="another program has changed"):
        second.begin(state)
    with first:
        first.begin(state)
    assert [played.names[0] for played in read(path)] == ["a", "a"]


def test_second_recorder_that_resumes_a_record_is_refused(tmp_path: pathlib.Path) -> None:
    game, path = make("uno", players=2), tmp_path / "game.jsonl"
    with Recorder(path, game, ["a", "b"], 0) as recorder:
        recorder.begin(game.new_initial_state(seed=1))
    state = replay(read(path)[0])
    first, second, third = recorders = [Recorder(path, game, ["a", "b"], 0, resume=True) for _ in range(3)]
    first.resume_round(state)
    second.resume_round(state)
    action = state.legal_actions()[0]
    state.apply_action(action)
    first.step(state, action)
    for call in (lambda: second.step(state, action), lambda: third.resume_round(state)):
        with pytest.raises(InvalidInput, match="another program has changed"):
            call()
    for recorder in recorders:
        recorder.close()
    assert len(read(path)[0].steps) == 1


def test_round_is_resumed_only_at_its_last_recorded_state(tmp_path: pathlib.Path) -> None:
    game, path = make("uno", players=2), tmp_path / "game.jsonl"
    state = game.new_initial_state(seed=1)
    with Recorder(path, game, ["a", "b"], 0) as recorder:
        recorder.begin(state)
    later = state.clone()
    later.apply_action(later.legal_actions()[0])
    others = [make("uno", players=2, rules="common").new_initial_state(seed=1), game.new_initial_state(seed=5), later]
    with Recorder(path, game, ["a", "b"], 0, resume=True) as recorder:
        for other in others[1:]:
            with pytest.raises(InvalidInput, match="is a different one, or is in another position"):
                recorder.resume_round(other)
        recorder.resume_round(state)
    with Recorder(path, others[0].game, ["a", "b"], 0, resume=True) as recorder:
        with pytest.raises(InvalidInput, match="is a different one"):
            recorder.resume_round(others[0])
    with Recorder(path, game, ["a", "b"], 0, resume=True) as recorder:
        recorder.resume_round(state)
        while not state.is_terminal():
            action = state.legal_actions()[-1]
            state.apply_action(action)
            recorder.step(state, action)
        recorder.end(state)
        with pytest.raises(InvalidInput, match="is over"):
            recorder.resume_round(state)
    assert replay(read(path)[0]).is_terminal() and len(read(path)) == 1


def test_empty_file_can_be_resumed(tmp_path: pathlib.Path) -> None:
    game, path = make("uno", players=2), tmp_path / "game.jsonl"
    path.write_text("\n")
    with Recorder(path, game, ["a", "b"], 0, resume=True) as recorder:
        recorder.begin(game.new_initial_state(seed=1))
    assert len(read(path)) == 1


@pytest.mark.parametrize("wrong", [math.nan, -3.0, 1.5])
def test_recorder_refuses_calls_out_of_order_and_drops_wrong_values(tmp_path: pathlib.Path, wrong: float) -> None:
    game = make("uno", 2, "rlcard")
    state, file = game.new_initial_state(seed=1), tmp_path / "x.jsonl"
    for names, seed, message in (
        (["a"], 1, "has 2 players, but there are 1: a"),
        (["a", "b"], None, "a seed is a whole number"),
    ):
        with pytest.raises(InvalidInput, match=message):
            Recorder(file, game, names, seed)  # type: ignore[arg-type]
    assert not file.exists()
    with Recorder(file, game, ["a", "b"], 1) as recorder:
        action = state.legal_actions()[0]
        with pytest.raises(InvalidInput, match="written during play"):
            recorder.step(state, action)
        recorder.begin(state)
        with pytest.raises(InvalidInput, match="written during play"):
            recorder.step(state, action)
        state.apply_action(action)
        with pytest.raises(InvalidInput, match="written during play"):
            recorder.step(state, action + 1)
        recorder.step(state, action, Decision(action, value=wrong))
    assert [step.value for step in read(file)[0].steps] == [None]


@pytest.mark.parametrize("names", ["ab", [1, 2], [None, "x"], ["a", "\x1b[31m"], ["a", "b\n"], 2])
def test_names_that_are_not_printable_texts_are_refused(tmp_path: pathlib.Path, names: Any) -> None:
    with pytest.raises(InvalidInput, match="names is a list of printable texts"):
        Recorder(tmp_path / "x.jsonl", make("uno", 2, "rlcard"), names, 1)


def test_names_with_unusual_letters_are_read_back(tmp_path: pathlib.Path) -> None:
    values = make("uno", 2, "rlcard").rules.to_dict()
    for name in ("a b", "caf\u00e9\u00a0house", "\u65e5\u672c", "\u200d", "tab\there"):
        game = make("uno", 2, BOOK.from_dict(values, name))
        path = tmp_path / f"{len(name)}-{ord(name[-1])}.jsonl"
        if "\t" in name:
            with pytest.raises(InvalidInput, match="the name of the rules is a printable text, not"):
                Recorder(path, game, ["a", "b"], 1)
        else:
            with Recorder(path, game, ["a", name], 1) as recorder:
                play(recorder, game, 1)
            assert read(path)[0].names == ["a", name]


def test_recorder_refuses_states_of_other_rounds_and_games(tmp_path: pathlib.Path) -> None:
    game, file = make("uno", 2, "rlcard"), tmp_path / "x.jsonl"
    other_games = make("uno", 2, "common"), make("uno", 3, "rlcard"), make("doudizhu")
    with Recorder(file, game, ["a", "b"], 1) as recorder:
        with pytest.raises(InvalidInput, match="written during play"):
            recorder.end(game.new_initial_state(7))
        for other_game in other_games:
            with pytest.raises(InvalidInput, match="cannot hold a round of"):
                recorder.begin(other_game.new_initial_state(7))
        over = play(recorder, game, 7)
        with pytest.raises(InvalidInput, match="written during play"):
            recorder.end(over)
        written = file.read_text()
        recorder.begin(game.new_initial_state(8))
        state, legal = game.new_initial_state(8), set(game.new_initial_state(8).legal_actions())
        other = next(s for s in map(game.new_initial_state, range(9, 99)) if legal & set(s.legal_actions()))
        action = min(legal & set(other.legal_actions()))
        other.apply_action(action)
        for wrong in (lambda: recorder.step(other, action), lambda: recorder.end(over)):
            with pytest.raises(InvalidInput, match="written during play"):
                wrong()
        state.apply_action(action)
        recorder.step(state, action)
    assert file.read_text().startswith(written) and len(file.read_text().splitlines()) == len(written.splitlines()) + 2
    for number, end in enumerate((over, state)):
        assert_same_round(replay(read(file)[number]), end, f"{file.name}, round {number}")
