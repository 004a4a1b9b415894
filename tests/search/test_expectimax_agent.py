"""Tests of the agent `expectimax`: values computed by hand, options, play under every rule set, the kernel policy."""

import math
import random
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.arena.match import deal, play_round
from cardgames.core import ops
from cardgames.kernels import rng
from cardgames.search.expectimax_agent import make_expectimax
from cardgames.uno.expectimax.expectimax_policy import expectimax_actions
from cardgames.uno.game import Uno
from cardgames.uno.state import AFTER_DRAW, PLAY
from tests.uno.tables import PRESETS, choose_game, lively


def values(state: cardgames.State, **options: object) -> dict[str, float]:
    """Return action as text -> expectimax value, for every legal action."""
    by_action = make_expectimax(state.game, 0, **options).values(state.observation())
    return {state.game.action_to_string(action): value for action, value in by_action.items()}


def test_depth_one_equals_the_evaluation_of_the_paper() -> None:
    state = Uno(2, "simplified").position(hands=["r1 r2 g1 b7 w", 7], top="r5")
    action_values = values(state, depth=1)
    # colors - 2 * cards + wilds of the remaining hand
    assert action_values["r1"] == action_values["r2"] == 3 - 2 * 4 + 1
    assert action_values["w:r"] == action_values["w:g"] == 3 - 2 * 4 + 0
    # a drawn card is a random one of the deck: 25 of 108 are yellow, 8 are wild
    assert action_values["draw"] == pytest.approx((3 + 25 / 108) - 2 * 6 + (1 + 8 / 108))
    assert values(state, depth=1, cards=0, wilds=0)["r1"] == 3


def test_depth_two_values_by_hand() -> None:
    """The opponent holds two of r1, g2, b3, y4, so the top card is r1 with probability 3/4, else r5 or r6."""
    state = Uno(2, "rlcard").position(hands=["r5 r6 g6", "g2 b3"], top="r4", draw="r1 y4", pile=2)
    action_values = values(state, chain="dealt")
    # after r5 the next card can always be r6, which leaves g6; after r6 it is g6 if r6 is on top, else r5
    assert action_values["r5"] == pytest.approx(1 - 2)
    assert action_values["r6"] == pytest.approx(1 - 2)


def test_depth_three_considers_the_order_of_cards() -> None:
    """The opponent cannot play; b9, b6, g6 empties the hand, but after b6 and b9 the card g6 is not playable."""
    state = Uno(2, "rlcard", ["drawn-card=keep"]).position(hands=["b6 b9 g6", "r2 r3"], top="b4", draw="r1 y4", pile=2)
    action_values = values(state, chain="dealt", depth=3)
    assert action_values["b9"] == pytest.approx(0)
    assert action_values["b6"] < -1


def test_expectimax_plays_its_last_card() -> None:
    state = Uno(3, "official").position(hands=["r5", 4, 2], top="r9")
    decision = cardgames.agent("expectimax", state.game).act(state.observation())
    assert state.game.action_to_string(decision.action) == "r5"


def test_weight_result_prevents_a_loss() -> None:
    """The opponent holds one red card, and a skip keeps it from playing it."""
    state = Uno(2, "rlcard").position(hands=["r5 rs g6 g7", "r2"], top="r4", draw="r1 r3", pile=2)
    without_result, with_result = values(state), values(state, result=10)
    assert without_result["rs"] - without_result["r5"] < with_result["rs"] - with_result["r5"]
    assert with_result["r5"] < -10


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_expectimax_decisions_are_reproducible(depth: int) -> None:
    state = Uno(3, "rlcard").new_initial_state(seed=4)
    first, second = (
        cardgames.agent("expectimax", state.game, seed=1, depth=depth).act(state.observation()) for _ in range(2)
    )
    assert (first.action, first.policy, first.value) == (second.action, second.policy, second.value)
    assert sum(first.policy.values()) == pytest.approx(1) and first.action in first.policy
    assert first.value is None or 0 <= first.value <= 1


def test_expectimax_values_do_not_depend_on_earlier_calls() -> None:
    """Values of a position whose opponent keeps the turn to the end are the same after searches of other positions."""
    game = Uno(2, "simplified")
    skips = game.position(hands=["r5 g4 b1", "rs rs"], top="r4", draw="rd rd", pile=2, seed=1)
    agent = make_expectimax(game, 0)
    fresh = agent.values(skips.observation())
    for seed in range(3):
        agent.values(game.new_initial_state(seed=seed).observation())
        assert agent.values(skips.observation()) == fresh


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 4, 10])
def test_expectimax_plays_rounds_under_every_preset(preset: str, players: int) -> None:
    game = Uno(players, preset, ["turn-limit=400"])
    state = deal(game, players, 0)
    play_round(state, [cardgames.agent("expectimax", game, seed=seat) for seat in range(players)])
    assert state.is_terminal()


def test_expectimax_plays_legal_actions_under_random_rules() -> None:
    chance = random.Random(8)
    for seed in range(60):
        game = choose_game(chance.choice)
        state = game.new_initial_state(seed=seed)
        agent = cardgames.agent("expectimax", game, seed=seed)
        for _ in range(30):
            if state.is_terminal():
                break
            observation = state.observation()
            decision = agent.act(observation)
            assert decision.action in observation.legal_actions
            state.apply_action(decision.action if chance.random() < 0.3 else lively(observation.legal_actions, chance))


def best_by_kernel(game: Uno, record: Any) -> set[int]:
    """Return the best actions according to the kernel policy."""
    best = np.zeros(game.num_distinct_actions, np.int32)
    return {int(action) for action in best[: expectimax_actions(game.kernel_rules, record, best)]}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3])
def test_kernel_policy_equals_agent_and_ignores_hidden_cards(preset: str, players: int) -> None:
    game = Uno(players, preset, ["turn-limit=80"])
    agent, (policy_id, weights) = make_expectimax(game, 0), game.policy("expectimax")
    state, hidden = game.new_initial_state(seed=2), np.zeros(1, game.state_dtype)[0]
    chance, num_choices = random.Random(1), 0
    while not state.is_terminal():
        observation = state.observation()
        ops.determinize(game.kernel_rules, observation.record, rng.stream(chance.getrandbits(60)), hidden)
        records = (state.record, observation.record, hidden)
        answers = {int(ops.policy(game.kernel_rules, record, policy_id, weights, rng.stream(5))) for record in records}
        assert len(answers) == 1
        best = best_by_kernel(game, hidden)
        if state.record.phase in (PLAY, AFTER_DRAW):
            num_choices += len(observation.legal_actions) > 1
            assert best == set(agent.act(observation).policy)
            assert answers <= best
            for action in observation.legal_actions:
                chances = {ops.likelihood(game.kernel_rules, record, action, policy_id, weights) for record in records}
                assert chances == {1 / len(best) if action in best else 0.0}
        else:
            assert best == set()
        state.apply_action(lively(state.legal_actions(), chance))
    assert num_choices > 5


def test_kernel_policy_answers_uno_call_by_default_policy() -> None:
    state = Uno(2, "official").position(hands=["r5 r6", "g2 b3"], top="r4")
    state.apply_action(state.game.parse_action("r5"))
    assert best_by_kernel(state.game, state.record) == set()
    answer = ops.policy(state.game.kernel_rules, state.record, *state.game.policy("expectimax"), rng.stream(1))
    assert state.game.action_to_string(int(answer)) == "uno"
    agent = make_expectimax(state.game, 0)
    assert agent.values(state.observation()) == {}
    assert state.game.action_to_string(agent.act(state.observation()).action) == "uno"


@pytest.mark.parametrize(
    "options",
    ["depth=0", "depth=4", "depth=1.5", "depth=2.0", "depth=x", "chain=exact", "cards=nan", "colors=red", "points=1"],
)
def test_expectimax_refuses_wrong_options(options: str) -> None:
    with pytest.raises(cardgames.InvalidInput):
        cardgames.agent(f"expectimax:{options}", Uno(2))


def test_expectimax_report_lists_every_action_best_first() -> None:
    state = Uno(2, "simplified").position(hands=["r1 r2 g1 b7 w", 7], top="r5")
    decision = cardgames.agent("expectimax", state.game, seed=1).act(state.observation())
    report = decision.report
    assert report is not None and report.actions[0].action == decision.action
    assert {entry.action for entry in report.actions} == set(state.legal_actions())
    assert decision.value == report.actions[0].value


def test_decision_value_is_logistic_of_expectimax_value() -> None:
    state = Uno(2, "rlcard").position(hands=["r1 r2 g1 b7 w", 7], top="r5", seed=1)
    agent = cardgames.agent("expectimax", state.game, seed=1)
    best_value = max(agent.values(state.observation()).values())
    assert agent.act(state.observation()).value == pytest.approx(1 / (1 + math.exp(-best_value / 10)))


def test_expectimax_chooses_among_equal_actions_at_random() -> None:
    state = Uno(2, "simplified").position(hands=["r1 r2 g1 b7", 7], top="r5", seed=1)
    decisions = [cardgames.agent("expectimax:depth=1", state.game, seed=s).act(state.observation()) for s in range(30)]
    assert {decision.action for decision in decisions} == set(decisions[0].policy) and len(decisions[0].policy) == 2


def test_taken_penalty_cards_count_at_depth_one() -> None:
    state = Uno(2, "common", ["stacking=same"]).position(hands=["rd y1 y2", "bd r1 r2"], top="r5")
    state.apply_action(state.game.parse_action("rd"))
    action_values = values(state, depth=1)
    # bd leaves two cards of one color; taking two makes five cards, and each new one is a random card of the deck
    assert action_values["bd"] == 1 - 2 * 2
    other = 1 - (83 / 108) ** 2
    assert action_values["take"] == pytest.approx(2 + 2 * other - 2 * 5 + 2 * 8 / 108)


def test_going_out_has_the_value_of_weight_result() -> None:
    state = Uno(2, "common").position(hands=["r5", "g1 g2"], top="r9")
    assert values(state, depth=1, result=10)["r5"] == values(state, depth=2, result=10)["r5"] == 10
