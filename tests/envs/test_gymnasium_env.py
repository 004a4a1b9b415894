"""Gymnasium environment: Gymnasium's own checker accepts it, and its rounds are those of the engine."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import cardgames
from cardgames import Decision, Game, InvalidInput, Observation
from cardgames.envs import GymnasiumEnv
from tests.differences import assert_same


def rlcard(*overrides: str, players: int = 3) -> Game:
    return cardgames.make("uno", players=players, rules="rlcard", overrides=overrides)


class LegalActionWrapper(gymnasium.Wrapper):  # type: ignore[type-arg]
    """Wrapper that maps every action to a legal one, since the checker ignores masks."""

    def step(self, action):
        legal = np.flatnonzero(self.unwrapped.action_masks())
        return self.env.step(legal[action % len(legal)])


class FirstActionAgent:
    """Agent that plays its first legal action and remembers its seats."""

    name = "first"

    def __init__(self, game: Game, seed: int) -> None:
        self.seats: set[int] = set()

    def act(self, observation: Observation, limit: object = None) -> Decision:
        self.seats.add(observation.player)
        return Decision(observation.legal_actions[0])


def play_round(env: GymnasiumEnv, seed: int | None) -> list[object]:
    """Play a round with the first legal actions; return its observations and rewards."""
    encoded, info = env.reset(seed=seed)
    course: list[object] = [encoded["observation"].tolist()]
    over = False
    while not over:
        encoded, reward, terminated, truncated, info = env.step(np.flatnonzero(info["action_mask"])[0])
        over = terminated or truncated
        course += [encoded["observation"].tolist(), reward]
    return course


@pytest.mark.parametrize("game", [rlcard(), cardgames.make("doudizhu")], ids=["uno", "doudizhu"])
def test_environment_passes_the_checker_of_gymnasium(game: Game) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*different from the unwrapped version|.*alternative render modes")
        check_env(LegalActionWrapper(GymnasiumEnv(game)))


def test_environment_is_made_by_name_singly_and_vectorized() -> None:
    options = {"players": 3, "rules": "rlcard", "opponents": "reflex", "encoding": "seat"}
    env = gymnasium.make("cardgames.envs:cardgames/Uno-v0", **options)
    encoded, info = env.reset(seed=1)
    assert env.observation_space.contains(encoded) and encoded["observation"].shape == (351,)
    assert env.action_space.sample(info["action_mask"]) in np.flatnonzero(info["action_mask"])
    many = gymnasium.make_vec("cardgames/DouDiZhu-v0", num_envs=2, vectorization_mode="sync")
    assert many.reset(seed=1)[0]["observation"].shape[0] == 2


def test_seed_determines_rounds_and_opponents() -> None:
    env = GymnasiumEnv(rlcard(), "random", seed=4)
    first = [play_round(env, None) for _ in range(3)]
    assert first[0] != first[1] != first[2]
    assert [play_round(env, 4), play_round(env, None), play_round(env, None)] == first


def test_seed_has_to_be_a_whole_number_of_64_bits() -> None:
    env = GymnasiumEnv(rlcard(), "random")
    assert np.array_equal(env.reset(seed=np.int64(3))[0]["observation"], env.reset(seed=3)[0]["observation"])  # type: ignore[arg-type]
    env.reset(seed=2**64 - 1)
    for seed in (-1, 2**64):
        with pytest.raises(InvalidInput, match="seed is a whole number"):
            env.reset(seed=seed)


def test_reward_at_the_end_is_the_payoff_of_the_seat() -> None:
    env = GymnasiumEnv(rlcard(), ["reflex", "random"], seat=2)
    for seed in range(20):
        course = play_round(env, seed)
        assert env.player == 2 and env.round.is_terminal()
        assert course[-1] == env.round.returns()[2] and not any(course[2:-1:2])
        assert not env.action_masks().any()


@pytest.mark.parametrize("seat", [0, 1, 2, None])
@pytest.mark.parametrize("game", [rlcard(), cardgames.make("doudizhu")], ids=["uno", "doudizhu"])
def test_environment_gives_the_observation_and_the_return_of_its_seat(game: Game, seat: int | None) -> None:
    env = GymnasiumEnv(game, seat=seat, seed=3)
    for number in range(3):
        (encoded, info), reward, over = env.reset(), 0.0, False
        assert info["player"] == (number if seat is None else seat)
        while not over:
            observation, name = env.round.observation(info["player"]), f"round {number}, seat {info['player']}"
            assert_same(encoded["observation"], game.encode(observation, env.encoding), f"{name}, observation")
            for mask in (encoded["action_mask"], info["action_mask"], env.action_masks()):
                assert_same(np.flatnonzero(mask).tolist(), list(observation.legal_actions), f"{name}, legal actions")
            encoded, reward, over, _, info = env.step(np.flatnonzero(info["action_mask"])[0])
        end = env.round.observation(info["player"])
        assert_same(encoded["observation"], game.encode(end, env.encoding), f"seat {info['player']}, observation")
        assert reward == env.round.returns()[info["player"]] != 0


def test_default_opponents_seat_encoding_and_seed() -> None:
    implicit = GymnasiumEnv(rlcard())
    explicit = GymnasiumEnv(rlcard(), "random", seat=0, encoding="4x4x15", seed=0)
    for number in range(3):
        assert_same(play_round(implicit, None), play_round(explicit, None), f"round {number}")
    assert implicit.encoding == explicit.encoding and implicit.player == explicit.player == 0
    assert GymnasiumEnv(cardgames.make("doudizhu")).encoding == "rlcard"


def test_opponents_are_seated_in_the_order_of_play_after_the_seat() -> None:
    agents = [FirstActionAgent(rlcard(), 0), FirstActionAgent(rlcard(), 0)]
    play_round(GymnasiumEnv(rlcard(), agents, seat=1), 0)
    assert [agent.seats for agent in agents] == [{2}, {0}]


def test_seat_moves_on_after_every_round_if_none_is_given() -> None:
    env = GymnasiumEnv(rlcard(), seat=None)
    assert [env.reset()[1]["player"] for _ in range(6)] == [0, 1, 2, 0, 1, 2]


def test_round_that_ends_before_the_first_decision_is_skipped() -> None:
    env = GymnasiumEnv(rlcard("hand-size=1"), "reflex", seat=2)
    dealt = 0
    for _ in range(20):
        _, info = env.reset()
        assert info["action_mask"].any()
        dealt += 1
    assert env._rounds.number >= dealt


def test_void_round_terminates_and_is_marked_in_info() -> None:
    env = GymnasiumEnv(rlcard("turn-limit=3"))
    _, info = env.reset(seed=0)
    assert not info["void"]
    _, reward, terminated, truncated, info = env.step(np.flatnonzero(info["action_mask"])[0])
    assert (reward, terminated, truncated, info["void"]) == (0, True, False, True)


def test_render_returns_the_observation_as_text() -> None:
    env = GymnasiumEnv(rlcard(), render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.round.observation(0))


def test_wrong_arguments_and_illegal_actions_are_refused_without_effect() -> None:
    env = GymnasiumEnv(rlcard())
    with pytest.raises(InvalidInput, match="reset first"):
        env.step(np.int64(0))
    _, info = env.reset(seed=1)
    before = str(env.round)
    with pytest.raises(InvalidInput, match="not legal now"):
        env.step(np.flatnonzero(info["action_mask"] == 0)[0])
    assert str(env.round) == before
    for options, message in (
        ({"opponents": ["reflex"]}, "1 opponents were given for 2 other seats"),
        ({"opponents": "nobody"}, "unknown agent"),
        ({"seat": 3}, "seat"),
        ({"seed": "a"}, "seed"),
    ):
        with pytest.raises(InvalidInput, match=message):
            GymnasiumEnv(rlcard(), **options)  # type: ignore[arg-type]
    env.reset(seed=1)
    for call, message in (
        (lambda: GymnasiumEnv(rlcard()).action_masks(), "reset first"),
        (lambda: GymnasiumEnv(rlcard(), render_mode="ansi").render(), "reset first"),
        (lambda: GymnasiumEnv(rlcard(), render_mode="human"), "render mode"),
        (lambda: GymnasiumEnv(rlcard(), encoding=5), "encoding"),  # type: ignore[arg-type]
        (
            lambda: GymnasiumEnv(rlcard("turn-limit=1", "start=number"), seat=1).reset(),
            "had no decision in 1000 rounds",
        ),
    ):
        with pytest.raises(InvalidInput, match=message):
            call()


def test_action_may_be_an_array_without_dimensions() -> None:
    env = GymnasiumEnv(rlcard())
    _, info = env.reset(seed=1)
    env.step(np.array(np.flatnonzero(info["action_mask"])[0]))  # type: ignore[arg-type]


def test_seat_cannot_act_after_an_opponent_failed() -> None:
    class FailingAgent(FirstActionAgent):
        name = "failing"

        def act(self, observation: Observation, limit: object = None) -> Decision:
            raise ValueError("no idea")

    env = GymnasiumEnv(rlcard(players=2), FailingAgent(rlcard(), 0))
    _, info = env.reset(seed=1)
    with pytest.raises(InvalidInput, match="no idea"):
        env.step(np.flatnonzero(info["action_mask"])[0])
    with pytest.raises(InvalidInput, match="reset first"):
        env.step(np.flatnonzero(info["action_mask"])[0])
    env.reset(seed=1)
    with pytest.raises(InvalidInput, match="no idea"):
        for _ in range(100):  # until the opponent begins a round
            env.reset()
    with pytest.raises(InvalidInput, match="reset first"):
        env.step(np.flatnonzero(info["action_mask"])[0])


def test_changing_a_returned_mask_does_not_affect_the_environment() -> None:
    env = GymnasiumEnv(rlcard())
    encoded, info = env.reset(seed=1)
    encoded["action_mask"][:] = 0
    info["action_mask"][:] = 0
    assert env.action_masks().any()


def test_environments_in_processes_play_the_same_rounds_as_in_one() -> None:
    options = {"num_envs": 2, "players": 2, "rules": "rlcard", "opponents": "reflex"}
    name = "cardgames.envs:cardgames/Uno-v0"
    in_processes = gymnasium.make_vec(name, vectorization_mode="async", vector_kwargs={"context": "spawn"}, **options)
    in_one_process = gymnasium.make_vec(name, vectorization_mode="sync", **options)
    try:
        encoded, same = in_processes.reset(seed=[3, 4])[0], in_one_process.reset(seed=[3, 4])[0]
        assert np.array_equal(encoded["observation"], same["observation"])
        assert not np.array_equal(encoded["observation"][0], encoded["observation"][1])
        actions = encoded["action_mask"].argmax(1)
        assert np.array_equal(
            in_processes.step(actions)[0]["observation"], in_one_process.step(actions)[0]["observation"]
        )
    finally:
        in_processes.close()


def test_every_opponent_gets_a_new_seed_in_every_round() -> None:
    seeds: list[int] = []

    def make_agent(game: Game, seed: int) -> FirstActionAgent:
        seeds.append(seed)
        return FirstActionAgent(game, seed)

    env = GymnasiumEnv(rlcard(), make_agent)
    seeds.clear()
    env.reset(seed=1)
    env.reset()
    assert len({*seeds}) == len(seeds) == 4


def test_environment_made_by_name_takes_rule_overrides() -> None:
    env = gymnasium.make("cardgames.envs:cardgames/Uno-v0", players=2, rules="rlcard", overrides=["hand-size=3"])
    assert env.unwrapped.game.rules["hand-size"] == 3  # type: ignore[attr-defined]
