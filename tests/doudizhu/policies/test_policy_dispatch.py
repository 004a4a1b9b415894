"""Tests of all policies: legal actions under all rules, and agreement of `likelihood` with the actions played."""

import random
from collections import Counter

import numpy as np
import pytest

from cardgames.arena.match import play_match
from cardgames.core import ops
from cardgames.core.game_registry import make
from cardgames.doudizhu.game import DouDiZhu
from cardgames.doudizhu.policies.policy_dispatch import POLICIES
from cardgames.kernels import rng
from cardgames.networks.policy_lookup import find_policy
from tests.doudizhu.hand_helpers import DECK, PRESETS, choose_rules, dense_hand
from tests.referees.doudizhu_rounds import minus

NO_WEIGHTS = np.zeros(0, np.float32)


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("preset", PRESETS)
def test_policy_plays_legal_actions_in_whole_rounds(preset: str, name: str) -> None:
    game, stream = make("doudizhu", 3, preset), rng.stream(3)
    policies = [find_policy(game, name), game.policy("random"), find_policy(game, name)]
    for seed in range(20):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            policy = policies[state.current_player()]
            state.apply_action(int(ops.policy(game.kernel_rules, state.record, *policy, stream)))


@pytest.mark.parametrize("name", POLICIES)
def test_policy_leads_and_replies_legally_under_random_rules(name: str) -> None:
    chance, stream = random.Random(name), rng.stream(5)
    for _ in range(300):
        game = DouDiZhu(rules=choose_rules(chance.choice))
        first = dense_hand(chance, chance.randrange(2, 17))
        remaining = minus(DECK, first)
        second = "".join(chance.sample(remaining, min(17, len(first))))
        state = game.position(hands=[first, second, None], landlord=0, seed=chance.randrange(100))
        for _ in range(2):
            action = int(ops.policy(game.kernel_rules, state.record, *find_policy(game, name), stream))
            assert action in state.legal_actions(), (
                game.rules.to_dict(),
                first,
                second,
                state.action_to_string(action),
            )
            state.apply_action(action)
            if state.is_terminal():
                break


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("preset", PRESETS)
def test_likelihoods_sum_to_1_and_are_positive_for_played_actions(preset: str, name: str) -> None:
    game, stream = make("doudizhu", 3, preset), rng.stream(4)
    policy_id = find_policy(game, name).policy_id
    for seed in range(4):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            legal = state.legal_actions()
            likelihoods = [
                float(ops.likelihood(game.kernel_rules, state.record, a, policy_id, NO_WEIGHTS)) for a in legal
            ]
            assert sum(likelihoods) == pytest.approx(1)
            drawn = Counter(
                int(ops.policy(game.kernel_rules, state.record, policy_id, NO_WEIGHTS, stream)) for _ in range(5)
            )
            assert all(likelihoods[legal.index(action)] > 0 for action in drawn)
            state.apply_action(int(ops.policy(game.kernel_rules, state.record, policy_id, NO_WEIGHTS, stream)))


def test_likelihood_of_illegal_action_is_0() -> None:
    game = make("doudizhu", 3, "rlcard")
    state = game.new_initial_state(1)
    illegal = next(action for action in range(game.num_distinct_actions) if action not in state.legal_actions())
    for policy_id in POLICIES.values():
        assert ops.likelihood(game.kernel_rules, state.record, illegal, np.int64(policy_id), NO_WEIGHTS) == 0


@pytest.mark.parametrize("name", ["rhcp", "rlcard-rule"])
def test_rule_agents_beat_random_as_landlord_and_peasant(name: str) -> None:
    result = play_match(make("doudizhu", 3, "rlcard"), [name, "random"], games=400, seed=2)
    ours = result.agents[0]
    assert [role.name for role in ours.roles] == ["landlord", "peasant down", "peasant up"]
    assert [role.games for role in ours.roles] == [200, 200, 200]
    assert all(role.win_rate > 0.6 for role in ours.roles)


@pytest.mark.parametrize(("seat", "pass_probability"), [(0, 0.5), (1, 0.5), (2, 1.0)])
def test_rlcard_rule_passes_without_reply_only_after_partner(seat: int, pass_probability: float) -> None:
    hands = ["345", "345", "345"]
    hands[seat] = "3567777"
    state = make("doudizhu", 3, "rlcard").position(hands=hands, landlord=0, to_move=seat, last="22", seed=1)
    policy_id = np.int64(POLICIES["rlcard-rule"])
    assert ops.likelihood(state.game.kernel_rules, state.record, 0, policy_id, NO_WEIGHTS) == pass_probability


BIDS_OF_HANDS = {"3346789TJQQKKA222": 0, "34445679TTTQKKA22": 1, "3444558899JQQA2BR": 2, "3566789TJJJQK22BR": 3}
"""Hands and the bid that each is worth to `rlcard-rule`."""


def auction_action(name: str, hand: str, rules: str, first: int, *earlier_actions: str) -> str:
    """Return the auction action of a policy for a hand on seat 0, after some actions from seat `first` on."""
    game, stream = make("doudizhu", 3, rules), rng.stream(1)
    state = game.position(hands=[hand, None, None], to_move=first, seed=1)
    for text in earlier_actions:
        state.apply_action(game.parse_action(text))
    assert state.current_player() == 0
    return game.action_to_string(int(ops.policy(game.kernel_rules, state.record, *find_policy(game, name), stream)))


def test_rlcard_rule_bids_robs_and_doubles_by_hand_value() -> None:
    def said(rules: str, first: int, *earlier_actions: str) -> list[str]:
        return [auction_action("rlcard-rule", hand, rules, first, *earlier_actions) for hand in BIDS_OF_HANDS]

    assert said("classic", 0) == ["pass", "bid 1", "bid 2", "bid 3"]
    assert said("classic", 2, "bid 1") == ["pass", "pass", "bid 2", "bid 3"]
    assert said("online", 0) == ["pass", "call", "call", "call"]
    assert said("online", 2, "call") == ["pass", "pass", "rob", "rob"]
    assert said("online", 2, "call", "pass", "pass") == ["pass", "pass", "pass", "double"]


@pytest.mark.parametrize("name", ["frugal", "rhcp", "dmc", "cql"])
def test_policies_without_own_auction_bid_by_expected_payoff(name: str) -> None:
    assert auction_action(name, "JJQQQKKKAAA2222BR", "classic", 0) == "bid 3"
    assert auction_action(name, "JJQQQKKKAAA2222BR", "online", 2, "call") == "rob"
    assert auction_action(name, "33445566779TTJJQ8", "classic", 0) == "pass"
    assert auction_action(name, "33445566779TTJJQ8", "online", 2, "call", "pass", "pass") == "pass"
