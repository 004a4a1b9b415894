"""Tests of states and observations: history made on demand, copies, threads, processes, invalid arguments."""

import copy
import json
import os
import pickle
import random
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError, Event
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.core.events import ACTION, EventRow
from cardgames.core.game import Game
from cardgames.core.state import State
from cardgames.doudizhu.game import DouDiZhu
from cardgames.support.errors import InvalidInput
from cardgames.uno.game import Uno
from tests.core.toy import Highest
from tests.differences import assert_same_round

GAMES = [Uno(3, "official"), Uno(4, "common"), Uno(2, "rlcard"), DouDiZhu(), Highest(3)]


def play(state: State, seed: int, decisions: int) -> None:
    """Play random actions without reading the history."""
    chance = random.Random(seed)
    for _ in range(decisions):
        if legal := state.legal_actions():
            state.apply_action(chance.choice(legal))


def play_reading_history(state: State, seed: int, decisions: int) -> State:
    """Play the actions of `play`, reading the history after each and often continuing with a clone; return the end."""
    chance, rows = random.Random(seed), state.history()
    for step in range(decisions):
        if legal := state.legal_actions():
            state.apply_action(chance.choice(legal))
            state = state.clone() if step % 3 == 0 else state
            rows += state.history(len(rows))
    assert rows == state.history()
    return state


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}-{game.rules.name}")
@pytest.mark.parametrize("decisions", [0, 1, 30, 2500])
def test_history_read_at_the_end_equals_history_read_at_every_step(game: Game, decisions: int) -> None:
    unread = game.new_initial_state(seed=decisions)
    play(unread, 1, decisions)
    read = play_reading_history(game.new_initial_state(seed=decisions), 1, decisions)
    for seat in range(game.num_players):
        assert (unread.observation(seat).events == read.observation(seat).events).all()
    assert_same_round(unread, read, "unread history")


def test_clone_before_history_is_read_is_independent() -> None:
    state = Uno(2, "rlcard").new_initial_state(seed=3)
    play(state, 1, 5)
    copy = state.clone()
    play(copy, 2, 5)
    events = state.history()
    assert copy.history()[: len(events)] == events and len(copy.history()) > len(events)
    play(state, 1, 1)
    assert state.history()[: len(events)] == events


def test_clones_made_by_several_threads_have_same_history() -> None:
    with ThreadPoolExecutor(8) as pool:
        for seed in range(20):
            state, other = (Uno(2, "rlcard").new_initial_state(seed=seed) for _ in range(2))
            play(state, seed, 40)
            copies = list(pool.map(lambda _, state=state: state.clone().history(), range(8)))
            assert copies == [play_reading_history(other, seed, 40).history()] * 8


def test_thread_may_observe_while_another_plays() -> None:
    def observe(state: State) -> None:
        while not state.is_terminal():
            seen = state.observation(0)
            held = {card for card in range(60) if int(seen.record.once[0]) >> card & 1}
            laid = {action for action in seen.legal_actions if action < 60 and action % 15 < 13}
            assert laid <= held

    with ThreadPoolExecutor(1) as pool:
        for seed in range(20):
            state, other = (Uno(2, "rlcard").new_initial_state(seed=seed) for _ in range(2))
            asking = pool.submit(observe, state)
            play(state, seed, 1000)
            asking.result()
            assert_same_round(state, play_reading_history(other, seed, 1000), f"round of seed {seed}")


def test_same_action_from_two_threads_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    state, met, verb = Uno(3, "rlcard").position(hands=["r5 r5 r6", 5, 5], top="r7"), Barrier(2), ops.is_legal

    def is_legal_when_both_ask(*args: Any) -> bool:
        legal = bool(verb(*args))
        with suppress(BrokenBarrierError):
            met.wait(0.2)
        return legal

    def play_five(_: int) -> bool:
        try:
            state.apply_action(5, player=0)
        except InvalidInput as error:
            return "seat 0 is not to move" not in str(error)
        return True

    monkeypatch.setattr(ops, "is_legal", is_legal_when_both_ask)
    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(play_five, range(2))) == [False, True]
    assert [row[2] for row in state.history() if row[0] == ACTION] == [5]
    assert state.current_player() == 1 and state.to_dict()["hands"][0] == "r5 r6"


def test_failed_action_is_not_in_history(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise MemoryError

    state = Uno(2, "rlcard").new_initial_state(seed=3)
    before = state.history()
    with monkeypatch.context() as patched, pytest.raises(MemoryError):
        patched.setattr(ops, "apply_action", fails)
        state.apply_action(state.legal_actions()[0])
    assert state.history() == before


def test_action_played_before_ctrl_c_is_in_history(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: Any) -> None:
        verb(*args)
        raise KeyboardInterrupt

    state, other = (Uno(2, "rlcard").new_initial_state(seed=3) for _ in range(2))
    verb, action = ops.apply_action, state.legal_actions()[0]
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(ops, "apply_action", interrupted)
        state.apply_action(action)
    other.apply_action(action)
    assert_same_round(state, other, "interrupted")


def test_deepcopy_of_observation_has_its_own_arrays() -> None:
    seen = Uno(2, "rlcard").new_initial_state(seed=3).observation()
    restored = copy.deepcopy(seen)
    assert restored == seen and hash(restored) == hash(seen) and restored.game is seen.game
    restored.events[0] = -1
    restored.record.direction, restored.origin.direction = -1, -1
    assert seen.events[0, 0] != -1 and seen.record.direction == seen.origin.direction == 1


def test_copies_keep_added_attributes() -> None:
    state: Any = Uno(2, "rlcard").new_initial_state(seed=3)
    state.note = 5
    for restored in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert restored.note == 5
        assert_same_round(restored, state, "copy")


def test_action_events_may_read_history_of_another_round() -> None:
    class Asking(Uno):
        def action_events(self, before: Any, action: int, after: Any) -> list[EventRow]:
            self.new_initial_state(seed=1).history()
            return super().action_events(before, action, after)

    state = Asking(2, "rlcard").new_initial_state(seed=3)
    play(state, 1, 3)
    assert len(state.history()) > 3


def test_pickled_state_has_no_pending_actions() -> None:
    state, other = (Uno(4, "official").new_initial_state(seed=1) for _ in range(2))
    play(state, 1, 200)
    play(other, 1, 200)
    other.history()
    assert pickle.dumps(state) == pickle.dumps(other)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_process_forked_while_a_thread_plays_can_play() -> None:
    state, other = (Uno(2, "rlcard").new_initial_state(seed=seed) for seed in (1, 2))
    done = Event()

    def keep_playing() -> None:
        while not done.is_set():
            play(other.clone(), 1, 20)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(keep_playing)
        try:
            for _ in range(10):
                child = os.fork()
                if child == 0:
                    signal.alarm(20)
                    state.apply_action(state.legal_actions()[0])
                    os._exit(0)
                assert os.waitpid(child, 0)[1] == 0
        finally:
            done.set()


def test_observations_with_equal_data_are_equal() -> None:
    state = Uno(2, "rlcard").new_initial_state(seed=1)
    seen, same = state.observation(), state.clone().observation()
    assert seen == same and {seen: "found"}[same] == "found"
    assert seen != state.observation(1 - seen.player) and seen != "an observation"
    assert seen != Uno(2, "rlcard-2022").new_initial_state(seed=1).observation()
    state.apply_action(state.legal_actions()[0])
    assert seen != state.observation(seen.player)


@pytest.mark.parametrize("game", GAMES[:4], ids=lambda game: f"{game.name}-{game.rules.name}")
def test_observation_to_dict_since_omits_earlier_events(game: Game) -> None:
    state = game.new_initial_state(seed=1)
    before = len(state.observation(0).events)
    play(state, 1, 6)
    seen = state.observation(np.int64(0))
    whole, later = seen.to_dict(), json.loads(json.dumps(seen.to_dict(since=before)))
    assert later["history"] == whole["history"][before:] and len(later["history"]) > 0
    assert {**later, "history": 0} == {**whole, "history": 0}
    for invalid in (-1, len(seen.events) + 1, "1"):
        with pytest.raises(InvalidInput, match="since is a whole number from 0 to"):
            seen.to_dict(invalid)  # type: ignore[arg-type]


def test_action_out_of_turn_is_refused_without_listing_legal_actions() -> None:
    state = Uno(3, "rlcard").new_initial_state(seed=1)
    mover, action = state.current_player(), state.legal_actions()[0]
    with pytest.raises(InvalidInput, match=r"^seat \d is not to move$"):
        state.apply_action(action, (mover + 1) % 3)
    for invalid in (3, True, 1.0):
        with pytest.raises(InvalidInput, match="player is a seat from 0 to 2, not"):
            state.apply_action(action, invalid)  # type: ignore[arg-type]
    state.apply_action(action, player=mover)
    assert len(state.history()) > 22
    play(state, 1, 10_000)
    with pytest.raises(InvalidInput, match=r"^the round is over$"):
        state.apply_action(action, player=mover)


@pytest.mark.parametrize("game", GAMES[:4:3], ids=lambda game: game.name)
def test_event_to_string_refuses_invalid_rows(game: Game) -> None:
    invalid_rows: list[Any] = [None, [], "r5", [0, 1], [99, 0, 0], [1.5, 0, 0], [0, "a", 0]]
    invalid_rows += {
        "doudizhu": [[1, 0, 99], [1, 0, -50], [4, 0, -1], [4, 0, 99999], [4, 0, 0xFFF]],
        "uno": [[1, 0, 60], [1, 0, -7], [3, 0, 100], [6, -1, 9], [6, -1, -1]],
    }[game.name]
    for invalid in invalid_rows:
        with pytest.raises(InvalidInput, match="event"):
            game.event_to_string(invalid)


def test_history_refuses_start_out_of_range() -> None:
    state = Uno(2, "rlcard").new_initial_state(seed=1)
    for start in ("x", -1, len(state.history()) + 1):
        with pytest.raises(InvalidInput, match="start is a whole number from 0 to"):
            state.history(start)  # type: ignore[arg-type]


def test_observation_of_finished_round_needs_a_seat() -> None:
    state = Uno(2, "rlcard").new_initial_state(seed=1)
    play(state, 1, 10_000)
    assert state.is_terminal()
    for observe in (state.observation, lambda: state.game.encode(state, "4x4x15")):
        with pytest.raises(InvalidInput, match="the round is over: name the seat to observe it"):
            observe()


@pytest.mark.parametrize("name", ["uno", "doudizhu"])
def test_determinization_from_seed_of_deal_reveals_no_hidden_cards(name: str) -> None:
    """Both seeds are 0 by default."""
    game = cardgames.make(name)
    shared = {"same": 0, "other": 0}
    for seed in range(100):
        state = game.new_initial_state(seed=seed)
        observation = state.observation(1)
        for label, drawn_from in (("same", seed), ("other", seed + 1000)):
            guess = game.determinize(observation, drawn_from)
            true, drawn = (Counter(_cards(game.hands_of(position.record)[0])) for position in (state, guess))
            shared[label] += (true & drawn).total()
    assert shared["same"] < 1.3 * shared["other"]


def _cards(hand: str) -> list[str]:
    """Return the cards of a hand written as text, with blanks (Uno) or without (Dou Di Zhu)."""
    return hand.split() if " " in hand else [*hand]
