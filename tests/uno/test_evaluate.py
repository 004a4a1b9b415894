"""The verb `utility`: what a round is worth to searches is what its rules pay."""

import pytest

import cardgames
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.state import State

POINT_SCALE = 200


def void(rules: str, players: int = 3) -> tuple[Game, State]:
    """Return a round that its turn limit has ended."""
    game = cardgames.make("uno", players, rules, ["turn-limit=4"])
    state = game.new_initial_state(seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert not state.winners()
    return game, state


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_void_round_pays_no_points(players: int) -> None:
    game, state = void("official", players)
    assert state.returns() == [0.0] * players
    for seat in range(players):
        assert ops.utility(game.kernel_rules, state.record, seat) == 0.5


@pytest.mark.parametrize("rules", ["rlcard", "common"])
def test_a_void_round_is_an_even_share_where_rounds_are_won_or_lost(rules: str) -> None:
    game, state = void(rules)
    assert ops.utility(game.kernel_rules, state.record, 0) == pytest.approx(1 / 3)


def test_a_round_of_points_is_worth_what_it_pays() -> None:
    game = cardgames.make("uno", 3, "official")
    state = game.position(hands=["r1", "g5 w", "b9"], top="r5", to_move=0, seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    for seat, paid in enumerate(state.returns()):
        assert ops.utility(game.kernel_rules, state.record, seat) == pytest.approx(0.5 + paid / (2 * POINT_SCALE))


def test_searches_take_a_void_round_for_what_it_pays() -> None:
    game = cardgames.make("uno", 3, "official", ["turn-limit=3"])
    seen = next(
        state.observation()
        for state in (game.new_initial_state(seed=seed) for seed in range(20))
        if len(state.legal_actions()) > 1
    )
    decision = cardgames.agent("mcts", game, seed=0, simulations=60).act(seen)
    assert decision.value == pytest.approx(0.5), "nobody can go out in three turns"


@pytest.mark.parametrize(
    ("payoff", "payoff_range"), [("win", (0, 1)), ("win-loss", (-1, 1)), ("rlcard", (-1, 1)), ("points", (-200, 200))]
)
def test_stakes_are_what_a_round_pays_that_is_worth_nothing_or_all(
    payoff: str, payoff_range: tuple[float, float]
) -> None:
    assert (
        cardgames.make("uno", players=3, rules="official", overrides=[f"payoff={payoff}"]).payoff_range == payoff_range
    )
