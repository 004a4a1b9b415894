"""Tests of neural fictitious self-play: policy of a seat per round, reservoir, average policy, saved networks."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import cardgames
from cardgames.core import ops
from cardgames.kernels import masks, rng
from cardgames.learners.algorithms.nfsp import Nfsp, NfspSettings, add_gumbel_noise
from cardgames.networks.network_file import load_network, network_of, random_network, save_network
from cardgames.networks.policy_lookup import find_policy
from cardgames.support.errors import InvalidInput

TINY = {"hidden": "8", "tables": 4, "seats": "all", "batch": 8, "memory_init": 10, "memory": 500}


def learner(**changes: object) -> Nfsp:
    game = cardgames.make("uno", players=2, rules="rlcard", overrides=["hand-size=2"])
    return Nfsp([game], NfspSettings().with_changes({**TINY, **changes}), 1, "kernel")


def test_anticipatory_zero_is_refused() -> None:
    with pytest.raises(InvalidInput, match="the average policy would never learn"):
        learner(anticipatory=0.0)


def test_argmax_with_gumbel_noise_is_a_softmax_draw() -> None:
    logits = np.array([0.5, -1.0, 2.0, 0.0], np.float32)
    rows = np.tile(logits, (40_000, 1))
    add_gumbel_noise(rows, np.array([rng.stream(3)]), np.zeros(len(rows), np.int64))
    shares = np.bincount(rows.argmax(1), minlength=4) / len(rows)
    expected = np.exp(logits) / np.exp(logits).sum()
    # four standard deviations
    assert np.abs(shares - expected).max() < 4 * 0.5 / np.sqrt(len(rows))


def test_seat_keeps_its_policy_for_a_round_and_offers_best_responses() -> None:
    trained = learner(anticipatory=0.3, reservoir=10_000)
    roles: dict[tuple[int, int], bool] = {}
    started = responses = offered = 0
    for _ in range(400):
        tables, seats = trained.collector.tables, trained.collector.tables["seat"].copy()
        fresh = tables["decisions"][np.arange(len(tables)), seats] == 0
        seen = trained.collector.observations.copy()
        actions = trained.decide()
        for table, seat in enumerate(seats):
            role = bool(trained._best_response[table, seat])
            assert fresh[table] or roles[table, seat] == role
            roles[table, seat] = role
            started, responses = started + bool(fresh[table]), responses + bool(fresh[table] and role)
            if role:
                assert np.array_equal(trained.reservoir.observations[offered], seen[table])
                offered += 1
        trained.collector.step(actions)
    assert offered == len(trained.reservoir)
    assert abs(responses / started - 0.3) < 4 * np.sqrt(0.21 / started)


def test_seats_act_by_best_response_or_average_policy_network() -> None:
    trained = learner(anticipatory=0.5, epsilon_start=0, epsilon_end=0)
    for network, weight in ((trained.online, -1.0), (trained.policy, 1000.0)):
        tensors = {name: np.zeros_like(tensor) for name, tensor in network.tensors().items()}
        tensors["2.bias"] = np.float32(weight) * np.arange(trained.outputs, dtype=np.float32)
        network.load_tensors(tensors)
    cases = set()
    for _ in range(100):
        seats, legal = trained.collector.tables["seat"].copy(), masks.to_bools(trained.collector.legal, 61)
        actions = trained.decide()
        for table, seat in enumerate(seats):
            legal_actions, role = np.flatnonzero(legal[table]), bool(trained._best_response[table, seat])
            assert actions[table] == (legal_actions[0] if role else legal_actions[-1])
            cases.add((role, len(legal_actions) > 1))
        trained.collector.step(actions)
    assert len(cases) == 4


def test_average_policy_learns_only_after_memory_init() -> None:
    trained = learner(anticipatory=0.2, memory_init=30)
    while not trained.policy.steps:
        trained.cycle()
    assert len(trained.reservoir) >= 30 and trained.online.steps > 1


def test_average_policy_gradient_is_masked_log_likelihood(monkeypatch: pytest.MonkeyPatch) -> None:
    trained = learner(anticipatory=1.0)
    while len(trained.reservoir) < 40:
        trained.cycle()
    sample, slopes = trained.reservoir.sample(50), []
    observations, legal, actions = sample
    monkeypatch.setattr(trained.reservoir, "sample", lambda _: sample)
    monkeypatch.setattr(trained.policy, "step", slopes.append)
    trained.after_update()
    is_legal, logits = masks.to_bools(legal, trained.outputs), trained.policy.outputs(observations)
    for row in range(50):
        expected = np.where(is_legal[row], np.exp(logits[row]), 0)
        expected /= expected.sum()
        expected[actions[row]] -= 1
        assert slopes[0][row] == pytest.approx(expected / 50, abs=1e-6)


def test_reservoir_smaller_than_memory_init_is_refused() -> None:
    with pytest.raises(cardgames.InvalidInput, match="reservoir is at least memory_init, 100, not 50"):
        learner(reservoir=50, memory_init=100)


def test_average_policy_training_lowers_negative_log_likelihood() -> None:
    trained = learner(anticipatory=1.0, batch=64)
    while len(trained.reservoir) < 40:
        trained.cycle()
    observations, legal, actions = trained.reservoir.sample(500)
    is_legal = masks.to_bools(legal, trained.outputs)

    def negative_log_likelihood() -> float:
        """Return the mean negative log-likelihood of the actions."""
        total = 0.0
        for logits, legal_actions, action in zip(trained.policy.outputs(observations), is_legal, actions, strict=True):
            probabilities = np.exp(logits[legal_actions]) / np.exp(logits[legal_actions]).sum()
            total -= np.log(probabilities[np.flatnonzero(legal_actions).tolist().index(action)])
        return total / len(actions)

    before, weights = negative_log_likelihood(), trained.online.tensors()
    trained.policy.optimizer = type(trained.policy.optimizer)(learning_rate=0.01)
    for _ in range(60):
        trained.after_update()
    assert negative_log_likelihood() < 0.8 * before
    assert all(np.array_equal(weights[name], tensor) for name, tensor in trained.online.tensors().items())


def test_only_best_response_explores() -> None:
    trained, explored = learner(anticipatory=0.5, epsilon_start=1, epsilon_end=1), 0
    for network, weight in ((trained.online, -1.0), (trained.policy, 1000.0)):
        tensors = {name: np.zeros_like(tensor) for name, tensor in network.tensors().items()}
        tensors["2.bias"] = np.float32(weight) * np.arange(trained.outputs, dtype=np.float32)
        network.load_tensors(tensors)
    for _ in range(100):
        seats, legal = trained.collector.tables["seat"].copy(), masks.to_bools(trained.collector.legal, 61)
        actions = trained.decide()
        for table, seat in enumerate(seats):
            legal_actions = np.flatnonzero(legal[table])
            if trained._best_response[table, seat]:
                explored += actions[table] != legal_actions[0]
            else:
                assert actions[table] == legal_actions[-1]
        trained.collector.step(actions)
    assert explored > 20


def test_scores_draw_from_average_policy_without_changing_state() -> None:
    trained = learner()
    seen = np.repeat(trained.collector.observations[:1], 4_000, axis=0)
    drawn, logits = trained.scores(seen).argmax(1), trained.policy.outputs(seen[:1])[0]
    shares, expected = np.bincount(drawn, minlength=61) / 4_000, np.exp(logits) / np.exp(logits).sum()
    # four standard deviations
    assert np.abs(shares - expected).max() < 4 * np.sqrt(expected.max() / 4_000)
    assert np.array_equal(trained.scores(seen).argmax(1), drawn)


def test_saved_average_policy_is_played_stochastically(tmp_path: Path) -> None:
    trained = learner()
    file, game = str(tmp_path / "average.safetensors"), trained.games[0]
    save_network(trained.network(), file)
    assert all(np.array_equal(trained.policy.tensors()[k], v) for k, v in trained.network().tensors().items())
    agent = cardgames.agent(f"nfsp:weights={file}", game, seed=2)
    state = game.new_initial_state(seed=4)
    while len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
    seen = state.observation()
    logits = trained.network()(game.encode(seen, "4x4x15").reshape(1, -1))[0][list(seen.legal_actions)]
    expected = np.exp(logits) / np.exp(logits).sum()
    policy = find_policy(game, file)
    shares = [ops.likelihood(game.kernel_rules, seen.record, action, *policy) for action in seen.legal_actions]
    assert shares == pytest.approx(expected, rel=1e-5)
    taken = [agent.act(seen).action for _ in range(2_000)]
    assert [taken.count(a) / 2_000 for a in seen.legal_actions] == pytest.approx(expected, abs=0.05)


SEARCHES = (
    "mcts-net:simulations=20,",
    "q-tree:simulations=5,",
    "mcts:setting=paper,simulations=20,cutoff=2,",
    "cheating-hands:cutoff=2,",
)


def test_saved_network_serves_policies_and_searches(tmp_path: Path) -> None:
    trained = learner()
    file, game = str(tmp_path / "average.safetensors"), trained.games[0]
    save_network(trained.network(), file)
    loaded, inputs = load_network(file), np.eye(240, dtype=np.int8)
    assert np.array_equal(loaded(inputs), trained.policy.outputs(inputs))
    assert np.allclose(loaded.value_network(inputs), trained.online.outputs(inputs), atol=1e-6)
    assert loaded.with_outputs(60).value_network.sizes[-1] == 60
    state = game.new_initial_state(seed=4)
    for name in (
        "mcts:setting=paper,simulations=20,playout",
        "mcts:setting=paper,simulations=20,opponents",
        *(f"{name}network" for name in SEARCHES[:3]),
    ):
        assert cardgames.agent(f"{name}={file}", game).act(state.observation()).action in state.legal_actions()


def test_search_refuses_policy_without_q_network(tmp_path: Path) -> None:
    trained = learner()
    file, game = str(tmp_path / "average.safetensors"), trained.games[0]
    save_network(replace(trained.network(), q=None), file)
    for name in SEARCHES:
        with pytest.raises(InvalidInput, match=r"a policy's logits \(nfsp\), and it has neither"):
            cardgames.agent(f"{name}network={file}", game)
    tensors = {**load_file(file), "q.0.weight": np.zeros((3, 240), np.float32), "q.0.bias": np.zeros(3, np.float32)}
    with pytest.raises(InvalidInput, match="240 inputs and 3 outputs"):
        network_of(tensors, "4x4x15", "uno")


def test_invalid_policy_networks_are_refused(tmp_path: Path) -> None:
    game, file = cardgames.make("uno", rules="rlcard"), str(tmp_path / "net.safetensors")
    for encoding, inputs, outputs, message in (
        ("4x4x15", 240, 1, "one output"),
        ("cheating-7x4x15", 420, 61, "hidden cards"),
    ):
        save_network(random_network((inputs, outputs), 0, encoding, "uno", algorithm="nfsp"), file)
        with pytest.raises(InvalidInput, match=message):
            cardgames.agent(f"nfsp:weights={file}", game)
