"""Tests of replay buffers and reservoirs: samples with next states, sampling probabilities, resuming, action masks."""

import numpy as np
import pytest

from cardgames.kernels import masks, rng
from cardgames.learners.base.bootstrap_targets import bootstrap_targets, greedy_actions
from cardgames.learners.memory.prioritized_replay import PrioritizedReplay
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.learners.memory.reservoir_buffer import Reservoir
from cardgames.support.errors import InvalidInput


def write_round(memory: Replay, number: int, decisions: int) -> None:
    """Write a round: the inputs of each row are the numbers of round and decision."""
    for decision in range(decisions):
        row = memory.written % memory.capacity
        memory.observations[row] = number, decision
        memory.legal[row] = 1 << decision
        memory.actions[row] = 10 * number + decision
        memory.last[row] = decision == decisions - 1
        memory.rewards[row] = float(memory.last[row])
        memory.returns[row] = number
        memory.cursor[0] += 1


@pytest.mark.parametrize("cls", [Replay, PrioritizedReplay])
def test_sampled_decisions_have_their_next_state(cls: type[Replay]) -> None:
    memory = cls(50, 2, 61, seed=1)
    for number in range(12):
        write_round(memory, number, 1 + number % 5)
        memory.prioritize_new()
        batch = memory.sample(64)
        for i in range(64):
            round_number, decision = batch.observations[i]
            assert batch.actions[i] == 10 * round_number + decision and batch.returns[i] == round_number
            assert batch.last[i] == (decision == round_number % 5) and batch.rewards[i] == batch.last[i]
            if not batch.last[i]:
                assert batch.next_observations[i].tolist() == [round_number, decision + 1]
                assert batch.next_actions[i] == batch.actions[i] + 1
                assert batch.next_legal[i] == 1 << (decision + 1)


def test_oldest_decisions_are_overwritten_and_rounds_keep_their_end() -> None:
    memory = Replay(7, 2, 61)
    for number in range(30):
        write_round(memory, number, 1 + number % 4)
        batch = memory.sample(40)
        has_next = ~batch.last
        assert (batch.next_actions[has_next] == batch.actions[has_next] + 1).all()
        assert batch.actions.min() >= 10 * (number - 6)
    assert len(memory) == 7


def test_replay_samples_uniformly() -> None:
    memory = Replay(20, 2, 61, seed=3)
    write_round(memory, 0, 20)
    counts = np.bincount(np.concatenate([memory.sample(100).rows.copy() for _ in range(200)]), minlength=20)
    assert abs(counts / 20_000 - 0.05).max() < 0.008


@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 1.0), (0.6, 0.4)])
def test_prioritized_replay_samples_in_proportion_to_priority(alpha: float, beta: float) -> None:
    memory = PrioritizedReplay(10, 2, 61, seed=3, alpha=alpha, beta=beta)
    write_round(memory, 0, 10)
    memory.prioritize_new()
    batch = memory.sample(10)
    assert sorted(batch.rows.tolist()) == list(range(10))
    assert np.allclose(batch.weights, 1)
    errors = batch.rows.astype(np.float32)
    memory.update_priorities(batch, errors)
    priorities = (np.arange(10) + 0.01) ** alpha
    counts, shares = np.zeros(10), priorities / priorities.sum()
    for _ in range(400):
        batch = memory.sample(50)
        counts += np.bincount(batch.rows, minlength=10)
        assert np.allclose(batch.weights, (shares[batch.rows].min() / shares[batch.rows]) ** beta)
    assert abs(counts / counts.sum() - shares).max() < 0.01
    write_round(memory, 1, 1)
    memory.prioritize_new()
    assert 0 in memory.sample(50).rows, "a new decision has the greatest priority so far"


def test_new_decision_has_greatest_priority_so_far() -> None:
    memory = PrioritizedReplay(10, 2, 61, alpha=1.0)
    write_round(memory, 0, 4)
    memory.prioritize_new()
    for error in (3.0, 0.5):
        memory.update_priorities(memory.sample(4), np.full(4, error, np.float32))
    write_round(memory, 1, 1)
    memory.prioritize_new()
    assert memory.state()["priorities"] == pytest.approx([0.51] * 4 + [3.01])


def test_loaded_state_replaces_a_fuller_memory() -> None:
    memory, full = PrioritizedReplay(50, 2, 61), PrioritizedReplay(50, 2, 61)
    for target, decisions in ((memory, 4), (full, 44)):
        write_round(target, 0, decisions)
        target.prioritize_new()
    full.load_state(memory.state())
    assert len(full) == 4 and full.sample(200).rows.max() < 4


@pytest.mark.parametrize("shapes", [((3, 1), (3, 1)), ((3, 2), (3, 2)), ((2, 2), (3, 1)), ((3, 2), (2, 1))])
def test_reservoir_refuses_other_shapes(shapes: tuple[tuple[int, int], ...]) -> None:
    memory, (inputs_shape, legal_shape) = Reservoir(10, 2, 61), shapes
    with pytest.raises(InvalidInput, match="have other shapes than the reservoir"):
        memory.offer(np.zeros(inputs_shape, np.int8), np.ones(legal_shape, np.uint64), np.zeros(3, np.int64))


def test_reservoir_is_a_uniform_sample() -> None:
    counts = np.zeros(40)
    for seed in range(300):
        reservoir = Reservoir(10, 1, 61, seed)
        for first in (0, 20):
            ids = np.arange(first, first + 20)
            reservoir.offer(ids[:, None].astype(np.int8), np.ones((20, 1), np.uint64), ids)
        assert (reservoir.observations[:, 0] == reservoir.actions).all() and len(set(reservoir.actions.tolist())) == 10
        counts[reservoir.actions] += 1
    assert abs(counts / 300 - 0.25).max() < 0.1


@pytest.mark.parametrize("cls", [Replay, PrioritizedReplay, Reservoir])
def test_memory_continues_from_saved_state(cls: type) -> None:
    memory, again = cls(12, 2, 61, seed=2), cls(12, 2, 61, seed=9)

    def write(target: Replay | Reservoir, number: int) -> None:
        if isinstance(target, Reservoir):
            target.offer(np.full((5, 2), number, np.int8), np.ones((5, 1), np.uint64), np.arange(5))
        else:
            write_round(target, number, 5)
            target.prioritize_new()
            batch = target.sample(8)
            target.update_priorities(batch, np.arange(8, dtype=np.float32))

    for number in range(4):
        write(memory, number)
    again.load_state({name: array.copy() for name, array in memory.state().items()})
    for number in range(4, 6):
        write(memory, number)
        write(again, number)
    assert all(np.array_equal(again.state()[name], array) for name, array in memory.state().items())
    with pytest.raises(InvalidInput):
        cls(3, 2, 61).load_state(memory.state())
    with pytest.raises(InvalidInput, match="empty"):
        cls(3, 2, 61).sample(1)
    with pytest.raises(InvalidInput, match="at least 1"):
        cls(0, 2, 61)


def test_action_masks_behave_as_sets() -> None:
    random = np.random.default_rng(1)
    for actions in (5, 61, 64, 95):
        legal = random.random((50, actions)) < 0.2
        legal[:, actions - 1] = True
        values = random.integers(0, 5, (50, actions)).astype(np.float32)
        words = np.zeros((50, masks.num_words(actions)), np.uint64)
        for row, mask in zip(legal, words, strict=True):
            for action in np.flatnonzero(row):
                masks.insert(mask, action)
            ids = np.flatnonzero(row).tolist()
            assert masks.size(mask) == len(ids)
            assert [masks.nth(mask, n) for n in range(len(ids))] == ids
            assert all(masks.contains(mask, action) == row[action] for action in range(actions))
        assert np.array_equal(masks.to_bools(words, actions), legal)
        expected = np.where(legal, values, -np.inf).argmax(axis=1)
        assert np.array_equal(greedy_actions(values, words), expected)
    assert masks.argmax(np.zeros(61, np.float32), np.zeros(1, np.uint64)) == -1


def test_bootstrap_targets_stop_at_end_of_round() -> None:
    memory = Replay(5, 2, 61)
    write_round(memory, 1, 3)
    batch = memory.sample(30)
    values = np.tile(np.arange(61, dtype=np.float32), (30, 1))
    targets = bootstrap_targets(batch, values, batch.next_actions, 0.5)
    assert targets.dtype == np.float32
    for target, action, last in zip(targets, batch.actions, batch.last, strict=True):
        assert target == (1.0 if last else 0.5 * (action + 1))


def test_reservoir_follows_algorithm_r() -> None:
    reservoir, stream, expected = Reservoir(3, 1, 61, seed=5), rng.stream(rng.derive(5)), list[int]()
    for n in range(60):
        reservoir.offer(np.full((1, 1), n, np.int8), np.ones((1, 1), np.uint64), np.array([n]))
        place = n if n < 3 else int(rng.next_word(stream) % np.uint64(n + 1))
        if place < 3:
            expected[place : place + 1] = [n]
        assert reservoir.actions[: len(reservoir)].tolist() == expected
