"""Tests of the combination policy against plain numpy, on whole rounds."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from cardgames.core import ops
from cardgames.core.kernel_policy import Policy
from cardgames.core.state import State
from cardgames.doudizhu.cards import hand_from_text, hand_to_text
from cardgames.doudizhu.game import DouDiZhu
from cardgames.doudizhu.hands.decomposition import NO_GROUP, decompositions
from cardgames.doudizhu.moves.move_table import PASS, move_from_id
from cardgames.doudizhu.policies.combination_networks import combination_network
from cardgames.doudizhu.policies.combination_policy import sample_splits
from cardgames.doudizhu.policies.compiled_policies import (
    call_combination,
    greedy_combination_move,
    new_combination_outputs,
)
from cardgames.doudizhu.state import PLAY
from cardgames.kernels import rng
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import random_network
from cardgames.networks.network_policy import network_weights
from cardgames.support.errors import InvalidInput
from tests.doudizhu.hand_helpers import any_hand, leads, replies
from tests.doudizhu.rounds import random_playthrough

RULES = ("cql", "rlcard", "classic", "online")
FEATURES = 16


def network(game: DouDiZhu, sampled: int = 100) -> Mlp:
    """Return random networks that evaluate at most `sampled` decompositions."""
    inputs = game.network_encoding("group").inputs
    of_groups, of_splits, of_moves = (
        random_network(sizes, seed, "group", game.name, reward=(-1.0, 1.0), algorithm="cql")
        for seed, sizes in enumerate([(inputs, 24, FEATURES), (FEATURES, 8, 1), (2 * FEATURES, 8, 1)])
    )
    return combination_network(of_groups, of_splits, of_moves, sampled)


def policy_of(game: DouDiZhu, group_network: Mlp) -> Policy:
    return Policy(np.int64(game.networks.policy_id), network_weights(game, group_network))


def rows_of(game: DouDiZhu, hand: str, last: int, sampled: int) -> list[tuple[int, ...]]:
    """Return the decompositions that are evaluated, without the filler of their rows."""
    rows = np.zeros((sampled, 20), np.int32)
    n = sample_splits(game.kernel_rules, np.uint64(hand_from_text(hand)), last, rows)
    return [tuple(int(group) for group in row if group != NO_GROUP) for row in rows[:n]]


def forward(mlp: Mlp, inputs: np.ndarray) -> np.ndarray:
    """Return the outputs of a perceptron, in float64."""
    units = inputs.astype(np.float64)
    for number, (weight, bias) in enumerate(mlp.layers()):
        units = (np.maximum(units, 0) if number else units) @ weight.T.astype(np.float64) + bias
    return units


def features(state: State, group_network: Mlp, groups: list[int]) -> np.ndarray:
    """Return the output of the first network for some groups."""
    rules, observation = state.game.kernel_rules, state.observation()
    inputs, encoding_id = (
        np.zeros((len(groups), group_network.sizes[0]), np.int8),
        state.game.network_encoding("group").encoding_id,
    )
    actions = np.array(groups, np.int32)
    assert ops.encode_actions(rules, observation.record, observation.player, encoding_id, actions, inputs)
    return np.maximum(forward(group_network, inputs), 0)


@pytest.mark.parametrize("rules", RULES)
def test_all_decompositions_of_small_hand_are_evaluated(rules: str) -> None:
    game, chance = DouDiZhu(rules=rules), random.Random(1)
    for size in range(1, 9):
        hand = any_hand(chance, size)
        every = sorted(tuple(groups) for groups in decompositions(game.kernel_rules, hand_from_text(hand)))
        assert sorted(rows_of(game, hand, PASS, 2_000)) == every


def test_sample_of_decompositions_is_deterministic() -> None:
    game, chance = DouDiZhu(rules="cql"), random.Random(2)
    for _ in range(30):
        hand = any_hand(chance, 17)
        rows = rows_of(game, hand, PASS, 50)
        assert rows == rows_of(game, hand, PASS, 50)
        assert len(set(rows)) == len(rows) == 50
        for row in rows:
            assert Counter("".join(hand_to_text(move_from_id(group).cards) for group in row)) == Counter(hand)
            assert set(row) <= set(leads(game.rules, hand))


@pytest.mark.parametrize("sampled", [1, 2, 3])
def test_small_sample_consists_of_decompositions(sampled: int) -> None:
    game, chance = DouDiZhu(rules="cql"), random.Random(4)
    for _ in range(300):
        hand = any_hand(chance, 17)
        rows = rows_of(game, hand, PASS, sampled)
        assert len(rows) == sampled
        for row in rows:
            assert Counter("".join(hand_to_text(move_from_id(group).cards) for group in row)) == Counter(hand)


def test_decompositions_for_reply_contain_a_beating_group() -> None:
    game, chance, num_rows = DouDiZhu(rules="cql"), random.Random(3), 0
    for _ in range(60):
        hand, other = any_hand(chance, 12), any_hand(chance, 12)
        last = chance.choice(leads(game.rules, other))
        beating = set(replies(game.rules, hand, last))
        rows = rows_of(game, hand, last, 50)
        assert bool(rows) == bool(beating)
        assert all(beating & set(row) for row in rows)
        num_rows += len(rows)
    assert num_rows > 300


@pytest.mark.parametrize("rules", RULES)
def test_plays_best_move_of_best_decomposition(rules: str) -> None:
    game = DouDiZhu(rules=rules)
    group_network, stream, seen = network(game), rng.stream(1), 0
    policy = policy_of(game, group_network)
    for seed in range(6):
        for state in random_playthrough(game.new_initial_state(seed=seed), random.Random(seed)):
            if state.is_terminal() or state.record.phase != PLAY or len(state.legal_actions()) == 1:
                continue
            last = int(state.record.last)
            rows = rows_of(game, hand_to_text(state.record.hands[state.current_player()]), last, 100)
            groups = sorted({group for row in rows for group in row})
            features_of_group = dict(zip(groups, features(state, group_network, groups), strict=True))
            pooled = np.array([np.max([features_of_group[group] for group in row], axis=0) for row in rows])
            q = forward(group_network.heads["decompositions"], pooled)[:, 0]
            outputs = new_combination_outputs()
            action = greedy_combination_move(game.kernel_rules, state.observation().record, policy.weights, *outputs)
            groups_played, moves, q_values = outputs
            best = rows.index(tuple(groups_played[groups_played != NO_GROUP].tolist()))
            assert q_values[0] == pytest.approx(q[best], abs=1e-5)
            assert q[best] == pytest.approx(q.max(), abs=1e-5)
            legal_moves = sorted(set(rows[best]) & set(state.legal_actions()) | ({PASS} if last != PASS else set()))
            features_of_group[PASS] = features(state, group_network, [PASS])[0]
            pairs = np.array([np.concatenate([features_of_group[move], pooled[best]]) for move in legal_moves])
            values = dict(zip(legal_moves, forward(group_network.heads["moves"], pairs)[:, 0], strict=True))
            moves = moves[moves != NO_GROUP]
            assert dict(zip(moves.tolist(), q_values[1 : len(moves) + 1], strict=True)) == pytest.approx(
                values, abs=1e-5
            )
            assert int(ops.policy(game.kernel_rules, state.record, *policy, stream)) == action
            assert values[action] == pytest.approx(max(values.values()), abs=1e-5)
            assert ops.likelihood(game.kernel_rules, state.record, action, *policy) == 1.0
            seen += 1
    assert seen > 60


def test_networks_of_wrong_shape_raise() -> None:
    group_network = network(DouDiZhu(rules="cql"))
    for change, message in (
        ({"num_decompositions": 0}, "from 1 to 10,000 decompositions are evaluated, not 0"),
        ({"num_decompositions": 10_001}, "from 1 to 10,000 decompositions are evaluated, not 10,001"),
        (
            {"moves": group_network.heads["decompositions"]},
            r"the network of moves has \d+ inputs and 1 outputs: for \d+ features it needs",
        ),
        ({"moves": replace(group_network.heads["moves"], activations=("tanh",))}, "have ReLU between their layers"),
    ):
        with pytest.raises(InvalidInput, match=message):
            combination_network(
                **{"features": group_network, **group_network.heads, "num_decompositions": 100, **change}
            )


@pytest.mark.parametrize("rules", RULES)
def test_plays_whole_rounds_without_using_hidden_cards(rules: str) -> None:
    game = DouDiZhu(rules=rules)
    policy, stream = policy_of(game, network(game, 20)), rng.stream(1)
    for seed in range(12):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal():
            action = int(ops.policy(game.kernel_rules, state.record, *policy, stream))
            assert action in state.legal_actions()
            other = game.determinize(state.observation(), seed)
            assert int(ops.policy(game.kernel_rules, other.record, *policy, stream)) == action
            state.apply_action(action)


def test_epsilon_1_plays_random_decompositions_and_moves() -> None:
    game, stream = DouDiZhu(rules="cql"), rng.stream(1)
    weights, state = policy_of(game, network(game)).weights, game.new_initial_state(seed=1)
    splits, best = set(), 0
    for _ in range(300):
        groups, moves, q = new_combination_outputs()
        action = call_combination(game.kernel_rules, state.observation().record, weights, 1.0, stream, groups, moves, q)
        splits.add(tuple(groups))
        best += action == moves[q[1 : 1 + np.count_nonzero(moves != NO_GROUP)].argmax()]
    assert len(splits) > 60 and best < 150
