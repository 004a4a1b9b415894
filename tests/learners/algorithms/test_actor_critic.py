"""An actor and its critic: the loss by hand, advantages, resuming, and that it learns."""

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


def loss(outputs: np.ndarray, legal: np.ndarray, done: np.ndarray, before: np.ndarray, advantages, targets) -> float:  # type: ignore[no-untyped-def]
    """Equations 7 and 9 in plain numpy."""
    actions = outputs.shape[1] - 1
    total = 0.0
    for row, output in enumerate(outputs):
        able = to_bools(legal[row : row + 1], actions)[0]
        probabilities = np.exp(output[:-1][able])
        probabilities /= probabilities.sum()
        ratio = probabilities[list(np.flatnonzero(able)).index(done[row])] / math.exp(before[row])
        gain = advantages[row]
        total -= min(ratio * gain, min(max(ratio, 1 - CLIP), 1 + CLIP) * gain)
        total += VALUE_WEIGHT * (output[-1] - targets[row]) ** 2
        total += ENTROPY * (probabilities * np.log(probabilities)).sum()
    return total / len(outputs)


def test_the_gradient_is_that_of_the_clipped_loss() -> None:
    random = np.random.default_rng(1)
    rows, actions = 12, 7
    outputs = random.normal(size=(rows, actions + 1)).astype(np.float32)
    legal = random_masks(random, rows, actions)
    able = to_bools(legal, actions)
    done = np.array([random.choice(np.flatnonzero(row)) for row in able])
    probabilities = softmax(outputs[:, :-1], able)[np.arange(rows), done]
    before = (np.log(probabilities) + random.choice([-0.5, -0.1, 0.1, 0.5], rows)).astype(np.float32)
    advantages, targets = random.normal(size=(2, rows)).astype(np.float32)
    slopes = np.empty_like(outputs)
    clipped_loss_gradient(outputs, legal, done, before, advantages, targets, (CLIP, VALUE_WEIGHT, ENTROPY), slopes)
    precise = outputs.astype(float)
    for row, output in np.ndindex(outputs.shape):
        step = np.zeros(outputs.shape)
        step[row, output] = 1e-5
        ends = [loss(precise + sign * step, legal, done, before, advantages, targets) for sign in (1, -1)]
        assert slopes[row, output] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-4)


def test_advantages_add_up_what_the_critic_did_not_expect() -> None:
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


def test_actions_are_drawn_as_likely_as_the_policy_has_them() -> None:
    tables = np.zeros(20_000, TABLE)
    tables["rng"] = [rng.derive(3, table) for table in range(len(tables))]
    legal = np.zeros((len(tables), 1), np.uint64)
    insert(legal[0], 0), insert(legal[0], 3)
    legal[:] = legal[0]
    outputs = np.tile(np.array([1.0, 9.0, 9.0, 0.0, 0.25], np.float32), (len(tables), 1))
    actions, remarks = np.zeros(len(tables), np.int64), np.zeros((len(tables), REMARKS), np.float32)
    draw_actions(outputs, legal, tables, remarks, actions)
    chance = 1 / (1 + math.exp(-1))
    assert set(actions.tolist()) == {0, 3}
    assert (actions == 0).mean() == pytest.approx(chance, abs=0.015)
    assert remarks[:, LOG_PROB] == pytest.approx(np.log(np.where(actions == 0, chance, 1 - chance)), abs=1e-5)
    assert (remarks[:, VALUE] == 0.25).all()


def test_only_decisions_with_a_choice_are_remembered() -> None:
    games = [cardgames.make("uno", players=2, rules="rlcard")]
    learner = make_learner("actor-critic", games, settings(), 1, "kernel")
    for _ in range(60):
        learner.cycle()
    memory = learner.memory  # type: ignore[attr-defined]
    legal = to_bools(memory.legal[: len(memory)], 61)
    assert len(memory) > 200
    assert (legal.sum(axis=1) > 1).all()
    assert legal[np.arange(len(memory)), memory.actions[: len(memory)]].all()


def test_it_learns_some_passes_over_all_decisions_since_the_last_time(monkeypatch: pytest.MonkeyPatch) -> None:
    told = settings(passes=3, rounds=1000, reward="pay-off")
    learner = make_learner("actor-critic", [cardgames.make("uno", rules="official")], told, 1, "kernel")
    assert isinstance(learner, ActorCritic)
    high = reward_range(learner.games[0], "pay-off")[1]
    assert high > 1 and learner.network().reward == (-1.0, 1.0), "rewards and values are shares of the highest"
    seen: list[tuple[np.ndarray, ...]] = []
    monkeypatch.setattr(learner, "_update", seen.append)
    memory, before = learner.memory, 0
    while memory.written < 3 * memory.capacity:
        seen.clear()
        while not seen:
            fraction_done = learner.fraction_done
            learner.cycle()
        inputs, _, actions, log_probs, advantages, targets = (
            np.concatenate(parts) for parts in zip(*seen, strict=True)
        )
        fresh = np.arange(before, memory.written) % memory.capacity
        assert max(len(inputs) for inputs, *_ in seen) == told.batch
        expected, wanted = estimate_advantages(memory, fresh, told.discount, told.trace, 1 / high)
        gain = (expected - expected.mean()) / expected.std()
        once = zip(memory.actions[fresh], memory.remarks[fresh, LOG_PROB], wanted, gain, strict=True)
        has_updates = np.array(sorted(zip(actions, log_probs, targets, advantages, strict=True)))
        assert has_updates == pytest.approx(np.array(sorted(3 * list(once))), rel=1e-4, abs=1e-5)
        assert np.array_equal(inputs.sum(axis=0), 3 * memory.observations[fresh].sum(axis=0))
        assert learner.online.optimizer.learning_rate == pytest.approx(told.learning_rate * (1 - fraction_done))
        before = memory.written


def test_a_lesson_of_the_cycle_that_ends_the_training_moves_weights() -> None:
    told = settings(rounds=1, tables=64, memory=4, batch=4, opponents="random")
    learner = make_learner("actor-critic", [cardgames.make("uno", rules="rlcard")], told, 1, "kernel")
    before = learner.network().weights.copy()
    while not learner.finished:
        learner.cycle()
    assert learner.has_updates and not np.array_equal(learner.network().weights, before)


def test_under_renamed_colours_nothing_is_clipped_before_something_was_learned() -> None:
    told = settings(symmetry="augment", encoding="4x4x15", batch="1024", passes="1", opponents="random")
    learner = make_learner("actor-critic", [cardgames.make("uno", rules="rlcard")], told, 1, "kernel")
    while not learner.online.steps:  # type: ignore[attr-defined]
        learner.cycle()
    metrics = learner.metrics()
    assert metrics["updates"] == 1 and metrics["clipped"] == 0


def test_its_file_is_a_policy_and_its_critic_judges_for_searches(tmp_path: Path) -> None:
    game, file = cardgames.make("uno", rules="rlcard"), str(tmp_path / "weights.safetensors")
    learner = make_learner("actor-critic", [game], settings(), 1, "kernel")
    save_network(learner.network(), file)
    state = game.new_initial_state(seed=4)
    seen = state.observation()
    x = game.encode(seen, learner.encoding).reshape(1, -1)
    both = learner.online.outputs(x)[0]  # type: ignore[attr-defined]
    network = load_network(file)
    assert network.reward == (-1.0, 1.0)
    assert np.array_equal(network(x)[0], both[:-1])
    value = make_evaluator(game, file).evaluate(state.record.reshape(1), np.array([seen.player]))
    assert value == pytest.approx((both[-1:] + 1) / 2, abs=1e-6)
    for search in ("mcts-net:", "q-tree:", "mcts:cutoff=1,", f"mcts-dbm:root=halving,playout={file},cutoff=0,"):
        agent = cardgames.agent(f"{search}network={file},simulations=20", game)
        assert agent.act(seen).action in seen.legal_actions


@pytest.mark.parametrize(("seats", "opponents"), [("any", "random+past"), ("all", "random")])
def test_a_resumed_run_learns_the_same(seats: str, opponents: str) -> None:
    games = [cardgames.make("uno", players=n, rules="rlcard") for n in (2, 3)]
    told = settings(rounds=2000, seats=seats, opponents=opponents)
    whole, half, rest = (make_learner("actor-critic", games, told, 5, "kernel") for _ in range(3))
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


def test_it_learns_to_win() -> None:
    """Under rules that let it draw at will it learns to lay cards, which is worth most of a round."""
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
    """A network that moved a little from where it began."""
    learner = make_learner("actor-critic", [cardgames.make("uno", rules="rlcard")], settings(), 1, "kernel")
    for _ in range(100):
        learner.cycle()
    save_network(learner.network(), str(tmp_path / "weights.safetensors"))
    return str(tmp_path / "weights.safetensors")


def test_it_begins_with_another_network(tmp_path: Path) -> None:
    file = trained_file(tmp_path)
    game = cardgames.make("uno", players=3, rules="rlcard")
    begun = make_learner("actor-critic", [game], settings(start=file), 9, "kernel").network()
    told = load_network(file)
    assert np.array_equal(begun.weights, told.weights)
    for ours, theirs in zip(begun.critic, told.critic, strict=True):  # type: ignore[arg-type]
        assert np.array_equal(ours, theirs)
    named = make_learner("actor-critic", [game], settings(start="actor-critic", hidden="256-256"), 9, "kernel")
    assert np.array_equal(named.network().weights, load_named_network(game, "actor-critic").weights)


def test_what_it_cannot_begin_with_is_refused(tmp_path: Path) -> None:
    games, file = [cardgames.make("uno", rules="rlcard")], trained_file(tmp_path)
    tanh = str(tmp_path / "tanh.safetensors")
    save_network(replace(load_network(file), activations=("tanh",)), tanh)
    for changes, why in (
        (
            {"start": file, "hidden": "32"},
            f"start={file}: the network is evidence-canonical 415-16-62, not .* 415-32-62",
        ),
        ({"start": file, "symmetry": "none"}, "is evidence-canonical 415-16-62, not evidence 415-16-62"),
        ({"start": tanh}, "the network has tanh activations, not ReLU"),
        ({"start": "dqn"}, "start=dqn: the network is not an actor-critic: it has no critic"),
        ({"start": "nobody"}, "start=nobody: unknown network 'nobody'"),
    ):
        with pytest.raises(InvalidInput, match=why):
            make_learner("actor-critic", games, settings(**changes), 1, "kernel")


def test_what_it_began_with_stays_as_it_was_and_a_run_resumes(tmp_path: Path) -> None:
    file, games = trained_file(tmp_path), [cardgames.make("uno", players=n, rules="rlcard") for n in (2, 3)]
    told = settings(start=file, rounds=2000)
    before = load_named_network(games[0], file).weights.copy()
    whole, half, rest = (make_learner("actor-critic", games, told, 5, "kernel") for _ in range(3))
    for learner in (whole, half):
        for _ in range(150):
            learner.cycle()
    rest.load_state(half.state())
    for learner in (whole, rest):
        for _ in range(100):
            learner.cycle()
    assert np.array_equal(whole.network().weights, rest.network().weights)
    assert not np.array_equal(whole.network().weights, before), "it learned"
    assert np.array_equal(load_named_network(games[0], file).weights, before)
