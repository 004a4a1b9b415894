"""The games as OpenSpiel's, by its own simulation tests, its learners' environment and its search."""

import numpy as np
import pytest

from cardgames import InvalidInput
from cardgames.core.rng import derive

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402

import cardgames.envs.openspiel  # noqa: E402, F401


def dealt(game, *digits: int):
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
def test_it_passes_openspiels_simulations(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    assert pyspiel.load_game(str(game)).num_distinct_actions() == game.num_distinct_actions()


def test_a_round_is_the_engines() -> None:
    game, rng = pyspiel.load_game("python_cardgames_uno(players=3,rules=rlcard)"), np.random.default_rng(4)
    state, other = dealt(game, 5, 0, 255), game.cards.new_initial_state(derive(5, 0, 255))
    while not state.is_terminal():
        mover = state.current_player()
        assert mover == other.current_player() and state.legal_actions() == other.legal_actions()
        shown = game.cards.encode(other, "4x4x15")
        assert np.array_equal(np.reshape(state.observation_tensor(mover), shown.shape), shown)
        action = int(rng.choice(state.legal_actions()))
        assert state.action_to_string(mover, action) == other.action_to_string(action)
        state.apply_action(action)
        other.apply_action(action)
    assert state.returns() == other.returns()


def test_a_clone_is_independent() -> None:
    state = dealt(pyspiel.load_game("python_cardgames_uno"), 1, 2, 3)
    before, clone = str(state), state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert str(state) == before != str(clone)


@pytest.mark.parametrize("name", ["uno(players=2,rules=rlcard)", "uno(players=3,rules=official)", "doudizhu"])
def test_what_is_resampled_is_the_same_to_the_seat(name: str) -> None:
    game = pyspiel.load_game(f"python_cardgames_{name}")
    state, rng = dealt(game, 7, 7, 7), np.random.default_rng(2)
    for _ in range(9):
        state.apply_action(int(rng.choice(state.legal_actions())))
    seat, resample = state.current_player(), game.resampler(seed=1)
    others = [resample(state, seat) for _ in range(5)]

    def seen(states) -> set[str]:
        return {state.information_state_string(seat) for state in states}

    assert seen(others) == seen([state]) and len({str(other) for other in others}) == 5
    assert {other.observation_string(seat) for other in others} == {state.observation_string(seat)}
    assert [str(game.resampler(seed=1)(state, seat)) for _ in range(2)] == [str(others[0])] * 2
    action = state.legal_actions()[0]
    assert state.action_to_string(action) != "draw"
    assert seen(other.child(action) for other in others) == seen([state.child(action)])


def test_its_learners_and_its_search_play() -> None:
    game = pyspiel.load_game("python_cardgames_uno(players=2,rules=rlcard)")
    env = rl_environment.Environment(game)
    step = env.reset()
    while not step.last():
        step = env.step([step.observations["legal_actions"][step.current_player()][0]])
    assert sorted(step.rewards) == [-1.0, 1.0]
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game=game, evaluator=rollouts, uct_c=1.0, max_simulations=20, random_state=np.random.RandomState(2)
    )
    bot.set_resampler(game.resampler(seed=3))
    state = next(state for state in (dealt(game, 0, 0, deal) for deal in range(99)) if len(state.legal_actions()) > 1)
    assert bot.step(state) in state.legal_actions()


def test_what_it_says_of_itself() -> None:
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
def test_what_cannot_be_is_refused(parameters: str) -> None:
    with pytest.raises(InvalidInput):
        pyspiel.load_game(f"python_cardgames_uno({parameters})")
