"""The policies: legal under all rules, and as likely as `likelihood` says."""

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

NOTHING = np.zeros(0, np.float32)


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_policy_plays_whole_rounds_of_legal_actions(preset: str, name: str) -> None:
    game, stream = make("doudizhu", 3, preset), rng.stream(3)
    policies = [find_policy(game, name), game.policy("random"), find_policy(game, name)]
    for seed in range(20):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            policy = policies[state.current_player()]
            state.apply_action(int(ops.policy(game.kernel_rules, state.record, *policy, stream)))


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_leads_and_replies_legally_with_any_hand_under_any_rules(name: str) -> None:
    chance, stream = random.Random(name), rng.stream(5)
    for _ in range(300):
        game = DouDiZhu(rules=choose_rules(chance.choice))
        first = dense_hand(chance, chance.randrange(2, 17))
        left = minus(DECK, first)
        second = "".join(chance.sample(left, min(17, len(first))))
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
def test_likelihoods_are_those_of_the_policy(preset: str, name: str) -> None:
    game, stream = make("doudizhu", 3, preset), rng.stream(4)
    policy_id = find_policy(game, name).policy_id
    for seed in range(4):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            legal = state.legal_actions()
            shares = [float(ops.likelihood(game.kernel_rules, state.record, a, policy_id, NOTHING)) for a in legal]
            assert sum(shares) == pytest.approx(1)
            drawn = Counter(
                int(ops.policy(game.kernel_rules, state.record, policy_id, NOTHING, stream)) for _ in range(5)
            )
            assert all(shares[legal.index(action)] > 0 for action in drawn)
            state.apply_action(int(ops.policy(game.kernel_rules, state.record, policy_id, NOTHING, stream)))


def test_a_move_that_is_not_legal_is_not_likely() -> None:
    game = make("doudizhu", 3, "rlcard")
    state = game.new_initial_state(1)
    illegal = next(action for action in range(game.num_distinct_actions) if action not in state.legal_actions())
    for policy_id in POLICIES.values():
        assert ops.likelihood(game.kernel_rules, state.record, illegal, np.int64(policy_id), NOTHING) == 0


@pytest.mark.parametrize("name", ["rhcp", "rlcard-rule"])
def test_rule_agents_beat_a_random_player_on_either_side(name: str) -> None:
    result = play_match(make("doudizhu", 3, "rlcard"), [name, "random"], games=400, seed=2)
    ours = result.agents[0]
    assert [role.name for role in ours.roles] == ["landlord", "peasant down", "peasant up"]
    assert [role.games for role in ours.roles] == [200, 200, 200]
    assert all(role.win_rate > 0.6 for role in ours.roles)


@pytest.mark.parametrize(("seat", "passes"), [(0, 0.5), (1, 0.5), (2, 1.0)])
def test_by_rlcards_rule_only_who_comes_after_his_partner_passes_for_want_of_a_reply(seat: int, passes: float) -> None:
    hands = ["345", "345", "345"]
    hands[seat] = "3567777"
    state = make("doudizhu", 3, "rlcard").position(hands=hands, landlord=0, to_move=seat, last="22", seed=1)
    policy_id = np.int64(POLICIES["rlcard-rule"])
    assert ops.likelihood(state.game.kernel_rules, state.record, 0, policy_id, NOTHING) == passes


BID_THRESHOLDS = {"33557799JJKKA468T": 0, "355678999TTJJQQKA": 1, "333456788TTQQQKKA": 2, "556677888TKKAA22B": 3}
"""Hands, and what `frugal` finds them worth: the last three just that."""


def says(hand: str, rules: str, first: int, *before: str) -> str:
    """What `frugal` says with a hand on seat 0 after what was said before, from the seat that spoke first on."""
    game, stream = make("doudizhu", 3, rules), rng.stream(1)
    state = game.position(hands=[hand, None, None], to_move=first, seed=1)
    for word in before:
        state.apply_action(game.parse_action(word))
    assert state.current_player() == 0
    return game.action_to_string(int(ops.policy(game.kernel_rules, state.record, *game.policy("frugal"), stream)))


def test_a_hand_bids_robs_and_doubles_by_its_worth() -> None:
    assert [says(hand, "classic", 0) for hand in BID_THRESHOLDS] == ["pass", "bid 1", "bid 2", "bid 3"]
    assert [says(hand, "classic", 2, "bid 1") for hand in BID_THRESHOLDS] == ["pass", "pass", "bid 2", "bid 3"]
    assert [says(hand, "online", 0) for hand in BID_THRESHOLDS] == ["pass", "call", "call", "call"]
    assert [says(hand, "online", 2, "call") for hand in BID_THRESHOLDS] == ["pass", "pass", "rob", "rob"]
    assert [says(hand, "online", 2, "call", "pass", "pass") for hand in BID_THRESHOLDS] == [
        "pass",
        "pass",
        "pass",
        "double",
    ]
