"""Rounds as Python objects tell the same history however often they are asked for it."""

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

GAMES = [Uno(3, "official"), Uno(4, "common"), Uno(2, "rlcard"), DouDiZhu(), Highest(3)]


def play(state: State, seed: int, decisions: int) -> None:
    """Play at random, asking for nothing but legal actions."""
    chance = random.Random(seed)
    for _ in range(decisions):
        if legal := state.legal_actions():
            state.apply_action(chance.choice(legal))


def told_at_every_step(state: State, seed: int, decisions: int) -> State:
    """The same round, its history asked for after each action, now and then of a copy that goes on in its place."""
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
def test_a_history_told_late_is_that_told_at_every_step(game: Game, decisions: int) -> None:
    late = game.new_initial_state(seed=decisions)
    play(late, 1, decisions)
    soon = told_at_every_step(game.new_initial_state(seed=decisions), 1, decisions)
    for seat in range(game.num_players):
        assert (late.observation(seat).events == soon.observation(seat).events).all()
    assert late.history() == soon.history() and late.to_dict() == soon.to_dict()


def test_a_copy_made_before_anybody_asked_goes_its_own_way() -> None:
    state = Uno(2, "rlcard").new_initial_state(seed=3)
    play(state, 1, 5)
    copy = state.clone()
    play(copy, 2, 5)
    known = state.history()
    assert copy.history()[: len(known)] == known and len(copy.history()) > len(known)
    play(state, 1, 1)
    assert state.history()[: len(known)] == known


def test_threads_that_copy_a_round_at_once_have_one_history() -> None:
    with ThreadPoolExecutor(8) as pool:
        for seed in range(20):
            state, told = (Uno(2, "rlcard").new_initial_state(seed=seed) for _ in range(2))
            play(state, seed, 40)
            copies = list(pool.map(lambda _, state=state: state.clone().history(), range(8)))
            assert copies == [told_at_every_step(told, seed, 40).history()] * 8


def test_a_thread_may_ask_while_another_plays() -> None:
    def ask(state: State) -> None:
        while not state.is_terminal():
            seen = state.observation(0)
            held = {card for card in range(60) if int(seen.record.once[0]) >> card & 1}
            laid = {action for action in seen.legal_actions if action < 60 and action % 15 < 13}
            assert laid <= held

    with ThreadPoolExecutor(1) as pool:
        for seed in range(20):
            state, told = (Uno(2, "rlcard").new_initial_state(seed=seed) for _ in range(2))
            asking = pool.submit(ask, state)
            play(state, seed, 1000)
            asking.result()
            assert state.history() == told_at_every_step(told, seed, 1000).history()


def test_an_action_that_two_threads_ask_for_at_once_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    state, met, verb = Uno(3, "rlcard").position(hands=["r5 r5 r6", 5, 5], top="r7"), Barrier(2), ops.is_legal

    def once_both_ask(*given: Any) -> bool:
        found = bool(verb(*given))
        with suppress(BrokenBarrierError):
            met.wait(0.2)
        return found

    def ask(_: int) -> bool:
        try:
            state.apply_action(5, player=0)
        except InvalidInput as error:
            return "seat 0 is not to move" not in str(error)
        return True

    monkeypatch.setattr(ops, "is_legal", once_both_ask)
    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(ask, range(2))) == [False, True]
    assert [row[2] for row in state.history() if row[0] == ACTION] == [5]
    assert state.current_player() == 1 and state.to_dict()["hands"][0] == "r5 r6"


def test_what_was_not_played_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise MemoryError

    state = Uno(2, "rlcard").new_initial_state(seed=3)
    told = state.history()
    with monkeypatch.context() as patched, pytest.raises(MemoryError):
        patched.setattr(ops, "apply_action", fails)
        state.apply_action(state.legal_actions()[0])
    assert state.history() == told


def test_what_was_played_before_ctrl_c_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: Any) -> None:
        verb(*given)
        raise KeyboardInterrupt

    state, other = (Uno(2, "rlcard").new_initial_state(seed=3) for _ in range(2))
    verb, action = ops.apply_action, state.legal_actions()[0]
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(ops, "apply_action", interrupted)
        state.apply_action(action)
    other.apply_action(action)
    assert state.history() == other.history() and state.to_dict() == other.to_dict()


def test_a_copy_of_an_observation_has_arrays_of_its_own() -> None:
    seen = Uno(2, "rlcard").new_initial_state(seed=3).observation()
    again = copy.deepcopy(seen)
    assert again == seen and hash(again) == hash(seen) and again.game is seen.game
    again.events[0] = -1
    again.record.direction, again.origin.direction = -1, -1
    assert seen.events[0, 0] != -1 and seen.record.direction == seen.origin.direction == 1


def test_copies_keep_what_was_added_to_a_round() -> None:
    state: Any = Uno(2, "rlcard").new_initial_state(seed=3)
    state.note = 5
    for again in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert again.note == 5 and again.to_dict() == state.to_dict()


def test_a_game_may_ask_another_round_while_it_tells() -> None:
    class Asking(Uno):
        def action_events(self, before: Any, action: int, after: Any) -> list[EventRow]:
            self.new_initial_state(seed=1).history()
            return super().action_events(before, action, after)

    state = Asking(2, "rlcard").new_initial_state(seed=3)
    play(state, 1, 3)
    assert len(state.history()) > 3


def test_a_round_that_nobody_asked_is_small_in_another_process() -> None:
    state, told = (Uno(4, "official").new_initial_state(seed=1) for _ in range(2))
    play(state, 1, 200)
    play(told, 1, 200)
    told.history()
    assert pickle.dumps(state) == pickle.dumps(told)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_process_forked_while_a_thread_plays_plays_on() -> None:
    state, other = (Uno(2, "rlcard").new_initial_state(seed=seed) for seed in (1, 2))
    done = Event()

    def go_on() -> None:
        while not done.is_set():
            play(other.clone(), 1, 20)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(go_on)
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


def test_observations_are_equal_if_they_tell_the_same() -> None:
    state = Uno(2, "rlcard").new_initial_state(seed=1)
    seen, same = state.observation(), state.clone().observation()
    assert seen == same and {seen: "found"}[same] == "found"
    assert seen != state.observation(1 - seen.player) and seen != "an observation"
    assert seen != Uno(2, "rlcard-2022").new_initial_state(seed=1).observation()
    state.apply_action(state.legal_actions()[0])
    assert seen != state.observation(seen.player)


@pytest.mark.parametrize("game", GAMES[:4], ids=lambda game: f"{game.name}-{game.rules.name}")
def test_an_observation_as_plain_data_may_leave_out_what_was_told_before(game: Game) -> None:
    state = game.new_initial_state(seed=1)
    before = len(state.observation(0).events)
    play(state, 1, 6)
    seen = state.observation(np.int64(0))
    whole, later = seen.to_dict(), json.loads(json.dumps(seen.to_dict(since=before)))
    assert later["history"] == whole["history"][before:] and len(later["history"]) > 0
    assert {**later, "history": 0} == {**whole, "history": 0}
    for wrong in (-1, len(seen.events) + 1, "1"):
        with pytest.raises(InvalidInput, match="since is a whole number from 0 to"):
            seen.to_dict(wrong)  # type: ignore[arg-type]


def test_an_action_out_of_turn_is_refused_without_a_word_of_what_is_legal() -> None:
    state = Uno(3, "rlcard").new_initial_state(seed=1)
    mover, action = state.current_player(), state.legal_actions()[0]
    with pytest.raises(InvalidInput, match=r"^seat \d is not to move$"):
        state.apply_action(action, (mover + 1) % 3)
    for wrong in (3, True, 1.0):
        with pytest.raises(InvalidInput, match="player is a seat from 0 to 2, not"):
            state.apply_action(action, wrong)  # type: ignore[arg-type]
    state.apply_action(action, player=mover)
    assert len(state.history()) > 22
    play(state, 1, 10_000)
    with pytest.raises(InvalidInput, match=r"^the round is over$"):
        state.apply_action(action, player=mover)


@pytest.mark.parametrize("game", GAMES[:4:3], ids=lambda game: game.name)
def test_what_is_no_event_is_refused(game: Game) -> None:
    wrongs: list[Any] = [None, [], "r5", [0, 1], [99, 0, 0], [1.5, 0, 0], [0, "a", 0]]
    wrongs += {
        "doudizhu": [[1, 0, 99], [1, 0, -50], [4, 0, -1], [4, 0, 99999], [4, 0, 0xFFF]],
        "uno": [[1, 0, 60], [1, 0, -7], [3, 0, 100], [6, -1, 9], [6, -1, -1]],
    }[game.name]
    for wrong in wrongs:
        with pytest.raises(InvalidInput, match="event"):
            game.event_to_string(wrong)


def test_a_history_begins_within_itself() -> None:
    state = Uno(2, "rlcard").new_initial_state(seed=1)
    for start in ("x", -1, len(state.history()) + 1):
        with pytest.raises(InvalidInput, match="start is a whole number from 0 to"):
            state.history(start)  # type: ignore[arg-type]


def test_nobody_sees_a_round_that_is_over_as_the_one_to_move() -> None:
    state = Uno(2, "rlcard").new_initial_state(seed=1)
    play(state, 1, 10_000)
    assert state.is_terminal()
    for ask in (state.observation, lambda: state.game.encode(state, "4x4x15")):
        with pytest.raises(InvalidInput, match="the round is over: name the seat to observe it"):
            ask()


@pytest.mark.parametrize("name", ["uno", "doudizhu"])
def test_a_determinization_drawn_from_the_seed_of_the_deal_knows_no_more_than_another(name: str) -> None:
    """Both seeds are 0 where none is given."""
    game = cardgames.make(name)
    shared = {"same": 0, "other": 0}
    for seed in range(100):
        state = game.new_initial_state(seed=seed)
        observation = state.observation(1)
        for which, drawn_from in (("same", seed), ("other", seed + 1000)):
            guess = game.determinize(observation, drawn_from)
            true, drawn = (Counter(_cards(game.hands_of(each.record)[0])) for each in (state, guess))
            shared[which] += (true & drawn).total()
    assert shared["same"] < 1.3 * shared["other"]


def _cards(hand: str) -> list[str]:
    return hand.split() if " " in hand else [*hand]
