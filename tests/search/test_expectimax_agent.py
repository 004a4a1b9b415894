"""The agent `expectimax`: its values by hand, its options, and that it plays every rule set."""

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
    """The value of every legal action by its text."""
    found = make_expectimax(state.game, 0, **options).values(state.observation())
    return {state.game.action_to_string(action): value for action, value in found.items()}


def test_depth_one_is_the_papers_evaluation() -> None:
    state = Uno(2, "simplified").position(hands=["r1 r2 g1 b7 w", 7], top="r5")
    found = values(state, depth=1)
    # colours - 2 * cards + wilds of the hand that is left
    assert found["r1"] == found["r2"] == 3 - 2 * 4 + 1
    assert found["w:r"] == found["w:g"] == 3 - 2 * 4 + 0
    # a card drawn is any of the deck: 25 of 108 are yellow, 8 are wild
    assert found["draw"] == pytest.approx((3 + 25 / 108) - 2 * 6 + (1 + 8 / 108))
    assert values(state, depth=1, cards=0, wilds=0)["r1"] == 3


def test_depth_two_by_hand() -> None:
    """Of r1, g2, b3, y4 the opponent holds two; see the chain's own test: r1 on top with 3/4, r5 or r6 with 1/4."""
    state = Uno(2, "rlcard").position(hands=["r5 r6 g6", "g2 b3"], top="r4", draw="r1 y4", pile=2)
    found = values(state, chain="dealt")
    # r5: then r6 can always follow, and g6 is left. r6: g6 follows if r6 lies on top, else r5 does
    assert found["r5"] == pytest.approx(1 - 2)
    assert found["r6"] == pytest.approx(1 - 2)


def test_depth_three_sees_the_order_of_play() -> None:
    """Nobody else can play: b9, b6, g6 empties the hand, but after b6 and b9 g6 does not fit."""
    state = Uno(2, "rlcard", ["drawn-card=keep"]).position(hands=["b6 b9 g6", "r2 r3"], top="b4", draw="r1 y4", pile=2)
    found = values(state, chain="dealt", depth=3)
    assert found["b9"] == pytest.approx(0)
    assert found["b6"] < -1


def test_it_wins_at_once() -> None:
    state = Uno(3, "official").position(hands=["r5", 4, 2], top="r9")
    decision = cardgames.agent("expectimax", state.game).act(state.observation())
    assert state.game.action_to_string(decision.action) == "r5"


def test_the_result_counts_if_asked() -> None:
    """The opponent holds one red card: a skip keeps him from laying it."""
    state = Uno(2, "rlcard").position(hands=["r5 rs g6 g7", "r2"], top="r4", draw="r1 r3", pile=2)
    plain, wary = values(state), values(state, result=10)
    assert plain["rs"] - plain["r5"] < wary["rs"] - wary["r5"]
    assert wary["r5"] < -10


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_decisions_are_reproducible(depth: int) -> None:
    state = Uno(3, "rlcard").new_initial_state(seed=4)
    first, second = (
        cardgames.agent("expectimax", state.game, seed=1, depth=depth).act(state.observation()) for _ in range(2)
    )
    assert (first.action, first.policy, first.value) == (second.action, second.policy, second.value)
    assert sum(first.policy.values()) == pytest.approx(1) and first.action in first.policy
    assert first.value is None or 0 <= first.value <= 1


def test_decisions_do_not_depend_on_those_before() -> None:
    """Whatever it looked at before, an opponent who will keep the turn to the end is judged alike."""
    game = Uno(2, "simplified")
    skips = game.position(hands=["r5 g4 b1", "rs rs"], top="r4", draw="rd rd", pile=2, seed=1)
    agent = make_expectimax(game, 0)
    fresh = agent.values(skips.observation())
    for seed in range(3):
        agent.values(game.new_initial_state(seed=seed).observation())
        assert agent.values(skips.observation()) == fresh


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 4, 10])
def test_whole_rounds_under_every_preset(preset: str, players: int) -> None:
    game = Uno(players, preset, ["turn-limit=400"])
    state = deal(game, players, 0)
    play_round(state, [cardgames.agent("expectimax", game, seed=seat) for seat in range(players)])
    assert state.is_terminal()


def test_any_decision_under_any_rules() -> None:
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
    """The actions the kernel finds best."""
    best = np.zeros(game.num_distinct_actions, np.int32)
    return {int(action) for action in best[: expectimax_actions(game.kernel_rules, record, best)]}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3])
def test_the_kernel_plays_as_the_agent_does_and_reads_no_hidden_card(preset: str, players: int) -> None:
    game = Uno(players, preset, ["turn-limit=80"])
    agent, (policy_id, weights) = make_expectimax(game, 0), game.policy("expectimax")
    state, hidden = game.new_initial_state(seed=2), np.zeros(1, game.state_dtype)[0]
    chance, asked = random.Random(1), 0
    while not state.is_terminal():
        observation = state.observation()
        ops.determinize(game.kernel_rules, observation.record, rng.stream(chance.getrandbits(60)), hidden)
        records = (state.record, observation.record, hidden)
        answers = {int(ops.policy(game.kernel_rules, record, policy_id, weights, rng.stream(5))) for record in records}
        assert len(answers) == 1
        best = best_by_kernel(game, hidden)
        if state.record.phase in (PLAY, AFTER_DRAW):
            asked += len(observation.legal_actions) > 1
            assert best == set(agent.act(observation).policy)
            assert answers <= best
            for action in observation.legal_actions:
                chances = {ops.likelihood(game.kernel_rules, record, action, policy_id, weights) for record in records}
                assert chances == {1 / len(best) if action in best else 0.0}
        else:
            assert best == set()
        state.apply_action(lively(state.legal_actions(), chance))
    assert asked > 5


def test_the_kernel_leaves_side_questions_alone() -> None:
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
def test_wrong_options_are_refused(options: str) -> None:
    with pytest.raises(cardgames.InvalidInput):
        cardgames.agent(f"expectimax:{options}", Uno(2))


def test_a_report_tells_what_every_action_is_worth() -> None:
    state = Uno(2, "simplified").position(hands=["r1 r2 g1 b7 w", 7], top="r5")
    decision = cardgames.agent("expectimax", state.game, seed=1).act(state.observation())
    report = decision.report
    assert report is not None and report.actions[0].action == decision.action
    assert {entry.action for entry in report.actions} == set(state.legal_actions())
    assert decision.value == report.actions[0].value


def test_a_value_is_the_logistic_of_a_tenth_of_the_worth() -> None:
    state = Uno(2, "rlcard").position(hands=["r1 r2 g1 b7 w", 7], top="r5", seed=1)
    agent = cardgames.agent("expectimax", state.game, seed=1)
    worth = max(agent.values(state.observation()).values())
    assert agent.act(state.observation()).value == pytest.approx(1 / (1 + math.exp(-worth / 10)))


def test_of_equals_it_takes_any() -> None:
    state = Uno(2, "simplified").position(hands=["r1 r2 g1 b7", 7], top="r5", seed=1)
    decisions = [cardgames.agent("expectimax:depth=1", state.game, seed=s).act(state.observation()) for s in range(30)]
    assert {decision.action for decision in decisions} == set(decisions[0].policy) and len(decisions[0].policy) == 2


def test_cards_that_are_taken_count_at_depth_one() -> None:
    state = Uno(2, "common", ["stacking=same"]).position(hands=["rd y1 y2", "bd r1 r2"], top="r5")
    state.apply_action(state.game.parse_action("rd"))
    found = values(state, depth=1)
    # bd leaves one colour on two cards; two cards taken make five, of which each new one is any of the deck
    assert found["bd"] == 1 - 2 * 2
    other = 1 - (83 / 108) ** 2
    assert found["take"] == pytest.approx(2 + 2 * other - 2 * 5 + 2 * 8 / 108)


def test_going_out_is_worth_the_result() -> None:
    state = Uno(2, "common").position(hands=["r5", "g1 g2"], top="r9")
    assert values(state, depth=1, result=10)["r5"] == values(state, depth=2, result=10)["r5"] == 10
