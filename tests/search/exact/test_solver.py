"""The exact solver: known endgames, limits, interruption, principal lines, and the kernel for other searches."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardgames
from cardgames.core.state import State
from cardgames.kernels.jit import njit
from cardgames.search.exact.solver import Solver
from cardgames.search.exact.solver_memory import OBJECTIVES, new_memory
from cardgames.search.exact.state_value import state_value
from cardgames.search.exact.transposition_table import new_table
from tests.search.exact.positions import doudizhu_ending, uno_ending

ENDGAMES: list[tuple[list[str], list[str]]] = [
    (["45569TKA2", "4588TJKB", "3"], ["5"]),
    (["3366789TJQKKR", "789TJQKAA", "3"], ["K"]),
    (["3455KK", "345522", "3"], ["4", "5"]),
    (["33345AR", "QK222B", "3"], ["4", "5"]),
    (["QQKK22BR", "TT888822", "3"], []),
    (["45577TTKK2", "8AA", "3"], []),
]
"""Hands of the landlord, who leads, its opponent and a third seat that never plays -> every winning first move."""


def doudizhu(rules: str, hands: list[str], **parts: object) -> State:
    """Return a position of Dou Di Zhu with seat 0 as landlord."""
    return cardgames.make("doudizhu", rules=rules).position(hands=hands, landlord=0, **parts)


def texts(state: State, actions: tuple[int, ...]) -> set[str]:
    """Return actions as texts."""
    return {state.action_to_string(action) for action in actions}


@pytest.mark.parametrize(("hands", "winning"), ENDGAMES)
def test_every_winning_first_move_of_endgames(hands: list[str], winning: list[str]) -> None:
    state = doudizhu("online", hands)
    solution = cardgames.solve(state)
    assert solution.complete
    assert solution.value == float(bool(winning))
    assert texts(state, solution.winning) == set(winning)
    assert_line_reaches_value(state, solution)


def test_peasants_bomb_at_the_end_doubles_the_stake() -> None:
    state = doudizhu("douzero", ["345", "8888JJ", "346"], to_move=1)
    solution = cardgames.solve(state, "payoff")
    # each peasant gets 2, so the side gets 4; all cards in one move are no bomb
    assert (solution.value, solution.unit) == (2.0, "points")
    assert texts(state, solution.best) == {"JJ", "J", "8888"}
    assert solution.actions[cardgames.make("doudizhu", rules="douzero").parse_action("8888JJ")].value == 1.0


def test_rocket_is_kept_together_for_the_stake() -> None:
    state = doudizhu("douzero", ["5BR", "668", "79T"])
    solution = cardgames.solve(state, "payoff")
    assert solution.value == 4.0
    assert texts(state, solution.best) == {"BR", "5"}
    assert texts(state, cardgames.solve(state).winning) > {"BR", "5"}


def test_value_for_another_seat() -> None:
    state = doudizhu("online", ENDGAMES[0][0])
    assert [cardgames.solve(state, player=seat).value for seat in range(3)] == [1.0, 0.0, 0.0]
    assert cardgames.solve(doudizhu("douzero", ["5BR", "668", "79T"]), "payoff", player=1).value == -2.0


def test_uno_turn_that_wins_whatever_comes() -> None:
    state = cardgames.make("uno").position(
        hands=["rs ys gs w", "g1 g2 y5"], top="r8", draw="b1 r9 y2 y4", pile=4, seed=0
    )
    solution = cardgames.solve(state)
    assert solution.value == 1.0
    assert "rs" in texts(state, solution.winning)
    assert_line_reaches_value(state, solution)


def test_uno_position_that_needs_a_reshuffled_pile_is_unknown() -> None:
    state = cardgames.make("uno").position(hands=["r1 b2", "g3 g4"], top="y5", draw="", pile=0, seed=0)
    solution = cardgames.solve(state)
    assert solution.value is None
    assert (solution.complete, solution.stopped) == (False, "unknown cards")


def test_dealt_round_of_uno_counts_its_draw_pile_as_known() -> None:
    state = cardgames.make("uno", rules="common").new_initial_state(seed=4)
    before = state.record.tobytes()
    solution = cardgames.solve(state, max_nodes=5_000)
    assert state.record.tobytes() == before
    assert solution.value is not None or solution.stopped == "nodes"


def test_limits_leave_what_is_proved() -> None:
    state = doudizhu("online", ENDGAMES[1][0])
    solution = cardgames.solve(state, max_nodes=100)
    assert not solution.complete
    assert solution.stopped == "nodes"
    assert solution.nodes <= 100
    everything = cardgames.solve(state)
    for action, bounds in solution.actions.items():
        assert bounds.lower <= everything.actions[action].lower <= everything.actions[action].upper <= bounds.upper
    assert cardgames.solve(doudizhu("classic", ["3456789TJQ", "3456789TJQ", "3456789TJK"]), seconds=1e-9).stopped in (
        "time",
        "",
    )


def test_ctrl_c_leaves_what_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    state = doudizhu("online", ENDGAMES[1][0])
    solver, proofs = Solver(state.game), itertools.count()
    prove = solver.prove

    def interrupted(*arguments: object) -> tuple[float, float]:
        if next(proofs) == 12:
            raise KeyboardInterrupt
        return prove(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(solver, "prove", interrupted)
    solution = solver.solve(state)
    assert (solution.complete, solution.stopped) == (False, "interrupted")
    assert any(bounds.value is not None for bounds in solution.actions.values())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"objective": "fun"}, "unknown objective"),
        ({"max_nodes": 0}, "max_nodes is a whole number from 1"),
        ({"seconds": 0.0}, "seconds is a number above 0"),
        ({"player": 3}, "3"),
    ],
)
def test_bad_arguments(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match=message):
        cardgames.solve(doudizhu("online", ENDGAMES[2][0]), **arguments)


def test_finished_round_is_refused() -> None:
    state = doudizhu("online", ["3", "4", "5"])
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(cardgames.InvalidInput, match="the round is over"):
        cardgames.solve(state)


def test_solution_as_json() -> None:
    solution = cardgames.solve(doudizhu("online", ENDGAMES[2][0]))
    data = json.loads(json.dumps(solution.to_dict()))
    assert list(data) == ["value", "unit", "winning", "line", "nodes", "seconds", "complete"]
    assert (data["value"], data["unit"], sorted(data["winning"])) == (1.0, "win", ["4", "5"])


def assert_line_reaches_value(state: State, solution: cardgames.Solution) -> None:
    """Check that the principal line is legal and ends the round with the value of the solution."""
    end = state.clone()
    for action in solution.line:
        end.apply_action(action)
    assert end.is_terminal()
    if solution.objective == "win":
        assert (solution.player in end.winners()) == (solution.value == 1.0)
    else:
        assert end.returns()[solution.player] == solution.value


@njit
def value_in_kernel(rules, state, player, objective, max_nodes, table, memory):  # type: ignore[no-untyped-def]
    """Call the solver as another search would."""
    return state_value(rules, state, player, objective, max_nodes, table, memory)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), objective=st.sampled_from(["win", "payoff"]), uno=st.booleans())
def test_best_moves_keep_the_value_and_kernels_agree(seed: int, objective: str, uno: bool) -> None:
    state = uno_ending(seed, changes=False) if uno else doudizhu_ending(seed)
    solution = cardgames.solve(state, objective, max_nodes=200_000)
    if solution.stopped == "nodes":
        return
    game, table, memory = state.game, new_table(1 << 10), new_memory(state.game)
    arguments = np.int64(solution.player), np.int64(OBJECTIVES[objective])
    before = state.record.copy()
    value = value_in_kernel(game.kernel_rules, state.record, *arguments, np.int64(1 << 40), table, memory)
    assert state.record.tobytes() == before.tobytes()
    assert (value == solution.value) if solution.value is not None else np.isnan(value)
    within_no_nodes = value_in_kernel(game.kernel_rules, state.record, *arguments, np.int64(0), new_table(4), memory)
    assert np.isnan(within_no_nodes) or within_no_nodes == solution.value
    if solution.complete:
        assert_line_reaches_value(state, solution)
        for action in solution.best:
            after = state.clone()
            after.apply_action(action)
            if not after.is_terminal():
                assert cardgames.solve(after, objective, player=solution.player).value == solution.value
