"""The agent `solver`: perfect play with all cards seen."""

import pytest

import cardgames
from cardgames.agents.agent import decide
from tests.search.exact.positions import doudizhu_ending
from tests.search.exact.test_solver import ENDGAMES, doudizhu


@pytest.mark.parametrize(("hands", "winning"), ENDGAMES)
def test_solver_wins_won_endgames_against_every_defense(hands: list[str], winning: list[str]) -> None:
    state = doudizhu("online", hands)
    solver = cardgames.agent("solver", state.game, 1)
    while not state.is_terminal():
        state.apply_action(decide(solver, state).action)
    assert (0 in state.winners()) == bool(winning)


def test_solver_never_gives_a_won_ending_away() -> None:
    for seed in range(30):
        state = doudizhu_ending(seed)
        value, player = cardgames.solve(state).value, state.current_player()
        agents = [cardgames.agent("solver", state.game, 1), cardgames.agent("random", state.game, seed)]
        while not state.is_terminal():
            own = (state.current_player() == state.record.landlord) == (player == state.record.landlord)
            state.apply_action(decide(agents[0 if own else 1], state).action)
        assert player in state.winners() or value == 0.0


def test_fallback_policy_decides_beyond_the_limit() -> None:
    game = cardgames.make("uno", rules="common")
    state = game.new_initial_state(seed=3)
    decision = decide(cardgames.agent("solver:nodes=50,fallback=reflex", game, 1), state)
    assert decision.action in state.legal_actions()
    assert decision.value is None
    with pytest.raises(cardgames.InvalidInput, match="sees all cards"):
        cardgames.agent("solver", game, 1).act(state.observation())
    with pytest.raises(cardgames.InvalidInput, match="unknown objective"):
        cardgames.agent("solver:objective=fun", game, 1)
