"""The exact solver against a slow minimax in plain Python, on random small endings of both games."""

import math

import pytest

from cardgames.core.state import State
from cardgames.search.exact.solver import Solver
from tests.search.exact.minimax import Minimax
from tests.search.exact.positions import doudizhu_ending, uno_ending


def compare(state: State, objective: str, max_states: int = 4_000) -> bool:
    """Compare the solver with minimax from a position; return False if minimax finds it too large."""
    player = state.current_player()
    minimax = Minimax(state.game, player, objective, max_states)
    try:
        lower, upper = minimax.value(state)
    except OverflowError:
        return False
    solution = Solver(state.game, 1 << 12).solve(state, objective)
    wanted = {action: minimax.after(state, action) for action in state.legal_actions()}
    if lower == upper:
        assert solution.value == lower
        assert solution.complete == all(low >= lower or high < lower for low, high in wanted.values())
        if solution.complete:
            assert set(solution.best) == {action for action, (low, _) in wanted.items() if low == lower}
    else:
        assert solution.value is None
        assert not solution.complete
        assert solution.stopped == "unknown cards"
    for action, (low, high) in wanted.items():
        bounds = solution.actions[action]
        assert bounds.lower <= high
        assert bounds.upper >= low
        if objective == "win" and low == high and math.isfinite(low):
            assert bounds.lower <= low <= bounds.upper
    return True


def test_action_of_unknown_value_that_cannot_be_better_leaves_the_value_known() -> None:
    state = uno_ending(1_000_046)
    assert compare(state, "payoff")
    solution = Solver(state.game).solve(state, "payoff")
    assert (solution.value, solution.complete) == (1.0, False)


@pytest.mark.parametrize("objective", ["win", "payoff"])
@pytest.mark.parametrize("ending", [doudizhu_ending, uno_ending])
def test_solver_agrees_with_minimax(ending: object, objective: str) -> None:
    assert callable(ending)
    compared, seed = 0, 1000
    while compared < 50:  # some positions are too large for minimax
        compared += compare(ending(seed), objective)
        seed += 1
