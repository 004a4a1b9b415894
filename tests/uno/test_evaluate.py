"""Uno's `ops.utility`: the value of a round for searches agrees with its payoff."""

import pytest

import cardgames
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.state import State

POINT_SCALE = 200


def void_round(rules: str, players: int = 3) -> tuple[Game, State]:
    """Return a round that ended at its turn limit, and its game."""
    game = cardgames.make("uno", players, rules, ["turn-limit=4"])
    state = game.new_initial_state(seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert not state.winners()
    return game, state


@pytest.mark.parametrize("players", [2, 3, 5])
def test_void_round_pays_no_points_and_has_utility_one_half(players: int) -> None:
    game, state = void_round("official", players)
    assert state.returns() == [0.0] * players
    for seat in range(players):
        assert ops.utility(game.kernel_rules, state.record, seat) == 0.5


@pytest.mark.parametrize("rules", ["rlcard", "common"])
def test_void_round_has_utility_one_over_players_without_points(rules: str) -> None:
    game, state = void_round(rules)
    assert ops.utility(game.kernel_rules, state.record, 0) == pytest.approx(1 / 3)


def test_utility_under_points_is_the_scaled_payoff() -> None:
    game = cardgames.make("uno", 3, "official")
    state = game.position(hands=["r1", "g5 w", "b9"], top="r5", to_move=0, seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    for seat, paid in enumerate(state.returns()):
        assert ops.utility(game.kernel_rules, state.record, seat) == pytest.approx(0.5 + paid / (2 * POINT_SCALE))


def test_search_values_a_void_round_at_no_points() -> None:
    game = cardgames.make("uno", 3, "official", ["turn-limit=3"])
    seen = next(
        state.observation()
        for state in (game.new_initial_state(seed=seed) for seed in range(20))
        if len(state.legal_actions()) > 1
    )
    decision = cardgames.agent("mcts:setting=paper", game, seed=0, simulations=60).act(seen)
    assert (decision.value, decision.unit) == (pytest.approx(0), "points"), "nobody can go out in three turns"


@pytest.mark.parametrize(
    ("payoff", "payoff_range"), [("win", (0, 1)), ("win-loss", (-1, 1)), ("rlcard", (-1, 1)), ("points", (-200, 200))]
)
def test_payoff_range_of_each_payoff_rule(payoff: str, payoff_range: tuple[float, float]) -> None:
    assert (
        cardgames.make("uno", players=3, rules="official", overrides=[f"payoff={payoff}"]).payoff_range == payoff_range
    )
