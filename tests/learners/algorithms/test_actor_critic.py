"""Tests of the actor-critic (PPO): loss gradient, advantages, learning steps, resuming, initial networks."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cardgames
from cardgames.kernels import rng
from cardgames.kernels.masks import insert, to_bools
from cardgames.learners.algorithms.actor_critic import ActorCritic, ActorCriticSettings
from cardgames.learners.algorithms.algorithm_registry import make_learner
from cardgames.learners.base.learner import reward_range
from cardgames.learners.base.policy_gradient import (
    LOG_PROB,
    REMARKS,
    VALUE,
    clipped_loss_gradient,
    draw_actions,
    estimate_advantages,
)
from cardgames.learners.environments.learner_env import TABLE
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.learners.networks.losses import softmax
from cardgames.learners.runs.evaluation import evaluate
from cardgames.networks.network_file import load_network, save_network
from cardgames.networks.pretrained import load_named_network
from cardgames.search.evaluators import make_evaluator
from cardgames.support.errors import InvalidInput

TINY = {
    "hidden": "16",
    "seats": "any",
    "memory": "256",
    "batch": "64",
    "tables": "8",
    "opponents": "random+past",
    "past_every": "50",
}
CLIP, VALUE_WEIGHT, ENTROPY = 0.2, 0.5, 0.01


def settings(**changes: object) -> ActorCriticSettings:
    return ActorCriticSettings().with_changes(TINY | changes)


def random_masks(random: np.random.Generator, rows: int, actions: int) -> np.ndarray:
    masks = np.zeros((rows, 1), np.uint64)
    for mask in masks:
        for action in random.choice(actions, random.integers(2, actions), replace=False):
            insert(mask, action)
    return masks


def loss(outputs: np.ndarray, legal: np.ndarray, taken: np.ndarray, earlier: np.ndarray, advantages, targets) -> float:  # type: ignore[no-untyped-def]
    """Return the loss of equations 7 and 9 in plain numpy."""
    actions = outputs.shape[1] - 1
    total = 0.0
    for row, output in enumerate(outputs):
        is_legal = to_bools(legal[row : row + 1], actions)[0]
        probabilities = np.exp(output[:-1][is_legal])
        probabilities /= probabilities.sum()
        ratio = probabilities[list(np.flatnonzero(is_legal)).index(taken[row])] / math.exp(earlier[row])
        gain = advantages[row]
        total -= min(ratio * gain, min(max(ratio, 1 - CLIP), 1 + CLIP) * gain)
        total += VALUE_WEIGHT * (output[-1] - targets[row]) ** 2
        total += ENTROPY * (probabilities * np.log(probabilities)).sum()
    return total / len(outputs)


def test_gradient_is_that_of_clipped_loss() -> None:
    random = np.random.default_rng(1)
    rows, actions = 12, 7
    outputs = random.normal(size=(rows, actions + 1)).astype(np.float32)
    legal = random_masks(random, rows, actions)
    is_legal = to_bools(legal, actions)
    taken = np.array([random.choice(np.flatnonzero(row)) for row in is_legal])
    probabilities = softmax(outputs[:, :-1], is_legal)[np.arange(rows), taken]
    earlier = (np.log(probabilities) + random.choice([-0.5, -0.1, 0.1, 0.5], rows)).astype(np.float32)
    advantages, targets = random.normal(size=(2, rows)).astype(np.float32)
    slopes = np.empty_like(outputs)
    clipped_loss_gradient(outputs, legal, taken, earlier, advantages, targets, (CLIP, VALUE_WEIGHT, ENTROPY), slopes)
    precise = outputs.astype(float)
    for row, output in np.ndindex(outputs.shape):
        step = np.zeros(outputs.shape)
        step[row, output] = 1e-5
        ends = [loss(precise + sign * step, legal, taken, earlier, advantages, targets) for sign in (1, -1)]
        assert slopes[row, output] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-4)


def test_advantages_are_generalized_advantage_estimates() -> None:
    memory = Replay(5, 1, 2, remarks=REMARKS)
    memory.remarks[:, VALUE] = [0.1, 0.4, -0.2, 0.3, 0.5]
    memory.rewards[:], memory.last[:] = [0, 0, 3, 0, -3], [False, False, True, False, True]
    discount, trace = 0.9, 0.5
    advantages, targets = estimate_advantages(memory, np.arange(5), discount, trace, 1 / 3)
    values = memory.remarks[:, VALUE]
    third, second = 1 - values[2], discount * values[2] - values[1]
    first = discount * values[1] - values[0]
    step = discount * trace
    assert advantages[:3] == pytest.approx(
        [first + step * (second + step * third), second + step * third, third], abs=1e-6
    )
    assert advantages[3:] == pytest.approx(
        [discount * values[4] - values[3] + step * (-1 - values[4]), -1 - values[4]], abs=1e-6
    )
    assert targets == pytest.approx(advantages + values)


def test_actions_are_sampled_from_masked_softmax() -> None:
    tables = np.zeros(20_000, TABLE)
    tables["rng"] = [rng.derive(3, table) for table in range(len(tables))]
    legal = np.zeros((len(tables), 1), np.uint64)
    insert(legal[0], 0), insert(legal[0], 3)
    legal[:] = legal[0]
    outputs = np.tile(np.array([1.0, 9.0, 9.0, 0.0, 0.25], np.float32), (len(tables), 1))
    actions, remarks = np.zeros(len(tables), np.int64), np.zeros((len(tables), REMARKS), np.float32)
    draw_actions(outputs, legal, tables, remarks, actions)
    probability = 1 / (1 + math.exp(-1))
    assert set(actions.tolist()) == {0, 3}
    assert (actions == 0).mean() == pytest.approx(probability, abs=0.015)
    assert remarks[:, LOG_PROB] == pytest.approx(np.log(np.where(actions == 0, probability, 1 - probability)), abs=1e-5)
    assert (remarks[:, VALUE] == 0.25).all()


def test_forced_decisions_are_not_remembered() -> None:
    games = [cardgames.make("uno", players=2, rules="rlcard")]
    learner = make_learner("actor-critic", games, settings(), 1, "kernel")
    for _ in range(60):
        learner.cycle()
    memory = learner.memory  # type: ignore[attr-defined]
    legal = to_bools(memory.legal[: len(memory)], 61)
    assert len(memory) > 200
    assert (legal.sum(axis=1) > 1).all()
    assert legal[np.arange(len(memory)), memory.actions[: len(memory)]].all()


def test_learning_step_makes_passes_over_all_new_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    options = settings(passes=3, rounds=1000, reward="pay-off")
    learner = make_learner("actor-critic", [cardgames.make("uno", rules="official")], options, 1, "kernel")
    assert isinstance(learner, ActorCritic)
    high = reward_range(learner.games[0], "pay-off")[1]
    assert high > 1 and learner.network().reward == (-1.0, 1.0), "rewards and values are shares of the highest"
    batches: list[tuple[np.ndarray, ...]] = []
    monkeypatch.setattr(learner, "_update", batches.append)
    memory, earlier = learner.memory, 0
    while memory.written < 3 * memory.capacity:
        batches.clear()
        while not batches:
            fraction_done = learner.fraction_done
            learner.cycle()
        inputs, _, actions, log_probs, advantages, targets = (
            np.concatenate(parts) for parts in zip(*batches, strict=True)
        )
        fresh = np.arange(earlier, memory.written) % memory.capacity
        assert max(len(inputs) for inputs, *_ in batches) == options.batch
        expected, wanted = estimate_advantages(memory, fresh, options.discount, options.trace, 1 / high)
        gain = (expected - expected.mean()) / expected.std()
        once = zip(memory.actions[fresh], memory.remarks[fresh, LOG_PROB], wanted, gain, strict=True)
        has_updates = np.array(sorted(zip(actions, log_probs, targets, advantages, strict=True)))
        assert has_updates == pytest.approx(np.array(sorted(3 * list(once))), rel=1e-4, abs=1e-5)
        assert np.array_equal(inputs.sum(axis=0), 3 * memory.observations[fresh].sum(axis=0))
        assert learner.online.optimizer.learning_rate == pytest.approx(options.learning_rate * (1 - fraction_done))
        earlier = memory.written


def test_last_learning_step_changes_weights() -> None:
    options = settings(rounds=1, tables=64, memory=4, batch=4, opponents="random")
    learner = make_learner("actor-critic", [cardgames.make("uno", rules="rlcard")], options, 1, "kernel")
    earlier = learner.network().weights.copy()
    while not learner.finished:
        learner.cycle()
    assert learner.has_updates and not np.array_equal(learner.network().weights, earlier)


def test_first_update_under_symmetries_clips_nothing() -> None:
    options = settings(symmetry="augment", encoding="4x4x15", batch="1024", passes="1", opponents="random")
    learner = make_learner("actor-critic", [cardgames.make("uno", rules="rlcard")], options, 1, "kernel")
    while not learner.online.steps:  # type: ignore[attr-defined]
        learner.cycle()
    metrics = learner.metrics()
    assert metrics["updates"] == 1 and metrics["clipped"] == 0


def test_saved_network_is_policy_with_critic_for_searches(tmp_path: Path) -> None:
    game, file = cardgames.make("uno", rules="rlcard"), str(tmp_path / "weights.safetensors")
    learner = make_learner("actor-critic", [game], settings(), 1, "kernel")
    save_network(learner.network(), file)
    state = game.new_initial_state(seed=4)
    observation = state.observation()
    x = game.encode(observation, learner.encoding).reshape(1, -1)
    both = learner.online.outputs(x)[0]  # type: ignore[attr-defined]
    network = load_network(file)
    assert network.reward == (-1.0, 1.0)
    assert np.array_equal(network(x)[0], both[:-1])
    value = make_evaluator(game, file).evaluate(state.record.reshape(1), np.array([observation.player]))
    assert value == pytest.approx((both[-1:] + 1) / 2, abs=1e-6)
    for search in (
        "mcts-net:",
        "q-tree:",
        "mcts:setting=paper,cutoff=1,",
        f"mcts-dbm:setting=paper,root=halving,playout={file},cutoff=0,",
    ):
        agent = cardgames.agent(f"{search}network={file},simulations=20", game)
        assert agent.act(observation).action in observation.legal_actions


@pytest.mark.parametrize(("seats", "opponents"), [("any", "random+past"), ("all", "random")])
def test_resumed_learner_is_bit_identical(seats: str, opponents: str) -> None:
    games = [cardgames.make("uno", players=n, rules="rlcard") for n in (2, 3)]
    options = settings(rounds=2000, seats=seats, opponents=opponents)
    whole, half, rest = (make_learner("actor-critic", games, options, 5, "kernel") for _ in range(3))
    for _ in range(300):
        whole.cycle()
    for _ in range(150):
        half.cycle()
    rest.load_state(half.state())
    for _ in range(150):
        rest.cycle()
    assert rest.metrics()["updates"] == whole.metrics()["updates"] > 4
    assert np.array_equal(whole.network().weights, rest.network().weights)
    assert whole.rounds == rest.rounds and whole.decisions == rest.decisions


def test_short_training_wins_against_reflex() -> None:
    """Under rules that allow drawing instead of playing, it learns to play cards, which decides most rounds."""
    game = cardgames.make("uno", players=2, rules="simplified")
    changes = {
        "hidden": "32",
        "tables": "64",
        "memory": "1024",
        "batch": "128",
        "opponents": "reflex",
        "rounds": "2500",
    }
    learner = make_learner("actor-critic", [game], settings(**(changes | {"learning_rate": "0.003"})), 1, "kernel")
    while not learner.finished:
        learner.cycle()
    assert evaluate(learner, game, "reflex", 1_000, 7).win_rate > 0.3


def trained_file(tmp_path: Path) -> str:
    """Save a network after a little training, and return its file."""
    learner = make_learner("actor-critic", [cardgames.make("uno", rules="rlcard")], settings(), 1, "kernel")
    for _ in range(100):
        learner.cycle()
    save_network(learner.network(), str(tmp_path / "weights.safetensors"))
    return str(tmp_path / "weights.safetensors")


def test_start_setting_loads_initial_network(tmp_path: Path) -> None:
    file = trained_file(tmp_path)
    game = cardgames.make("uno", players=3, rules="rlcard")
    started = make_learner("actor-critic", [game], settings(start=file), 9, "kernel").network()
    options = load_network(file)
    assert np.array_equal(started.weights, options.weights)
    for ours, theirs in zip(started.critic, options.critic, strict=True):  # type: ignore[arg-type]
        assert np.array_equal(ours, theirs)
    named = make_learner("actor-critic", [game], settings(start="actor-critic", hidden="256-256"), 9, "kernel")
    assert np.array_equal(named.network().weights, load_named_network(game, "actor-critic").weights)


def test_invalid_start_networks_are_refused(tmp_path: Path) -> None:
    games, file = [cardgames.make("uno", rules="rlcard")], trained_file(tmp_path)
    tanh = str(tmp_path / "tanh.safetensors")
    save_network(replace(load_network(file), activations=("tanh",)), tanh)
    for changes, message in (
        (
            {"start": file, "hidden": "32"},
            f"start={file}: the network is evidence-canonical 415-16-62, not .* 415-32-62",
        ),
        ({"start": file, "symmetry": "none"}, "is evidence-canonical 415-16-62, not evidence 415-16-62"),
        ({"start": tanh}, "the network has tanh activations, not ReLU"),
        ({"start": "dqn"}, "start=dqn: the network is not an actor-critic: it has no critic"),
        ({"start": "nobody"}, "start=nobody: unknown network 'nobody'"),
    ):
        with pytest.raises(InvalidInput, match=message):
            make_learner("actor-critic", games, settings(**changes), 1, "kernel")


def test_start_network_is_not_changed_and_run_resumes(tmp_path: Path) -> None:
    file, games = trained_file(tmp_path), [cardgames.make("uno", players=n, rules="rlcard") for n in (2, 3)]
    options = settings(start=file, rounds=2000)
    earlier = load_named_network(games[0], file).weights.copy()
    whole, half, rest = (make_learner("actor-critic", games, options, 5, "kernel") for _ in range(3))
    for learner in (whole, half):
        for _ in range(150):
            learner.cycle()
    rest.load_state(half.state())
    for learner in (whole, rest):
        for _ in range(100):
            learner.cycle()
    assert np.array_equal(whole.network().weights, rest.network().weights)
    assert not np.array_equal(whole.network().weights, earlier), "it learned"
    assert np.array_equal(load_named_network(games[0], file).weights, earlier)
