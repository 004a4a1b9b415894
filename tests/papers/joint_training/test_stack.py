"""Stack of learners: updates equal to single trainings, state, and refused members."""

import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cardgames.core.game_registry import make
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.learners.algorithms.dqn import Dqn, DqnSettings
from cardgames.learners.base.value_learner import ValueLearner
from cardgames.papers.joint_training import updates
from cardgames.papers.joint_training.stack import Stack
from cardgames.papers.joint_training.updates import check_compilers
from cardgames.support.errors import InvalidInput

torch = pytest.importorskip("torch")

GAME = make("uno", 2, "rlcard")
SMALL = {
    **{"hidden": (16, 8), "rounds": 40, "memory": 300, "memory_init": 50, "batch": 8, "learning_rate": 1e-2},
    **{"target_every": 7, "color_units": 4, "number_units": 6},
}
VARIED: dict[str, list[dict[str, Any]]] = {
    "dqn": [{"learning_rate": 1e-3}, {"discount": 0.5, "target_every": 5}, {"memory_init": 90}],
    "ddqn": [{"learning_rate": 1e-3}, {"epsilon_decisions": 10}],
    "sarsa": [{"learning_rate": 1e-3}, {"epsilon_factor": 0.5}],
    "candqn": [{"discount": 0.5}, {"learning_rate": 1e-3}],
    "afcandqn": [{}, {"focus_weight": 0.5, "focus_loss": "mse"}],
    "afdqn": [{"focus_loss": "mse"}, {"focus_weight": 0.0}, {"focus_weight": 2.0}],
}


def learners(name: str, **changes: Any) -> list[ValueLearner]:
    settings = algorithm(name).settings_class()
    names = settings.to_dict()
    small = settings.with_changes({key: value for key, value in {**SMALL, **changes}.items() if key in names})
    members = [
        make_learner(name, [GAME], small.with_changes(own), seed, "kernel") for seed, own in enumerate(VARIED[name])
    ]
    return [learner for learner in members if isinstance(learner, ValueLearner)]


def train(stack: Stack, ticks: int = 10**9) -> Stack:
    while not stack.finished and ticks:
        stack.tick()
        ticks -= 1
    return stack


def copy_member_network(stack: Stack, member: int, learner: ValueLearner) -> None:
    """Copy weights, moments and target network of a member to a learner."""
    network, parts = stack._updates.network, {}
    flat = {name: array.copy() for name, array in stack.state().items()}  # on a CPU, `state` returns no copies
    # `tensors` reads only the weights: put each part there in turn, the weights themselves last
    for name in ("mean", "square", "target", "weights"):
        network.weights.copy_(torch.from_numpy(flat[f"updates/{name}"]))
        parts[name] = network.tensors(member)
    state: dict[str, Any] = {"steps": np.array(stack.steps[member])}
    for part in ("weights", "mean", "square"):
        state |= {f"{part}.{name}": tensor for name, tensor in parts[part].items()}
    learner.online.load_state(state)
    if isinstance(learner, Dqn):
        learner.target.load_tensors(parts["target"])


def copy_member_memory(stack: Stack, member: int, learner: ValueLearner) -> None:
    """Copy the replay buffer of a member to a learner."""
    memory = learner.memory
    rows = stack._updates.replay.rows()[member * memory.capacity : (member + 1) * memory.capacity]
    memory.observations[:], memory.legal[:], memory.actions[:] = rows["observation"], rows["legal"], rows["action"]
    memory.rewards[:], memory.last[:], memory.cursor[0] = rows["reward"], rows["last"], stack.num_decisions[member]


def update_on_member_batch(stack: Stack, member: int, learner: ValueLearner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Update a learner on the last batch of a member."""
    copy_member_memory(stack, member, learner)
    drawn = stack._updates.batch[0][0, member] - member * learner.memory.capacity

    def choose(batch: Any) -> None:
        batch.rows[:] = drawn

    monkeypatch.setattr(learner.memory, "_sample_rows", choose)
    learner.update()


@pytest.mark.parametrize("loss", ["mse", "huber"])
@pytest.mark.parametrize("name", VARIED)
def test_update_of_a_member_equals_that_of_a_single_learner(
    name: str, loss: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack, alone = Stack(learners(name, loss=loss, batch=64), "cpu"), learners(name, loss=loss, batch=64)
    while stack.steps.min() <= 20 or (stack.steps % stack._schedule.target_every < 3).any():
        assert not stack.finished
        stack.tick()
    for member, learner in enumerate(alone):
        copy_member_network(stack, member, learner)
        if isinstance(learner, Dqn):
            observations = stack._collector.observations
            old = learner.values(learner.target, observations)
            assert (learner.scores(observations) != old).any(), "the target network is some updates old"
    before = stack.steps.copy()
    stack.tick()
    assert (stack.steps > before).any()
    ends: set[bool] = set()
    for member, learner in enumerate(alone):
        if stack.steps[member] > before[member]:
            update_on_member_batch(stack, member, learner, monkeypatch)
            ends |= set(learner.memory.last[learner.memory._batch.rows].tolist())
        expected = learner.online.tensors()
        for key, tensor in stack._updates.network.tensors(member).items():
            assert np.allclose(tensor, expected[key], rtol=0, atol=2e-6), (name, member, key)
    assert ends == {False, True}, "the batches hold last decisions of rounds, and others"


def test_target_networks_are_copied_every_target_every_updates() -> None:
    stack = Stack(learners("dqn"), "cpu")
    network, every = stack._updates.network, (7, 5, 7)
    were = network.target.clone()
    while stack.steps.min() < 30:
        assert not stack.finished
        before = stack.steps.copy()
        stack.tick()
        for member in range(3):
            due = stack.steps[member] > before[member] and stack.steps[member] % every[member] == 0
            assert torch.equal(network.target[member], (network.weights if due else were)[member])
        were = network.target.clone()


@pytest.mark.parametrize("name", ["dqn", "sarsa"])
def test_epsilon_of_members_follows_their_decisions_and_rounds(name: str) -> None:
    stack = train(Stack(learners(name, epsilon_decisions=10_000), "cpu"))
    for member, learner in enumerate(stack.learners):
        expected = learner.settings.epsilon(int(stack.num_decisions[member]), 40)
        assert stack._epsilons[member] == pytest.approx(expected, abs=0.01)


def test_rewards_of_members_follow_their_settings() -> None:
    game = make("uno", 2, "simplified", ["turn-limit=10"])
    settings = DqnSettings().with_changes({"hidden": "8", "rounds": 5, "reward": "win-only"})
    learner: Any = make_learner("dqn", [game], settings, 0, "kernel")
    stack = train(Stack([learner], "cpu"))
    rows = stack._updates.replay.rows()[: stack.num_decisions[0]]
    assert set(rows["reward"][rows["last"] > 0].tolist()) == {-1.0}


def test_stack_plays_all_rounds_and_makes_all_updates() -> None:
    stack = train(Stack(learners("dqn"), "cpu"))
    assert stack.rounds_played.tolist() == [40] * 3 and stack.fraction_done == 1
    assert (stack.steps == stack.num_decisions - [50, 50, 90] + 1).all()
    first = stack.learners[0].online.tensors()
    stack.copy_to_learner(0)
    assert any((first[key] != tensor).any() for key, tensor in stack.learners[0].online.tensors().items())


def test_member_without_enough_decisions_makes_no_update_and_finishes() -> None:
    both = learners("dqn")[0], learners("dqn", memory_init=10**6)[0]
    stack = train(Stack(both, "cpu"))
    assert stack.steps[0] > 0 == stack.steps[1] and stack.rounds_played.tolist() == [40, 40]


def test_member_plays_and_learns_as_in_a_stack_of_one() -> None:
    together, alone = (Stack(part, "cpu") for part in (learners("dqn"), learners("dqn")[1:2]))
    for stack in (together, alone):
        train(stack, 150)
    assert together.steps[1] == alone.steps[0] > 50 and together.num_decisions[1] == alone.num_decisions[0]
    for key, tensor in alone._updates.tensors(0).items():
        assert np.allclose(tensor, together._updates.tensors(1)[key], rtol=0, atol=1e-5)


def test_first_deal_equals_that_of_a_single_training() -> None:
    stack, alone = Stack(learners("dqn"), "cpu"), learners("dqn")
    for member, learner in enumerate(alone):
        assert (stack._collector.observations[member] == learner.collector.observations[0]).all()
        assert np.allclose(stack._updates.q[member], learner.scores(learner.collector.observations)[0], atol=1e-6)


def test_stack_continued_from_its_state_is_bit_identical() -> None:
    stack = train(Stack(learners("afdqn"), "cpu"), 120)
    again = train(Stack(learners("afdqn"), "cpu"), 150)
    again.load_state({name: array.copy() for name, array in stack.state().items()})
    for other in (stack, again):
        train(other)
    state = again.state()
    for name, array in stack.state().items():
        assert array.tobytes() == state[name].tobytes(), name


def test_state_of_another_number_of_members_is_refused() -> None:
    stack = Stack(learners("dqn"), "cpu")
    with pytest.raises(InvalidInput, match="the state has 3 members, the stack 1"):
        Stack(learners("dqn")[:1], "cpu").load_state(stack.state())


def test_replay_holds_whole_rounds_in_order() -> None:
    stack = Stack(learners("dqn", memory=5000), "cpu")
    train(stack)
    for member, num_decisions in enumerate(stack.num_decisions):
        rows = stack._updates.replay.rows()[5000 * member : 5000 * member + num_decisions]
        assert rows["last"][-1] and rows["last"].sum() == 40
        assert (rows["legal"][:, 0] >> rows["action"].astype(np.uint64) & np.uint64(1)).all(), "every action is legal"


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("dmc", {}, "unknown algorithm that is stacked 'dmc'"),
        ("dqn", {"tables": 2}, "stacked learners need tables=1, not 2"),
        ("dqn", {"priority": 0.6}, "stacked learners need priority=0.0, not 0.6"),
        ("dqn", {"opponents": "past"}, "stacked learners cannot play against past selves"),
        ("dqn", {"seats": "all"}, "seats is first or any, not all"),
        ("dqn", {"memory": 100}, "memory is at least 130 in a stack of 1"),
    ],
)
def test_learner_that_cannot_be_stacked_is_refused(name: str, changes: dict[str, Any], words: str) -> None:
    settings = replace(algorithm(name).settings_class(), **changes)
    learner: Any = make_learner(name, [GAME], settings, device="kernel")
    with pytest.raises(InvalidInput, match=words):
        Stack([learner], "cpu")


def test_members_with_incompatible_settings_are_refused() -> None:
    both: Any = [make_learner("dqn", [GAME], DqnSettings(batch=n), 0, "kernel") for n in (8, 16)]
    with pytest.raises(InvalidInput, match="all members of a stack must have the same batch"):
        Stack(both, "cpu")
    with pytest.raises(InvalidInput, match="a stack has at least one member"):
        Stack([], "cpu")
    with pytest.raises(InvalidInput, match="unknown device of a stack 'kernel'"):
        Stack(both[:1], "kernel")


def test_missing_compiler_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(updates.shutil, "which", lambda name: None)
    with pytest.raises(InvalidInput, match="needs a C compiler: install gcc or clang, or name one in CC"):
        check_compilers()


def test_missing_triton_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "cc")
    monkeypatch.setitem(sys.modules, "triton", None)
    with pytest.raises(InvalidInput, match="a stack on CUDA needs triton, which is not installed"):
        check_compilers()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("name", VARIED)
def test_training_on_cuda_matches_the_cpu_and_repeats(name: str) -> None:
    cpu, *cuda = (Stack(learners(name), device) for device in ("cpu", "cuda", "cuda"))
    for stack in (cpu, *cuda):
        train(stack, 100)
    for member in range(len(cpu.learners)):
        for key, tensor in cpu._updates.tensors(member).items():
            first, second = (stack._updates.tensors(member)[key] for stack in cuda)
            assert np.allclose(tensor, first, rtol=0, atol=1e-4)
            assert (first == second).all()
