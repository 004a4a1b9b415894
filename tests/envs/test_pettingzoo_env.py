"""PettingZoo environment: it passes PettingZoo's own tests, and its rounds are those of the engine."""

import copy
import sys
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import cardgames.envs
from cardgames import Game, InvalidInput
from cardgames.envs import PettingZooEnv
from cardgames.envs.seat_view import ObservationEncoder
from cardgames.kernels.rng import derive


def rlcard(*overrides: str, players: int = 3) -> Game:
    return cardgames.make("uno", players=players, rules="rlcard", overrides=overrides)


def random_action(rng: np.random.Generator, mask: np.ndarray) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("game", [rlcard(), cardgames.make("doudizhu")], ids=["uno", "doudizhu"])
def test_environment_passes_the_tests_of_pettingzoo(game: Game) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation is not a NumPy array|Observation space for each agent")
        api_test(PettingZooEnv(game), num_cycles=200)
    seed_test(lambda: PettingZooEnv(game), num_cycles=50)


def test_rounds_are_those_of_the_engine() -> None:
    game, rng = rlcard(), np.random.default_rng(1)
    env = PettingZooEnv(game)
    env.reset(seed=7)
    state = game.new_initial_state(derive(derive(7), 0))
    returns = {}
    for agent in env.agent_iter():
        encoded, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            returns[agent] = reward
            env.step(None)
            continue
        assert agent == f"seat_{state.current_player()}" and reward == 0
        assert np.array_equal(encoded["observation"], game.encode(state.observation(), "4x4x15"))
        assert np.flatnonzero(encoded["action_mask"]).tolist() == state.legal_actions()
        assert not env.observe(f"seat_{(state.current_player() + 1) % 3}")["action_mask"].any()
        action = random_action(rng, encoded["action_mask"])
        state.apply_action(action)
        env.step(action)
    assert state.is_terminal()
    assert [returns[f"seat_{seat}"] for seat in range(3)] == state.returns()


@pytest.mark.parametrize("encoding", ["4x4x15", "54x5", "seat", "evidence", "seat-canonical"])
def test_observation_does_not_depend_on_hidden_cards(encoding: str) -> None:
    game = cardgames.make("uno", players=3, rules="common")
    env, rng = PettingZooEnv(game, encoding), np.random.default_rng(2)
    env.reset(seed=2)
    for decision in range(30):
        encoded = env.last()[0]
        other = game.determinize(env.round.observation(), decision)
        again = ObservationEncoder(game, encoding).encode(other.observation())
        assert all(np.array_equal(encoded[part], again[part]) for part in encoded)
        env.step(random_action(rng, encoded["action_mask"]))


def test_canonical_encoding_permutes_the_actions() -> None:
    game, rng = rlcard(), np.random.default_rng(3)
    encoder, state, permuted = ObservationEncoder(game, "seat-canonical"), game.new_initial_state(seed=3), False
    while not state.is_terminal():
        observation = state.observation()
        indices = np.flatnonzero(encoder.encode(observation)["action_mask"]).tolist()
        actions = [encoder.action(observation, index) for index in indices]
        assert sorted(actions) == state.legal_actions()
        permuted |= actions != indices
        state.apply_action(int(rng.choice(actions)))
    assert permuted


def test_reset_with_a_seed_restarts_the_rounds_and_without_one_continues() -> None:
    def deals(env: PettingZooEnv, *seeds: int | None) -> list[str]:
        rounds = []
        for seed in seeds:
            env.reset(seed=seed)
            rounds.append(str(env.round))
        return rounds

    env = PettingZooEnv(rlcard(), seed=5)
    first = deals(env, None, None, None)
    assert len({*first}) == 3
    assert deals(env, 5, None, None) == first
    assert deals(PettingZooEnv(rlcard(), seed=6), None)[0] not in first


def test_void_round_terminates_and_is_marked_in_infos() -> None:
    env, rng = PettingZooEnv(rlcard("turn-limit=4")), np.random.default_rng(0)
    env.reset(seed=0)
    while not env.round.is_terminal():
        env.step(random_action(rng, env.last()[0]["action_mask"]))
    assert all(env.terminations.values()) and not any(env.truncations.values())
    assert all(info["void"] for info in env.infos.values())
    assert env.last()[1] == 0


def test_last_before_reset_is_refused() -> None:
    with pytest.raises(InvalidInput, match="call reset first"):
        PettingZooEnv(rlcard()).last()


def test_deep_copy_is_independent() -> None:
    env = PettingZooEnv(rlcard())
    env.reset(seed=1)
    before = str(env.round)
    other = copy.deepcopy(env)
    other.step(int(np.flatnonzero(other.last()[0]["action_mask"])[0]))
    assert str(env.round) == before != str(other.round)


def test_render_returns_the_observation_as_text() -> None:
    env = PettingZooEnv(rlcard(), render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.round.observation())
    assert PettingZooEnv(rlcard()).render() is None


@pytest.mark.parametrize("action", [-1, 61, 3.0, "draw", None])
def test_invalid_and_illegal_actions_are_refused_without_effect(action: object) -> None:
    env = PettingZooEnv(rlcard())
    env.reset(seed=1)
    before = str(env.round)
    with pytest.raises(InvalidInput):
        env.step(action)  # type: ignore[arg-type]
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(InvalidInput, match="not legal now"):
        env.step(illegal)
    assert str(env.round) == before


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(InvalidInput, match="hidden cards"):
        PettingZooEnv(rlcard(), encoding="cheating-7x4x15")
    with pytest.raises(InvalidInput, match="encoding"):
        PettingZooEnv(rlcard(), encoding="5x5")
    with pytest.raises(InvalidInput, match="a game is"):
        PettingZooEnv("uno")  # type: ignore[arg-type]
    env = PettingZooEnv(rlcard())
    for call, message in (
        (lambda: env.step(0), "reset first"),
        (lambda: env.observe("seat_0"), "reset first"),
        (lambda: PettingZooEnv(rlcard(), render_mode="ansi").render(), "reset first"),
        (lambda: PettingZooEnv(rlcard(), render_mode="human"), "render mode"),
    ):
        with pytest.raises(InvalidInput, match=message):
            call()
    env.reset()
    with pytest.raises(InvalidInput, match="unknown agent"):
        env.observe("seat_9")


def test_import_error_without_pettingzoo_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "cardgames.envs.pettingzoo_env")
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ImportError, match=r"pip install 'cardgames\[envs\]'"):
        _ = cardgames.envs.PettingZooEnv


def test_masks_are_empty_after_the_end_of_a_round() -> None:
    env, rng = PettingZooEnv(rlcard("hand-size=1")), np.random.default_rng(0)
    env.reset(seed=0)
    while not env.round.is_terminal():
        env.step(random_action(rng, env.last()[0]["action_mask"]))
    for seat, agent in enumerate(env.possible_agents):
        encoded = env.observe(agent)
        assert not encoded["action_mask"].any()
        assert np.array_equal(encoded["observation"], env.game.encode(env.round.observation(seat), "4x4x15", seat))
