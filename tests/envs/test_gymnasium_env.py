"""Rounds as Gymnasium's environment, by its own checker and by the engine."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import cardgames
from cardgames import Decision, Game, InvalidInput, Observation
from cardgames.envs import GymnasiumEnv


def rlcard(*overrides: str, players: int = 3) -> Game:
    return cardgames.make("uno", players=players, rules="rlcard", overrides=overrides)


class AnyLegal(gymnasium.Wrapper):  # type: ignore[type-arg]
    """Takes a legal action in place of any: the checker knows no masks."""

    def step(self, action):
        legal = np.flatnonzero(self.unwrapped.action_masks())
        return self.env.step(legal[action % len(legal)])


class First:
    """Plays its first legal action."""

    name = "first"

    def __init__(self, game: Game, seed: int) -> None:
        self.seats: set[int] = set()

    def act(self, observation: Observation, limit: object = None) -> Decision:
        self.seats.add(observation.player)
        return Decision(observation.legal_actions[0])


def played(env: GymnasiumEnv, seed: int | None) -> list[object]:
    """A round in which the seat plays its first legal actions: what it was shown, what it was paid."""
    shown, info = env.reset(seed=seed)
    course: list[object] = [shown["observation"].tolist()]
    over = False
    while not over:
        shown, reward, terminated, truncated, info = env.step(np.flatnonzero(info["action_mask"])[0])
        over = terminated or truncated
        course += [shown["observation"].tolist(), reward]
    return course


@pytest.mark.parametrize("game", [rlcard(), cardgames.make("doudizhu")], ids=["uno", "doudizhu"])
def test_it_is_what_gymnasium_takes(game: Game) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*different from the unwrapped version|.*alternative render modes")
        check_env(AnyLegal(GymnasiumEnv(game)))


def test_it_is_made_by_name_alone_and_many_at_once() -> None:
    made = {"players": 3, "rules": "rlcard", "opponents": "reflex", "encoding": "seat"}
    env = gymnasium.make("cardgames.envs:cardgames/Uno-v0", **made)
    shown, info = env.reset(seed=1)
    assert env.observation_space.contains(shown) and shown["observation"].shape == (351,)
    assert env.action_space.sample(info["action_mask"]) in np.flatnonzero(info["action_mask"])
    many = gymnasium.make_vec("cardgames/DouDiZhu-v0", num_envs=2, vectorization_mode="sync")
    assert many.reset(seed=1)[0]["observation"].shape[0] == 2


def test_rounds_and_opponents_follow_from_the_seed() -> None:
    env = GymnasiumEnv(rlcard(), "random", seed=4)
    first = [played(env, None) for _ in range(3)]
    assert first[0] != first[1] != first[2]
    assert [played(env, 4), played(env, None), played(env, None)] == first


def test_a_seed_is_any_whole_number_of_64_bits() -> None:
    env = GymnasiumEnv(rlcard(), "random")
    assert np.array_equal(env.reset(seed=np.int64(3))[0]["observation"], env.reset(seed=3)[0]["observation"])  # type: ignore[arg-type]
    env.reset(seed=2**64 - 1)
    for seed in (-1, 2**64):
        with pytest.raises(InvalidInput, match="seed is a whole number"):
            env.reset(seed=seed)


def test_the_seat_is_paid_as_the_round_pays() -> None:
    env = GymnasiumEnv(rlcard(), ["reflex", "random"], seat=2)
    for seed in range(20):
        course = played(env, seed)
        assert env.player == 2 and env.round.is_terminal()
        assert course[-1] == env.round.returns()[2] and not any(course[2:-1:2])
        assert not env.action_masks().any()


def test_opponents_sit_in_the_order_of_play_after_the_seat() -> None:
    agents = [First(rlcard(), 0), First(rlcard(), 0)]
    played(GymnasiumEnv(rlcard(), agents, seat=1), 0)
    assert [agent.seats for agent in agents] == [{2}, {0}]


def test_the_seat_may_move_on_from_round_to_round() -> None:
    env = GymnasiumEnv(rlcard(), seat=None)
    assert [env.reset()[1]["player"] for _ in range(6)] == [0, 1, 2, 0, 1, 2]


def test_a_round_over_before_the_seat_was_asked_is_passed_over() -> None:
    env = GymnasiumEnv(rlcard("hand-size=1"), "reflex", seat=2)
    dealt = 0
    for _ in range(20):
        _, info = env.reset()
        assert info["action_mask"].any()
        dealt += 1
    assert env._rounds.number >= dealt


def test_a_void_round_is_over_and_says_so() -> None:
    env = GymnasiumEnv(rlcard("turn-limit=3"))
    _, info = env.reset(seed=0)
    assert not info["void"]
    _, reward, terminated, truncated, info = env.step(np.flatnonzero(info["action_mask"])[0])
    assert (reward, terminated, truncated, info["void"]) == (0, True, False, True)


def test_what_a_seat_knows_is_told_in_words() -> None:
    env = GymnasiumEnv(rlcard(), render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.round.observation(0))


def test_what_cannot_be_is_refused_and_nothing_played() -> None:
    env = GymnasiumEnv(rlcard())
    with pytest.raises(InvalidInput, match="reset first"):
        env.step(np.int64(0))
    _, info = env.reset(seed=1)
    before = str(env.round)
    with pytest.raises(InvalidInput, match="not legal now"):
        env.step(np.flatnonzero(info["action_mask"] == 0)[0])
    assert str(env.round) == before
    for options, words in (
        ({"opponents": ["reflex"]}, "1 opponents were given for 2 other seats"),
        ({"opponents": "nobody"}, "unknown agent"),
        ({"seat": 3}, "seat"),
        ({"seed": "a"}, "seed"),
    ):
        with pytest.raises(InvalidInput, match=words):
            GymnasiumEnv(rlcard(), **options)  # type: ignore[arg-type]
    env.reset(seed=1)
    for call, words in (
        (lambda: GymnasiumEnv(rlcard()).action_masks(), "reset first"),
        (lambda: GymnasiumEnv(rlcard(), render_mode="ansi").render(), "reset first"),
        (lambda: GymnasiumEnv(rlcard(), render_mode="human"), "render mode"),
        (lambda: GymnasiumEnv(rlcard(), encoding=5), "encoding"),  # type: ignore[arg-type]
        (lambda: GymnasiumEnv(rlcard("turn-limit=1", "start=number"), seat=1).reset(), "never asked"),
    ):
        with pytest.raises(InvalidInput, match=words):
            call()


def test_an_action_may_be_an_array_without_dimensions() -> None:
    env = GymnasiumEnv(rlcard())
    _, info = env.reset(seed=1)
    env.step(np.array(np.flatnonzero(info["action_mask"])[0]))  # type: ignore[arg-type]


def test_where_an_opponent_fails_the_seat_does_not_play_for_it() -> None:
    class Failing(First):
        name = "failing"

        def act(self, observation: Observation, limit: object = None) -> Decision:
            raise ValueError("no idea")

    env = GymnasiumEnv(rlcard(players=2), Failing(rlcard(), 0))
    _, info = env.reset(seed=1)
    with pytest.raises(InvalidInput, match="no idea"):
        env.step(np.flatnonzero(info["action_mask"])[0])
    with pytest.raises(InvalidInput, match="reset first"):
        env.step(np.flatnonzero(info["action_mask"])[0])
    env.reset(seed=1)
    with pytest.raises(InvalidInput, match="no idea"):
        for _ in range(100):  # until a round begins with the opponent
            env.reset()
    with pytest.raises(InvalidInput, match="reset first"):
        env.step(np.flatnonzero(info["action_mask"])[0])


def test_masks_are_the_callers_own() -> None:
    env = GymnasiumEnv(rlcard())
    shown, info = env.reset(seed=1)
    shown["action_mask"][:] = 0
    info["action_mask"][:] = 0
    assert env.action_masks().any()


def test_environments_in_processes_play_what_they_play_in_one() -> None:
    made = {"num_envs": 2, "players": 2, "rules": "rlcard", "opponents": "reflex"}
    name = "cardgames.envs:cardgames/Uno-v0"
    apart = gymnasium.make_vec(name, vectorization_mode="async", vector_kwargs={"context": "spawn"}, **made)
    together = gymnasium.make_vec(name, vectorization_mode="sync", **made)
    try:
        shown, same = apart.reset(seed=[3, 4])[0], together.reset(seed=[3, 4])[0]
        assert np.array_equal(shown["observation"], same["observation"])
        assert not np.array_equal(shown["observation"][0], shown["observation"][1])
        actions = shown["action_mask"].argmax(1)
        assert np.array_equal(apart.step(actions)[0]["observation"], together.step(actions)[0]["observation"])
    finally:
        apart.close()


def test_an_opponent_has_a_seed_of_its_own_in_every_round() -> None:
    seeds: list[int] = []

    def made(game: Game, seed: int) -> First:
        seeds.append(seed)
        return First(game, seed)

    env = GymnasiumEnv(rlcard(), made)
    seeds.clear()
    env.reset(seed=1)
    env.reset()
    assert len({*seeds}) == len(seeds) == 4


def test_rules_are_changed_by_name_too() -> None:
    env = gymnasium.make("cardgames.envs:cardgames/Uno-v0", players=2, rules="rlcard", overrides=["hand-size=3"])
    assert env.unwrapped.game.rules["hand-size"] == 3  # type: ignore[attr-defined]
