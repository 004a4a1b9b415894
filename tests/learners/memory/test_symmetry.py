"""Tests of symmetries in training: augmented batches, canonical networks, resuming, invalid settings."""

from pathlib import Path

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.kernels import masks
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.learners.base.learner import Learner
from cardgames.learners.memory.prioritized_replay import PrioritizedReplay
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.learners.memory.reservoir_buffer import Reservoir
from cardgames.networks.network_file import load_network, save_network
from cardgames.networks.policy_lookup import find_policy
from cardgames.support.errors import InvalidInput

GAME = cardgames.make("uno", players=2, rules="rlcard", overrides=["hand-size=3"])
TINY = {"hidden": "8", "rounds": 60, "memory": 200, "batch": 8, "memory_init": 10}


def learner(name: str, symmetry: str, **changes: object) -> Learner:
    settings = {**TINY, "symmetry": symmetry, **changes}
    if name == "actor-critic":
        settings = {"hidden": "8", "memory": 64, "batch": 16, "tables": 4, "symmetry": symmetry, **changes}
    return make_learner(name, [GAME], algorithm(name).settings_class().with_changes(settings), 1, "kernel")


def filled(memory: Replay | Reservoir) -> Replay | Reservoir:
    """Write the decisions of some rounds to a memory of capacity 200, and return it."""
    played = learner("dmc", "none", opponents="reflex")
    while played.memory.written < 200:
        played.cycle()
    stored = played.memory.state()
    if isinstance(memory, Reservoir):
        memory.offer(stored["observations"], stored["legal"], stored["actions"])
    else:
        memory.load_state(memory.state() | stored | {"stream": memory.state()["stream"]})
        memory.prioritize_new()
    return memory


def matching_symmetries(pairs: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> set[int]:
    """Return the symmetries that map each first array to the second, by tables [24, n] of the new index of each entry."""
    symmetry_ids = set(range(24))
    for before, after, table in pairs:
        symmetry_ids &= {k for k in range(24) if np.array_equal(after[table[k]], before)}
    return symmetry_ids


@pytest.mark.parametrize("cls", [Replay, PrioritizedReplay])
def test_replay_applies_one_symmetry_to_all_of_a_decision(cls: type[Replay]) -> None:
    symmetries, outputs = GAME.symmetries("4x4x15"), GAME.num_distinct_actions
    memory = filled(cls(200, 240, outputs, 3, symmetries=symmetries))
    assert isinstance(memory, Replay)
    batch = memory.sample(150)
    legal = masks.to_bools(memory.legal, outputs)
    seen, following = masks.to_bools(batch.legal, outputs), masks.to_bools(batch.next_legal, outputs)
    drawn = []
    for i, row in enumerate(batch.rows):
        after = (row + 1) % 200
        taken, then = np.arange(outputs) == memory.actions[row], np.arange(outputs) == memory.actions[after]
        symmetry_ids = matching_symmetries(
            [
                (memory.observations[row], batch.observations[i], symmetries.inputs),
                (memory.observations[after], batch.next_observations[i], symmetries.inputs),
                (legal[row], seen[i], symmetries.actions),
                (legal[after], following[i], symmetries.actions),
                (taken, np.arange(outputs) == batch.actions[i], symmetries.actions),
                (then, np.arange(outputs) == batch.next_actions[i], symmetries.actions),
            ]
        )
        assert symmetry_ids and batch.returns[i] == memory.returns[row]
        drawn.append(min(symmetry_ids))
    assert len(set(drawn)) > 15


def test_reservoir_applies_one_symmetry_to_all_of_a_decision() -> None:
    symmetries, outputs = GAME.symmetries("4x4x15"), GAME.num_distinct_actions
    stored = filled(Reservoir(200, 240, outputs, 3, symmetries=symmetries))
    assert isinstance(stored, Reservoir)
    plain = Reservoir(200, 240, outputs)
    plain.load_state(stored.state())
    before, after = plain.sample(100), stored.sample(100)
    for i in range(100):
        (x, legal_before, action_before), (y, legal_after, action_after) = (
            (part[0][i], masks.to_bools(part[1][i : i + 1], outputs)[0], np.arange(outputs) == part[2][i])
            for part in (before, after)
        )
        tables = symmetries.inputs, symmetries.actions, symmetries.actions
        pairs = zip((x, legal_before, action_before), (y, legal_after, action_after), tables, strict=True)
        assert matching_symmetries(list(pairs))


VARIANTS = [
    ("dqn", "augment", {"priority": 0.6}),
    ("dqn", "canonical", {"opponents": "random+past", "past_every": 5}),
    ("nfsp", "augment", {"anticipatory": 0.5, "reservoir": 50}),
    ("nfsp", "canonical", {"anticipatory": 0.5, "seats": "all"}),
    ("ddqn-mcts", "canonical", {"tables": 3, "simulations": 4, "encoding": "seat"}),
    ("afdqn", "augment", {}),
    ("afcandqn", "canonical", {}),
    ("actor-critic", "augment", {}),
    ("actor-critic", "canonical", {"opponents": "random+past", "past_every": 20, "seats": "any"}),
]


@pytest.mark.parametrize(("name", "symmetry", "changes"), VARIANTS)
def test_resumed_learner_with_symmetry_is_bit_identical(name: str, symmetry: str, changes: dict[str, object]) -> None:
    cycles = 60
    whole, half = learner(name, symmetry, **changes), learner(name, symmetry, **changes)
    for _ in range(2 * cycles):
        whole.cycle()
    for _ in range(cycles):
        half.cycle()
    rest = learner(name, symmetry, **changes)
    rest.load_state({key: array.copy() for key, array in half.state().items()})
    for _ in range(cycles):
        rest.cycle()
    ours, theirs = whole.state(), rest.state()
    assert all(np.array_equal(ours[key], theirs[key]) for key in ours) and whole.metrics()["updates"] > 0
    plain = learner(name, "none", **changes)
    for _ in range(2 * cycles):
        plain.cycle()
    assert not np.array_equal(plain.network().weights, whole.network().weights)


@pytest.mark.parametrize("name", ["nfsp", "dqn"])
def test_canonical_network_plays_in_agents_and_searches(name: str, tmp_path: Path) -> None:
    trained, file = learner(name, "canonical"), str(tmp_path / "net.safetensors")
    for _ in range(60):
        trained.cycle()
    save_network(trained.network(), file)
    assert load_network(file).encoding == "4x4x15-canonical"
    state = GAME.new_initial_state(seed=3)
    while len(state.legal_actions()) < 3:
        state.apply_action(state.legal_actions()[0])
    seen = state.observation()
    searches = (
        f"q-tree:network={file},simulations=20",
        f"mcts-net:network={file},simulations=20",
        f"mcts:setting=paper,network={file},cutoff=1,simulations=20",
    )
    for agent in (
        f"{name}:weights={file}",
        f"mcts:setting=paper,playout={file},simulations=20",
        *(searches if name == "dqn" else ()),
    ):
        assert cardgames.agent(agent, GAME, seed=1).act(seen).action in seen.legal_actions


def test_policy_maps_canonical_logits_back_to_actions(tmp_path: Path) -> None:
    trained, file = learner("nfsp", "canonical"), str(tmp_path / "net.safetensors")
    save_network(trained.network(), file)
    state = GAME.new_initial_state(seed=3)
    while len(state.legal_actions()) < 3:
        state.apply_action(state.legal_actions()[0])
    seen, inputs = state.observation(), np.zeros((1, 240), np.int8)
    encoding_id = GAME.encoding("4x4x15-canonical").encoding_id
    symmetry_id = ops.encode(GAME.kernel_rules, seen.record, seen.player, encoding_id, inputs[0])
    canonical_actions = [
        int(ops.apply_symmetry(GAME.kernel_rules, symmetry_id, action)) for action in seen.legal_actions
    ]
    shares = np.exp(trained.network()(inputs)[0][canonical_actions])
    policy = find_policy(GAME, file)
    likelihoods = [ops.likelihood(GAME.kernel_rules, seen.record, action, *policy) for action in seen.legal_actions]
    assert likelihoods == pytest.approx(shares / shares.sum(), rel=1e-5)


def test_invalid_symmetry_settings_are_refused() -> None:
    with pytest.raises(InvalidInput, match="doudizhu has no symmetries"):
        cardgames.make("doudizhu").symmetries("rlcard")
    with pytest.raises(InvalidInput, match="encoding with color symmetries 'seat-canonical'"):
        learner("dqn", "canonical", encoding="seat-canonical")
    for symmetry in ("augment", "canonical"):
        with pytest.raises(InvalidInput, match=f"outputs=50 cannot be used with symmetry={symmetry}"):
            learner("dqn", symmetry, outputs=50)
    for encoding in ("seat-canonical", "cheating-7x4x15-canonical"):
        with pytest.raises(
            InvalidInput, match=f"has 30 outputs, and {encoding} maps some to actions without an output"
        ):
            learner("dqn", "none", encoding=encoding, outputs=30)
    with pytest.raises(InvalidInput, match="unknown symmetry 'some': choose from none, augment, canonical"):
        learner("dqn", "some")
