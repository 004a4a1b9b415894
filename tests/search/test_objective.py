"""Objective of a search: payoff or probability of winning, and the units of reports."""

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.core.state import State
from cardgames.search.objective import (
    PAYOFF,
    UTILITY,
    WIN,
    objective_id,
    outcome_value,
    value_of_probability,
    value_scale,
)
from cardgames.uno.outcome import POINT_SCALE


def finished(name: str, rules: str, seed: int, players: int = 3) -> State:
    """Return the end of a random round."""
    game = cardgames.make(name, players=players, rules=rules)
    state, chance = game.new_initial_state(seed=seed), np.random.default_rng(seed)
    while not state.is_terminal():
        state.apply_action(int(chance.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize(
    ("name", "rules", "points"),
    [("uno", "official", True), ("uno", "common", False), ("doudizhu", "classic", True), ("doudizhu", "rlcard", False)],
)
def test_objectives_differ_only_where_rounds_pay_points(name: str, rules: str, points: bool) -> None:
    game = cardgames.make(name, players=3, rules=rules)
    assert game.pays_points == points
    assert [objective_id(game, text) for text in ("payoff", "win")] == ([PAYOFF, WIN] if points else [UTILITY, UTILITY])


@pytest.mark.parametrize(("name", "rules"), [("uno", "official"), ("doudizhu", "classic"), ("doudizhu", "online")])
def test_value_of_an_outcome_is_its_payoff_in_the_unit_of_reports(name: str, rules: str) -> None:
    for seed in range(20):
        state = finished(name, rules, seed)
        game, payoffs = state.game, state.returns()
        scale = value_scale(game, state.record, "payoff")
        for seat in range(3):
            value = outcome_value(game.kernel_rules, state.record, seat, PAYOFF, scale.bounds)
            assert scale.value(value, seat) == pytest.approx(payoffs[seat])
            won = outcome_value(game.kernel_rules, state.record, seat, WIN, scale.bounds)
            assert won == (float(seat in state.winners()) if state.winners() else pytest.approx(1 / 3))


def test_stakes_in_dou_di_zhu_are_what_a_round_that_ends_now_would_pay() -> None:
    played = 0
    for seed in range(60):
        state = finished("doudizhu", "online", seed)
        if not state.winners():
            continue
        for seat in range(3):
            low, high = ops.stakes(state.game.kernel_rules, state.record, seat)
            assert (high if seat in state.winners() else low) == state.returns()[seat]
            played += 1
    assert played


def test_probability_of_winning_counts_at_the_stakes_of_the_leaf() -> None:
    game = cardgames.make("doudizhu", rules="classic", overrides=["bomb-doubling=double"])
    root = game.position(hands=["34B", "5678", "56"], landlord=0, bid=3)
    leaf = game.position(hands=["34B", "5678", "56"], landlord=0, bid=3, bombs=1)
    scale = value_scale(game, root.record, "payoff")
    assert scale.bounds[0].tolist() == [-6, 6] and scale.bounds[1].tolist() == [-3, 3]
    value = value_of_probability(game.kernel_rules, leaf.record, 0, 0.75, PAYOFF, scale.bounds)
    assert scale.value(value, 0) == pytest.approx(6)  # 0.75 * 12 - 0.25 * 12
    assert value_of_probability(game.kernel_rules, leaf.record, 0, 0.75, WIN, scale.bounds) == 0.75


@pytest.mark.parametrize(
    "agent", ["mcts-dbm:simulations=100", "mcts-dbm:setting=paper,simulations=50", "ismcts:simulations=50"]
)
def test_reports_say_their_unit(agent: str) -> None:
    state = cardgames.make("uno", rules="official").new_initial_state(seed=5)
    for objective, unit, most in (("payoff", "points", 2 * POINT_SCALE), ("win", "win", 1)):
        decision = cardgames.agent(agent, state.game, seed=1, objective=objective).act(state.observation())
        assert decision.unit == decision.report.unit == unit
        assert all(-most <= row.value <= most for row in decision.report.actions if row.value is not None)
        assert unit == "points" or 0 <= decision.value <= 1
    common = cardgames.make("uno", rules="common").new_initial_state(seed=5)
    assert cardgames.agent(agent, common.game, seed=1).act(common.observation()).unit == "win"


def test_payoff_objective_keeps_a_bomb_for_the_stake() -> None:
    """With the lead and 8888JJ, playing all at once wins 2 points, and keeping the bomb for later wins 4."""
    game = cardgames.make("doudizhu", rules="douzero")
    state = game.position(hands=["345", "8888JJ", "346"], landlord=0, to_move=1)
    action = cardgames.agent("cheating-all:simulations=2000,nodes=all,c=1,trees=1", game, seed=1).peek(state).action
    assert game.action_to_string(action) != "8888JJ"


def test_unknown_objective_and_setting_are_refused() -> None:
    game = cardgames.make("uno")
    with pytest.raises(cardgames.InvalidInput, match="objective"):
        cardgames.agent("mcts-dbm:objective=fun", game)
    with pytest.raises(cardgames.InvalidInput, match="setting"):
        cardgames.agent("mcts-dbm:setting=fun", game)
