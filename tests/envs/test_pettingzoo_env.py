"""PettingZoo environment: it passes PettingZoo's own tests, and its rounds are those of the engine."""

import copy
import sys
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import cardgames.envs
from cardgames import Game, InvalidInput
from cardgames.core import ops
from cardgames.core.state import State
from cardgames.envs import PettingZooEnv
from cardgames.envs.seat_view import ObservationEncoder
from cardgames.kernels.rng import derive
from tests.differences import assert_same


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


@pytest.mark.parametrize("game", [rlcard(), cardgames.make("doudizhu")], ids=["uno", "doudizhu"])
def test_every_agent_gets_the_observation_and_the_return_of_its_seat(game: Game) -> None:
    env, rng, num_asymmetric = PettingZooEnv(game), np.random.default_rng(1), 0
    for number in range(4):
        env.reset(seed=7 if number == 0 else None)
        state, returns = game.new_initial_state(derive(derive(7), number)), {}
        for agent in env.agent_iter():
            assert_observations_of_all_seats(env, state)
            encoded, reward, terminated, truncated, _ = env.last()
            if terminated or truncated:
                returns[agent] = reward
                env.step(None)
                continue
            assert agent == f"seat_{state.current_player()}" and reward == 0
            action = random_action(rng, encoded["action_mask"])
            state.apply_action(action)
            env.step(action)
        assert state.is_terminal()
        assert_same([returns[f"seat_{seat}"] for seat in range(3)], state.returns(), f"round {number}, rewards")
        num_asymmetric += state.returns() != state.returns()[::-1]
    assert num_asymmetric, "some round must pay differently in reversed order of seats"


def assert_observations_of_all_seats(env: PettingZooEnv, expected: State) -> None:
    """Assert that every agent, whoever is to move, gets what its seat observes in a round of the engine."""
    for seat in range(env.game.num_players):
        encoded, observation = env.observe(f"seat_{seat}"), expected.observation(seat)
        inputs = env.game.encode(observation, env.encoding)
        assert_same(encoded["observation"], inputs, f"seat {seat}, observation")
        legal = np.flatnonzero(encoded["action_mask"]).tolist()
        assert_same(legal, list(observation.legal_actions), f"seat {seat}, legal actions")


@pytest.mark.parametrize("encoding", ["4x4x15", "54x5", "seat", "evidence", "seat-canonical"])
def test_observation_does_not_depend_on_hidden_cards(encoding: str) -> None:
    game = cardgames.make("uno", players=3, rules="common")
    env, rng = PettingZooEnv(game, encoding), np.random.default_rng(2)
    env.reset(seed=2)
    for decision in range(30):
        mover = env.round.current_player()
        for seat in range(3):
            encoded, observation = env.observe(f"seat_{seat}"), env.round.observation(seat)
            if ops.current_player(game.kernel_rules, observation.record) < 0:
                continue  # another player is about to decide in private: this seat has no determinization
            other = game.determinize(observation, decision).observation(seat)
            again = ObservationEncoder(game, encoding).encode(other)
            for part in encoded if seat == mover else ["observation"]:
                assert_same(again[part], encoded[part], f"decision {decision}, seat {seat}, {part}")
        env.step(random_action(rng, env.last()[0]["action_mask"]))


def test_default_encoding_and_seed() -> None:
    implicit, explicit = PettingZooEnv(rlcard()), PettingZooEnv(rlcard(), encoding="4x4x15", seed=0)
    for env in (implicit, explicit):
        env.reset()
    assert implicit.encoding == explicit.encoding and str(implicit.round) == str(explicit.round)
    assert PettingZooEnv(cardgames.make("doudizhu")).encoding == "rlcard"


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
