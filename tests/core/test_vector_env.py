"""The vector environment plays what single states play."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.envs import PettingZooEnv


def first_legal(env) -> np.ndarray:
    return np.argmax(env.action_mask, axis=1)


@pytest.mark.parametrize("rules", ["rlcard", "common"])
@pytest.mark.parametrize("encoding", ["4x4x15", "54x5", "cheating-7x4x15"])
def test_every_table_is_a_state_of_its_own(rules: str, encoding: str):
    game = cardgames.make("uno", players=3, rules=rules)
    env = game.vector(num_envs=5, seed=3, encoding=encoding)
    env.reset()
    twins = env.states.copy()
    for _ in range(120):
        actions = first_legal(env)
        _, rewards, terminated, truncated, info = env.step(actions)
        for row, twin in enumerate(twins):
            ops.apply_action(game.kernel_rules, twin, int(actions[row]))
            over = bool(ops.is_terminal(game.kernel_rules, twin))
            assert over == bool(terminated[row] or truncated[row])
            if over:
                expected = np.zeros(3)
                ops.returns(game.kernel_rules, twin, expected)
                assert np.array_equal(rewards[row], expected)
                twins[row] = env.states[row]
            assert twins[row].tobytes() == env.states[row].tobytes()
            out = np.zeros(env.observations[row].size, np.int8)
            ops.encode(
                game.kernel_rules, twins[row], int(info["player"][row]), game.encoding(encoding).encoding_id, out
            )
            assert np.array_equal(out, env.observations[row].ravel())
            legal = np.zeros(game.num_distinct_actions, np.int32)
            n = ops.legal_actions(game.kernel_rules, twins[row], legal)
            assert np.array_equal(np.flatnonzero(info["action_mask"][row]), legal[:n])


def test_an_illegal_action_changes_nothing():
    env = cardgames.make("uno", players=2, rules="rlcard").vector(num_envs=3, seed=0)
    env.reset()
    before = env.states.tobytes()
    actions = first_legal(env)
    actions[1] = int(np.argmin(env.action_mask[1]))
    with pytest.raises(cardgames.InvalidInput, match="table 1"):
        env.step(actions)
    assert env.states.tobytes() == before


def test_what_is_legal_is_not_read_from_the_array_handed_out():
    env = cardgames.make("uno", players=2, rules="common").vector(num_envs=2)
    _, info = env.reset()
    info["action_mask"][:] = 1
    with pytest.raises(cardgames.InvalidInput, match="table 0"):
        env.step(np.full(2, 74))


@pytest.mark.parametrize("name", ["uno", "doudizhu"])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_its_own_way_as_the_original_does(name: str, copied: Callable[[Any], Any]) -> None:
    env = cardgames.make(name).vector(num_envs=3, seed=1)
    env.reset()
    env.step(first_legal(env))
    twin, before = copied(env), env.observations.copy()
    for _ in range(5):
        twin.step(first_legal(twin))
    assert (env.observations == before).all() and not (twin.observations == before).all()
    for _ in range(5):
        env.step(first_legal(env))
    assert (env.observations == twin.observations).all() and (env.action_mask == twin.action_mask).all()


def test_a_seed_begins_anew():
    env = cardgames.make("uno", players=2, rules="rlcard").vector(num_envs=4, seed=9)
    first = env.reset()[0].copy()
    env.step(first_legal(env))
    assert not np.array_equal(env.reset()[0], first)
    assert np.array_equal(env.reset(seed=9)[0], first)


def test_what_is_no_step_is_refused():
    env = cardgames.make("uno", players=2, rules="rlcard").vector(num_envs=3)
    with pytest.raises(cardgames.InvalidInput, match="call reset before the first step"):
        env.step(np.zeros(3, np.int64))
    env.reset()
    with pytest.raises(cardgames.InvalidInput, match="actions are whole numbers, not float64"):
        env.step(env.action_mask.argmax(axis=1) + 0.7)


def test_a_game_without_an_encoding_has_no_tables(monkeypatch: pytest.MonkeyPatch):
    game = cardgames.make("uno", 2)
    monkeypatch.setattr(type(game), "encodings", {})
    for tables in (lambda: game.vector(2), lambda: PettingZooEnv(game)):
        with pytest.raises(cardgames.InvalidInput, match="uno has no encoding"):
            tables()


def test_an_encoding_has_its_shape_and_an_unknown_one_is_refused() -> None:
    encoding = cardgames.make("uno", 2).encoding("4x4x15")
    assert (encoding.shape, encoding.inputs) == ((4, 4, 15), 240)
    with pytest.raises(cardgames.InvalidInput, match="unknown encoding 'none': choose from 4x4x15"):
        cardgames.make("uno", 2).encoding("none")
    with pytest.raises(cardgames.InvalidInput, match="unknown encoding"):
        cardgames.make("uno", 2).encoding(["4x4x15"])  # type: ignore[arg-type]
    with pytest.raises(cardgames.InvalidInput, match="the name of a game is a text"):
        cardgames.make(["uno"])  # type: ignore[arg-type]


def test_no_two_rounds_are_the_same() -> None:
    env = cardgames.make("uno", players=2, rules="rlcard").vector(num_envs=4, seed=9)
    dealt = set()
    for _ in range(3):
        env.reset()
        dealt |= {state.tobytes() for state in env.states}
    assert len(dealt) == 12


@pytest.mark.parametrize(("rule", "void"), [("turn-limit=3", True), ("hand-size=1", False)])
def test_a_void_round_is_truncated_a_won_one_terminated(rule: str, void: bool) -> None:
    env = cardgames.make("uno", players=2, rules="rlcard", overrides=[rule]).vector(num_envs=2)
    env.reset()
    ends = set()
    for _ in range(60):
        _, _, terminated, truncated, _ = env.step(first_legal(env))
        ends |= set(zip(terminated.tolist(), truncated.tolist(), strict=True)) - {(False, False)}
    assert ends == {(not void, void)}


def test_a_reset_leaves_nothing_of_a_round_that_ended() -> None:
    env = cardgames.make("uno", players=2, rules="rlcard", overrides=["hand-size=1"]).vector(num_envs=2)
    env.reset()
    while not env.terminated.any():
        env.step(first_legal(env))
    assert env.rewards.any()
    env.reset()
    assert not env.rewards.any() and not env.terminated.any() and not env.truncated.any()


@pytest.mark.parametrize("actions", [[0], [0, 0, 0, 0], [[0, 0, 0]]])
def test_there_is_an_action_for_every_table(actions: list[Any]) -> None:
    env = cardgames.make("uno", players=2, rules="rlcard").vector(num_envs=3)
    env.reset()
    with pytest.raises(cardgames.InvalidInput, match="step takes 3 actions, not an array of shape"):
        env.step(np.array(actions))
