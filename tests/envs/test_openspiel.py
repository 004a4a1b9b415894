"""OpenSpiel games: they pass OpenSpiel's simulation tests, and work in its environments and searches."""

import random
from collections import Counter

import numpy as np
import pytest

from cardgames import InvalidInput
from cardgames.core.state import State
from cardgames.kernels.rng import derive
from tests.differences import assert_same

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts  # noqa: E402

import cardgames.envs.openspiel  # noqa: E402, F401


def state_after_deal(game, *digits: int):
    state = game.new_initial_state()
    for digit in digits:
        state.apply_action(digit)
    return state


@pytest.mark.parametrize(
    "name",
    [
        "python_cardgames_uno(players=3,rules=rlcard)",
        "python_cardgames_uno(rules=official,overrides=turn-limit:300;stacking:same)",
        "python_cardgames_doudizhu",
        "python_cardgames_doudizhu(rules=douzero,encoding=douzero)",
    ],
)
def test_games_pass_the_simulation_test_of_openspiel(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    assert pyspiel.load_game(str(game)).num_distinct_actions() == game.num_distinct_actions()


ROUNDS = [
    "uno(players=3,rules=rlcard)",
    "uno(players=3,rules=official,overrides=hand-size:3;turn-limit:100,encoding=54x5)",
    "doudizhu",
]


def random_action(state, rng: np.random.Generator) -> int:
    """Return any legal action except the last, which in Uno is to draw, so that rounds end."""
    legal = state.legal_actions()
    return int(rng.choice(legal[:-1] or legal))


def assert_observations_of_all_seats(state, expected: State) -> None:
    """Assert that tensors, texts and legal actions of every seat, whoever is to move, are those of the engine's round."""
    game, mover = state.get_game(), state.current_player()
    assert mover == (-4 if expected.is_terminal() else expected.current_player())
    for seat in range(game.num_players()):
        observation, name = expected.observation(seat), f"seat {seat}, {mover} to move"
        tensor = np.array(state.observation_tensor(seat), np.float32)
        inputs = game.base_game.encode(observation, game.encoding).astype(np.float32).ravel()
        assert_same(tensor, inputs, f"{name}, tensor")
        information_state = f"seat {seat}: {observation.to_bytes().hex()}"
        assert_same(state.information_state_string(seat), information_state, f"{name}, information state")
        assert_same(state.legal_actions(seat), list(observation.legal_actions), f"{name}, legal actions")
        lines = [f"{field}: {value}" for field, value in observation.to_dict().items() if field != "history"]
        assert_same(state.observation_string(seat).splitlines(), lines, f"{name}, text")


@pytest.mark.parametrize("name", ROUNDS)
def test_every_seat_gets_its_own_observation_throughout_a_round(name: str) -> None:
    game, rng = pyspiel.load_game(f"python_cardgames_{name}"), np.random.default_rng(4)
    digits = (5, 0, 9, 1, 15, 2)
    state, other = state_after_deal(game, *digits), game.base_game.new_initial_state(derive(*digits))
    while not state.is_terminal():
        assert_observations_of_all_seats(state, other)
        assert len({tuple(state.observation_tensor(seat)) for seat in range(game.num_players())}) == game.num_players()
        action = random_action(state, rng)
        assert state.action_to_string(state.current_player(), action) == other.action_to_string(action)
        state.apply_action(action)
        other.apply_action(action)
    assert_observations_of_all_seats(state, other)


@pytest.mark.parametrize("name", ROUNDS)
def test_every_seat_gets_its_own_returns(name: str) -> None:
    game, rng, num_asymmetric = pyspiel.load_game(f"python_cardgames_{name}"), np.random.default_rng(4), 0
    for deal in range(6):
        digits = (5, 0, 9, 1, 15, deal)
        state, other = state_after_deal(game, *digits), game.base_game.new_initial_state(derive(*digits))
        while not state.is_terminal():
            assert not any(state.returns())
            action = random_action(state, rng)
            state.apply_action(action)
            other.apply_action(action)
        returns = other.returns()
        assert_same(state.returns(), returns, "returns")
        assert_same([state.player_return(seat) for seat in range(3)], returns, "player_return")
        assert_same(state.rewards(), returns, "rewards")
        num_asymmetric += returns != returns[::-1]
    assert num_asymmetric, "some round must pay differently in reversed order of seats"


def test_clone_of_a_state_is_independent() -> None:
    state = state_after_deal(pyspiel.load_game("python_cardgames_uno"), 1, 2, 3, 4, 5, 6)
    before, clone = str(state), state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert str(state) == before != str(clone)


NAMES = [
    "uno(players=2,rules=rlcard)",
    "uno(players=3,rules=official)",
    "uno(players=3,rules=common,overrides=seven-zero:both;stacking:same;jump-in:identical)",
    "doudizhu",
]


@pytest.mark.parametrize("name", NAMES)
def test_resampled_states_have_the_same_information_state(name: str) -> None:
    game, rng = pyspiel.load_game(f"python_cardgames_{name}"), np.random.default_rng(2)
    cards_of, num_known = list if name == "doudizhu" else str.split, 0
    for deal in range(4):
        state, resample = state_after_deal(game, 7, 7, 7, 7, 7, deal), game.resampler(seed=1)
        for _ in range(40):
            if state.is_terminal():
                break
            seat = state.current_player()
            first = resample(state, seat)
            others = [first, resample(first, seat), resample(first.clone(), seat)]
            assert {other.information_state_string(seat) for other in others} == {state.information_state_string(seat)}
            assert {other.observation_string(seat) for other in others} == {state.observation_string(seat)}
            assert all(other.legal_actions() == state.legal_actions() for other in others)
            observation = state.observation(seat).to_dict()
            for other_seat, cards in enumerate(observation["known"]):
                hands = [Counter(cards_of(other.round.to_dict()["hands"][other_seat])) for other in others]
                assert all(Counter(cards_of(cards)) <= hand for hand in hands)
                num_known += bool(cards)
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert num_known or "official" not in name


def test_resampler_draws_different_rounds_with_its_seed() -> None:
    game = pyspiel.load_game("python_cardgames_uno(players=2,rules=rlcard)")
    state = state_after_deal(game, *[7] * 6)
    resample, seat = game.resampler(seed=1), state.current_player()
    others = [str(resample(state, seat)) for _ in range(5)]
    assert len({*others}) == 5
    assert str(game.resampler(seed=1)(state, seat)) == others[0]
    with pytest.raises(InvalidInput, match="it is not the turn of seat"):
        resample(state, 1 - seat)
    with pytest.raises(InvalidInput, match="it is not the turn of seat"):
        resample(game.new_initial_state(), 0)


def test_chance_outcomes_fit_into_the_action_mask() -> None:
    """OpenSpiel writes chance outcomes into a mask of the size of the actions."""
    for name in ("uno", "doudizhu"):
        game = pyspiel.load_game(f"python_cardgames_{name}")
        assert game.max_chance_outcomes() <= game.num_distinct_actions()
        with pytest.raises(InvalidInput, match="a digit from 0 to 15"):
            game.new_initial_state().apply_action(game.max_chance_outcomes())


def test_observer_exists_only_for_the_view_of_one_seat() -> None:
    game = pyspiel.load_game("python_cardgames_uno(players=2,rules=rlcard)")
    public_only = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    assert game.make_py_observer(public_only) is None
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert observer.tensor is None and observer.dict == {}


def test_information_states_differ_where_observations_differ() -> None:
    """A player who keeps a drawn card adds no event to the history, but the turn has passed."""
    game = pyspiel.load_game("python_cardgames_uno(players=3,rules=simplified)")
    chance, seen = random.Random(5), dict[str, str]()
    state = game.new_initial_state()
    for _ in range(200):
        state.apply_action(chance.choice(state.legal_actions()))
        if not state.is_chance_node():
            observed = state.observation_string(0)
            assert seen.setdefault(state.information_state_string(0), observed) == observed


@pytest.mark.parametrize("name", ["uno(rules=rlcard,overrides=hand-size:2)", "doudizhu"])
def test_playthroughs_can_be_generated(name: str) -> None:
    text = generate_playthrough.playthrough(f"python_cardgames_{name}", action_sequence=None, seed=1)
    assert "IsTerminal() = True" in text


def test_rl_environment_and_ismcts_of_openspiel_play_a_round() -> None:
    game = pyspiel.load_game("python_cardgames_uno(players=2,rules=rlcard)")
    env = rl_environment.Environment(game)
    step = env.reset()
    while not step.last():
        step = env.step([step.observations["legal_actions"][step.current_player()][0]])
        for seat, inputs in enumerate(step.observations["info_state"]):
            expected = game.base_game.encode(env.get_state.round.observation(seat), game.encoding)
            assert_same(inputs, expected.ravel().tolist(), f"seat {seat}, info_state")
    assert step.rewards == env.get_state.round.returns() and sorted(step.rewards) == [-1.0, 1.0]
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game=game, evaluator=rollouts, uct_c=1.0, max_simulations=20, random_state=np.random.RandomState(2)
    )
    bot.set_resampler(game.resampler(seed=3))
    state = next(
        state
        for state in (state_after_deal(game, 0, 0, 0, 0, 0, deal) for deal in range(16))
        if len(state.legal_actions()) > 1
    )
    assert bot.step(state) in state.legal_actions()


def test_game_type_has_utility_and_bounds_of_the_rules() -> None:
    def utility(parameters: str) -> tuple[object, float]:
        game = pyspiel.load_game(f"python_cardgames_{parameters}")
        return game.get_type().utility, game.max_utility()

    zero, general = pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.GENERAL_SUM
    assert utility("uno(players=2,rules=rlcard)") == (zero, 1)
    assert utility("uno(players=3,rules=rlcard)") == (general, 1)
    assert utility("uno(players=2,overrides=payoff:win)") == (general, 1)
    assert utility("uno(players=3,rules=official)") == (zero, float("inf"))


@pytest.mark.parametrize(
    "parameters", ["encoding=5x5", "encoding=cheating-7x4x15", "encoding=seat-canonical", "rules=none"]
)
def test_wrong_parameters_are_refused(parameters: str) -> None:
    with pytest.raises(InvalidInput):
        pyspiel.load_game(f"python_cardgames_uno({parameters})")


def test_parameters_set_players_and_rules() -> None:
    game = pyspiel.load_game("python_cardgames_uno(players=3,rules=common,overrides=turn-limit:300;hand-size:5)")
    assert game.num_players() == 3 and game.max_game_length() == 300
    assert (game.base_game.rules["hand-size"], game.base_game.rules["payoff"]) == (5, "win-loss")


@pytest.mark.parametrize(
    ("name", "players", "rules", "encoding"),
    [("uno", 2, "official", "4x4x15"), ("doudizhu", 3, "classic", "rlcard")],
)
def test_default_players_rules_encoding_and_resampler_seed(name: str, players: int, rules: str, encoding: str) -> None:
    game = pyspiel.load_game(f"python_cardgames_{name}")
    assert (game.num_players(), game.base_game.rules.name, game.encoding) == (players, rules, encoding)
    state = state_after_deal(game, *[7] * 6)
    implicit, explicit = (
        str(resample(state, state.current_player())) for resample in (game.resampler(), game.resampler(seed=0))
    )
    assert implicit == explicit


def test_observer_is_empty_before_the_deal_and_shows_no_history() -> None:
    game = pyspiel.load_game("python_cardgames_uno(players=2,rules=rlcard)")
    observer, state = game.make_py_observer(), state_after_deal(game, *[7] * 6)
    observer.set_from(state, 0)
    assert observer.tensor.any()
    assert "history" not in observer.string_from(state, 0) and "hand: " in observer.string_from(state, 0)
    observer.set_from(game.new_initial_state(), 0)
    assert not observer.tensor.any()
