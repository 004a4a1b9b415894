"""Fictitious self-play: a seat keeps its role for a round, the average policy learns and plays what responses did."""

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


def test_who_never_plays_its_best_response_is_refused() -> None:
    with pytest.raises(InvalidInput, match="the average policy would never learn"):
        learner(anticipatory=0.0)


def test_the_greatest_with_lots_is_a_draw_from_the_softmax() -> None:
    logits = np.array([0.5, -1.0, 2.0, 0.0], np.float32)
    rows = np.tile(logits, (40_000, 1))
    add_gumbel_noise(rows, np.array([rng.stream(3)]), np.zeros(len(rows), np.int64))
    shares = np.bincount(rows.argmax(1), minlength=4) / len(rows)
    expected = np.exp(logits) / np.exp(logits).sum()
    # four standard deviations
    assert np.abs(shares - expected).max() < 4 * 0.5 / np.sqrt(len(rows))


def test_a_seat_plays_one_policy_a_round_and_offers_its_responses() -> None:
    trained = learner(anticipatory=0.3, reservoir=10_000)
    roles: dict[tuple[int, int], bool] = {}
    begun = responses = offered = 0
    for _ in range(400):
        tables, seats = trained.collector.tables, trained.collector.tables["seat"].copy()
        fresh = tables["decisions"][np.arange(len(tables)), seats] == 0
        seen = trained.collector.observations.copy()
        actions = trained.decide()
        for table, seat in enumerate(seats):
            role = bool(trained._best_response[table, seat])
            assert fresh[table] or roles[table, seat] == role
            roles[table, seat] = role
            begun, responses = begun + bool(fresh[table]), responses + bool(fresh[table] and role)
            if role:
                assert np.array_equal(trained.reservoir.observations[offered], seen[table])
                offered += 1
        trained.collector.step(actions)
    assert offered == len(trained.reservoir)
    assert abs(responses / begun - 0.3) < 4 * np.sqrt(0.21 / begun)


def test_each_role_plays_by_its_own_network() -> None:
    trained = learner(anticipatory=0.5, epsilon_start=0, epsilon_end=0)
    for network, worth in ((trained.online, -1.0), (trained.policy, 1000.0)):
        tensors = {name: np.zeros_like(tensor) for name, tensor in network.tensors().items()}
        tensors["2.bias"] = np.float32(worth) * np.arange(trained.outputs, dtype=np.float32)
        network.load_tensors(tensors)
    met = set()
    for _ in range(100):
        seats, legal = trained.collector.tables["seat"].copy(), masks.to_bools(trained.collector.legal, 61)
        actions = trained.decide()
        for table, seat in enumerate(seats):
            able, role = np.flatnonzero(legal[table]), bool(trained._best_response[table, seat])
            assert actions[table] == (able[0] if role else able[-1])
            met.add((role, len(able) > 1))
        trained.collector.step(actions)
    assert len(met) == 4


def test_the_average_policy_waits_until_it_has_enough_to_learn_from() -> None:
    trained = learner(anticipatory=0.2, memory_init=30)
    while not trained.policy.steps:
        trained.cycle()
    assert len(trained.reservoir) >= 30 and trained.online.steps > 1


def test_the_average_policys_gradient_is_of_the_likelihood_among_legal_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    trained = learner(anticipatory=1.0)
    while len(trained.reservoir) < 40:
        trained.cycle()
    sample, slopes = trained.reservoir.sample(50), []
    observations, legal, actions = sample
    monkeypatch.setattr(trained.reservoir, "sample", lambda _: sample)
    monkeypatch.setattr(trained.policy, "step", slopes.append)
    trained.after_update()
    could, logits = masks.to_bools(legal, trained.outputs), trained.policy.outputs(observations)
    for row in range(50):
        expected = np.where(could[row], np.exp(logits[row]), 0)
        expected /= expected.sum()
        expected[actions[row]] -= 1
        assert slopes[0][row] == pytest.approx(expected / 50, abs=1e-6)


def test_a_reservoir_that_is_never_full_enough_is_refused() -> None:
    with pytest.raises(cardgames.InvalidInput, match="reservoir is at least memory_init, 100, not 50"):
        learner(reservoir=50, memory_init=100)


def test_the_average_policy_descends_the_likelihood_of_what_was_done() -> None:
    trained = learner(anticipatory=1.0, batch=64)
    while len(trained.reservoir) < 40:
        trained.cycle()
    observations, legal, actions = trained.reservoir.sample(500)
    could = masks.to_bools(legal, trained.outputs)

    def likelihood() -> float:
        """The mean negative log-likelihood, row by row."""
        total = 0.0
        for logits, able, action in zip(trained.policy.outputs(observations), could, actions, strict=True):
            probabilities = np.exp(logits[able]) / np.exp(logits[able]).sum()
            total -= np.log(probabilities[np.flatnonzero(able).tolist().index(action)])
        return total / len(actions)

    before, weights = likelihood(), trained.online.tensors()
    trained.policy.optimizer = type(trained.policy.optimizer)(learning_rate=0.01)
    for _ in range(60):
        trained.after_update()
    assert likelihood() < 0.8 * before
    assert all(np.array_equal(weights[name], tensor) for name, tensor in trained.online.tensors().items())


def test_the_best_response_explores_and_the_average_policy_does_not() -> None:
    trained, explored = learner(anticipatory=0.5, epsilon_start=1, epsilon_end=1), 0
    for network, worth in ((trained.online, -1.0), (trained.policy, 1000.0)):
        tensors = {name: np.zeros_like(tensor) for name, tensor in network.tensors().items()}
        tensors["2.bias"] = np.float32(worth) * np.arange(trained.outputs, dtype=np.float32)
        network.load_tensors(tensors)
    for _ in range(100):
        seats, legal = trained.collector.tables["seat"].copy(), masks.to_bools(trained.collector.legal, 61)
        actions = trained.decide()
        for table, seat in enumerate(seats):
            able = np.flatnonzero(legal[table])
            if trained._best_response[table, seat]:
                explored += actions[table] != able[0]
            else:
                assert actions[table] == able[-1]
        trained.collector.step(actions)
    assert explored > 20


def test_an_evaluation_draws_from_the_average_policy_and_leaves_no_trace() -> None:
    trained = learner()
    seen = np.repeat(trained.collector.observations[:1], 4_000, axis=0)
    drawn, logits = trained.scores(seen).argmax(1), trained.policy.outputs(seen[:1])[0]
    shares, expected = np.bincount(drawn, minlength=61) / 4_000, np.exp(logits) / np.exp(logits).sum()
    # four standard deviations
    assert np.abs(shares - expected).max() < 4 * np.sqrt(expected.max() / 4_000)
    assert np.array_equal(trained.scores(seen).argmax(1), drawn)


def test_what_is_saved_is_the_average_policy_and_plays_by_chance(tmp_path: Path) -> None:
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
    "mcts:simulations=20,cutoff=2,",
    "cheating-hands:cutoff=2,",
)


def test_its_file_is_a_policy_and_its_best_response_the_network_of_a_search(tmp_path: Path) -> None:
    trained = learner()
    file, game = str(tmp_path / "average.safetensors"), trained.games[0]
    save_network(trained.network(), file)
    kept, inputs = load_network(file), np.eye(240, dtype=np.int8)
    assert np.array_equal(kept(inputs), trained.policy.outputs(inputs))
    assert np.allclose(kept.value_network(inputs), trained.online.outputs(inputs), atol=1e-6)
    assert kept.with_outputs(60).value_network.sizes[-1] == 60
    state = game.new_initial_state(seed=4)
    for name in (
        "mcts:simulations=20,playout",
        "mcts:simulations=20,opponents",
        *(f"{name}network" for name in SEARCHES[:3]),
    ):
        assert cardgames.agent(f"{name}={file}", game).act(state.observation()).action in state.legal_actions()


def test_a_policy_alone_is_no_network_of_a_search(tmp_path: Path) -> None:
    trained = learner()
    file, game = str(tmp_path / "average.safetensors"), trained.games[0]
    save_network(replace(trained.network(), q=None), file)
    for name in SEARCHES:
        with pytest.raises(InvalidInput, match=r"a policy's logits \(nfsp\) and no Q"):
            cardgames.agent(f"{name}network={file}", game)
    tensors = {**load_file(file), "q.0.weight": np.zeros((3, 240), np.float32), "q.0.bias": np.zeros(3, np.float32)}
    with pytest.raises(InvalidInput, match="240 inputs and 3 outputs"):
        network_of(tensors, "4x4x15", "uno")


def test_networks_that_are_no_policy_are_refused(tmp_path: Path) -> None:
    game, file = cardgames.make("uno", rules="rlcard"), str(tmp_path / "net.safetensors")
    for encoding, inputs, outputs, words in (
        ("4x4x15", 240, 1, "one output"),
        ("cheating-7x4x15", 420, 61, "hidden cards"),
    ):
        save_network(random_network((inputs, outputs), 0, encoding, "uno", algorithm="nfsp"), file)
        with pytest.raises(InvalidInput, match=words):
            cardgames.agent(f"nfsp:weights={file}", game)
