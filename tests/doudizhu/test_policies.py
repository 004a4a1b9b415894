"""The policies in whole rounds: legal under every preset, and as likely as `likelihood` says."""

from collections import Counter

import numpy as np
import pytest

from cardgames.core import ops, rng
from cardgames.core.arena import play_match
from cardgames.core.game import make
from cardgames.doudizhu.policies import POLICIES

PRESETS = ("classic", "cql", "rlcard", "openspiel", "douzero", "online")
NOTHING = np.zeros(0, np.float32)


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_policy_plays_whole_rounds_of_legal_actions(preset: str, name: str) -> None:
    game, stream = make("doudizhu", 3, preset), rng.stream(3)
    policies = [game.policy(name), game.policy("random"), game.policy(name)]
    for seed in range(20):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            policy = policies[state.current_player()]
            state.apply_action(int(ops.policy(game.kernel_rules, state.record, *policy, stream)))


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("preset", PRESETS)
def test_likelihoods_are_those_of_the_policy(preset: str, name: str) -> None:
    game, stream = make("doudizhu", 3, preset), rng.stream(4)
    which = game.policy(name).which
    for seed in range(4):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            legal = state.legal_actions()
            shares = [float(ops.likelihood(game.kernel_rules, state.record, a, which, NOTHING)) for a in legal]
            assert sum(shares) == pytest.approx(1)
            drawn = Counter(int(ops.policy(game.kernel_rules, state.record, which, NOTHING, stream)) for _ in range(5))
            assert all(shares[legal.index(action)] > 0 for action in drawn)
            state.apply_action(int(ops.policy(game.kernel_rules, state.record, which, NOTHING, stream)))


def test_a_move_that_is_not_legal_is_not_likely() -> None:
    game = make("doudizhu", 3, "rlcard")
    state = game.new_initial_state(1)
    illegal = next(action for action in range(game.num_distinct_actions) if action not in state.legal_actions())
    for which in POLICIES.values():
        assert ops.likelihood(game.kernel_rules, state.record, illegal, np.int64(which), NOTHING) == 0


@pytest.mark.parametrize("name", ["rhcp", "rlcard-rule"])
def test_rule_agents_beat_a_random_player_on_either_side(name: str) -> None:
    result = play_match(make("doudizhu", 3, "rlcard"), [name, "random"], games=400, seed=2)
    ours = result.agents[0]
    assert [role.name for role in ours.roles] == ["landlord", "peasant down", "peasant up"]
    assert [role.games for role in ours.roles] == [200, 200, 200]
    assert all(role.win_rate > 0.6 for role in ours.roles)
