"""Tests of the vector environment: it plays the same rounds as single states."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.envs import PettingZooEnv
from tests.differences import assert_same


def first_legal(env) -> np.ndarray:
    return np.argmax(env.action_mask, axis=1)


@pytest.mark.parametrize("rules", ["rlcard", "common"])
@pytest.mark.parametrize("encoding", ["4x4x15", "54x5", "cheating-7x4x15"])
def test_every_table_plays_like_a_single_state(rules: str, encoding: str):
    game = cardgames.make("uno", players=3, rules=rules)
    env = game.vector(num_envs=5, seed=3, encoding=encoding)
    env.reset()
    copies = env.states.copy()
    for _ in range(120):
        actions = first_legal(env)
        _, rewards, terminated, truncated, info = env.step(actions)
        for row, table_copy in enumerate(copies):
            ops.apply_action(game.kernel_rules, table_copy, int(actions[row]))
            over = bool(ops.is_terminal(game.kernel_rules, table_copy))
            assert over == bool(terminated[row] or truncated[row])
            if over:
                expected = np.zeros(3)
                ops.returns(game.kernel_rules, table_copy, expected)
                assert np.array_equal(rewards[row], expected)
                copies[row] = env.states[row]
            assert_same(env.states[row], copies[row], f"row {row}")
            out = np.zeros(env.observations[row].size, np.int8)
            ops.encode(
                game.kernel_rules, copies[row], int(info["player"][row]), game.encoding(encoding).encoding_id, out
            )
            assert np.array_equal(out, env.observations[row].ravel())
            legal = np.zeros(game.num_distinct_actions, np.int32)
            n = ops.legal_actions(game.kernel_rules, copies[row], legal)
            assert np.array_equal(np.flatnonzero(info["action_mask"][row]), legal[:n])


def test_illegal_action_changes_no_table():
    env = cardgames.make("uno", players=2, rules="rlcard").vector(num_envs=3, seed=0)
    env.reset()
    before = env.states.tobytes()
    actions = first_legal(env)
    actions[1] = int(np.argmin(env.action_mask[1]))
    with pytest.raises(cardgames.InvalidInput, match="table 1"):
        env.step(actions)
    assert env.states.tobytes() == before


def test_overwritten_action_mask_does_not_make_actions_legal():
    env = cardgames.make("uno", players=2, rules="common").vector(num_envs=2)
    _, info = env.reset()
    info["action_mask"][:] = 1
    with pytest.raises(cardgames.InvalidInput, match="table 0"):
        env.step(np.full(2, 74))


@pytest.mark.parametrize("name", ["uno", "doudizhu"])
@pytest.mark.parametrize("make_copy", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copy_is_independent_and_plays_on_like_the_original(name: str, make_copy: Callable[[Any], Any]) -> None:
    env = cardgames.make(name).vector(num_envs=3, seed=1)
    env.reset()
    env.step(first_legal(env))
    copied_env, before = make_copy(env), env.observations.copy()
    for _ in range(5):
        copied_env.step(first_legal(copied_env))
    assert (env.observations == before).all() and not (copied_env.observations == before).all()
    for _ in range(5):
        env.step(first_legal(env))
    assert (env.observations == copied_env.observations).all() and (env.action_mask == copied_env.action_mask).all()


def test_reset_with_seed_repeats_first_rounds():
    env = cardgames.make("uno", players=2, rules="rlcard").vector(num_envs=4, seed=9)
    first = env.reset()[0].copy()
    env.step(first_legal(env))
    assert not np.array_equal(env.reset()[0], first)
    assert np.array_equal(env.reset(seed=9)[0], first)


def test_step_before_reset_and_float_actions_are_refused():
    env = cardgames.make("uno", players=2, rules="rlcard").vector(num_envs=3)
    with pytest.raises(cardgames.InvalidInput, match="call reset before the first step"):
        env.step(np.zeros(3, np.int64))
    env.reset()
    with pytest.raises(cardgames.InvalidInput, match="actions are whole numbers, not float64"):
        env.step(env.action_mask.argmax(axis=1) + 0.7)


def test_game_without_encoding_has_no_vector_env(monkeypatch: pytest.MonkeyPatch):
    game = cardgames.make("uno", 2)
    monkeypatch.setattr(type(game), "encodings", {})
    for tables in (lambda: game.vector(2), lambda: PettingZooEnv(game)):
        with pytest.raises(cardgames.InvalidInput, match="uno has no encoding"):
            tables()


def test_encoding_shape_and_unknown_names() -> None:
    encoding = cardgames.make("uno", 2).encoding("4x4x15")
    assert (encoding.shape, encoding.inputs) == ((4, 4, 15), 240)
    with pytest.raises(cardgames.InvalidInput, match="unknown encoding 'none': choose from 4x4x15"):
        cardgames.make("uno", 2).encoding("none")
    with pytest.raises(cardgames.InvalidInput, match="unknown encoding"):
        cardgames.make("uno", 2).encoding(["4x4x15"])  # type: ignore[arg-type]
    with pytest.raises(cardgames.InvalidInput, match="the name of a game is a text"):
        cardgames.make(["uno"])  # type: ignore[arg-type]


def test_all_dealt_rounds_differ() -> None:
    env = cardgames.make("uno", players=2, rules="rlcard").vector(num_envs=4, seed=9)
    dealt = set()
    for _ in range(3):
        env.reset()
        dealt |= {state.tobytes() for state in env.states}
    assert len(dealt) == 12


@pytest.mark.parametrize(("rule", "void"), [("turn-limit=3", True), ("hand-size=1", False)])
def test_void_round_is_truncated_and_won_round_is_terminated(rule: str, void: bool) -> None:
    env = cardgames.make("uno", players=2, rules="rlcard", overrides=[rule]).vector(num_envs=2)
    env.reset()
    ends = set()
    for _ in range(60):
        _, _, terminated, truncated, _ = env.step(first_legal(env))
        ends |= set(zip(terminated.tolist(), truncated.tolist(), strict=True)) - {(False, False)}
    assert ends == {(not void, void)}


def test_reset_clears_rewards_and_end_flags() -> None:
    env = cardgames.make("uno", players=2, rules="rlcard", overrides=["hand-size=1"]).vector(num_envs=2)
    env.reset()
    while not env.terminated.any():
        env.step(first_legal(env))
    assert env.rewards.any()
    env.reset()
    assert not env.rewards.any() and not env.terminated.any() and not env.truncated.any()


@pytest.mark.parametrize("actions", [[0], [0, 0, 0, 0], [[0, 0, 0]]])
def test_step_refuses_wrong_number_of_actions(actions: list[Any]) -> None:
    env = cardgames.make("uno", players=2, rules="rlcard").vector(num_envs=3)
    env.reset()
    with pytest.raises(cardgames.InvalidInput, match="step takes 3 actions, not an array of shape"):
        env.step(np.array(actions))
