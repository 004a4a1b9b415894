"""Tests of DDQN with MCTS: the trees' Q and rewards are stored, used as targets and added to the rewards."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.kernels import rng
from cardgames.learners.algorithms import ddqn_mcts
from cardgames.learners.algorithms.ddqn_mcts import DdqnMcts, DdqnMctsSettings, determinize_all, write_outputs
from cardgames.networks.network_file import random_network, save_network
from cardgames.search.network_evaluator import KernelEvaluator
from cardgames.search.qtree.batched_qtree import QForestSettings, grow_trees

TINY = {"hidden": "8", "tables": 6, "batch": 8, "memory_init": 10, "memory": 300, "simulations": 6, "threads": 1}


def learner(*players: int, **changes: object) -> DdqnMcts:
    games = [cardgames.make("uno", players=n, rules="rlcard", overrides=["hand-size=3"]) for n in players or (2,)]
    return DdqnMcts(games, DdqnMctsSettings().with_changes({**TINY, **changes}), 1, "kernel")


def expected_trees(trained: DdqnMcts, game_index: int, table_indices: Any) -> Any:
    """Grow the trees of the tables `own` one by one, with the network as agents have it."""
    game, at = trained.games[game_index], trained.collector
    streams = at.tables[table_indices].copy()
    seeds = np.array([rng.next_word(stream) for stream in streams], np.uint64)
    evaluator = KernelEvaluator(game, trained.network())
    return grow_trees(
        game, at.states[table_indices], evaluator, QForestSettings(6, 1.0, 0.99, "random"), seeds, batch=1
    )


@pytest.mark.parametrize(("players", "epsilon"), [((2,), 0.0), ((2, 3), 0.0), ((2,), 0.5)])
def test_decisions_and_remarks_equal_trees_of_true_states(players: tuple[int, ...], epsilon: float) -> None:
    trained, explored = learner(*players, epsilon_start=epsilon, epsilon_end=epsilon), False
    for _ in range(20):
        trees = []
        for game_index in range(len(players)):
            table_indices = np.flatnonzero(trained.collector.tables["game_index"] == game_index)
            if len(table_indices):
                trees.append((table_indices, expected_trees(trained, game_index, table_indices)))
        actions = trained.decide()
        for table_indices, statistics in trees:
            q = statistics.q.astype(np.float32)
            explored |= actions[table_indices].tolist() != q.argmax(1).tolist()
            assert np.array_equal(
                trained.collector.remarks[table_indices, 0], q[range(len(table_indices)), actions[table_indices]]
            )
            assert np.array_equal(trained.collector.remarks[table_indices, 1], statistics.reward.astype(np.float32))
        trained.collector.step(actions)
    assert explored == (epsilon > 0)


def test_trees_use_the_online_network() -> None:
    trained, table_indices = learner(epsilon_start=0, epsilon_end=0), np.arange(6)
    trained.target.load_tensors({name: -tensor for name, tensor in trained.target.tensors().items()})
    statistics, actions = expected_trees(trained, 0, table_indices), trained.decide()
    assert np.array_equal(trained.collector.remarks[:, 0], statistics.q.astype(np.float32)[table_indices, actions])


@pytest.mark.parametrize(("roots", "shape"), [("true", (6,)), ("determinized", (6, 6))])
def test_settings_reach_the_trees(roots: str, shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    trained, calls = learner(roots=roots, simulated="reflex", c_puct=0.5, discount=0.9), list[Any]()
    monkeypatch.setattr(
        ddqn_mcts,
        "grow_trees",
        lambda *arguments, **options: calls.append((arguments, options)) or grow_trees(*arguments, **options),
    )
    trained.decide()
    ((game, roots_given, _, growth, _), options) = calls[0]
    assert roots_given.shape == shape and (growth.simulations, growth.c, growth.discount) == (6, 0.5, 0.9)
    assert options["policy"].policy_id == game.policy("reflex").policy_id != game.policy("random").policy_id


def test_tree_values_without_output_are_omitted() -> None:
    trained = learner(outputs=60)
    values, q = np.arange(122.0).reshape(2, 61), np.full((3, 60), -1.0, np.float32)
    write_outputs(trained.games[0].kernel_rules, trained.collector.tables, np.array([1, 0]), values, q)
    assert np.array_equal(q[[1, 0]], values[:, :60])
    assert (q[2] == -1).all()


def test_remarks_are_stored_with_their_decisions() -> None:
    trained = learner(tables=1, memory=2000)
    pending, rounds = [], []
    while trained.rounds < 8:
        before = trained.rounds
        seen, actions = trained.collector.observations[0].copy(), trained.decide().copy()
        pending.append((seen.tobytes(), int(actions[0]), *trained.collector.remarks[0].tolist()))
        trained.collector.step(actions)
        if trained.rounds > before:
            rounds += pending
            pending = []
    memory = trained.memory
    stored = [
        (memory.observations[i].tobytes(), int(memory.actions[i]), *memory.remarks[i].tolist())
        for i in range(len(memory))
    ]
    assert stored == rounds


def test_targets_and_gradient_are_those_of_equation_6() -> None:
    trained = learner(discount=0.9)
    while trained.online.steps < 3:
        trained.cycle()
    batch = trained.memory.sample(8)
    batch.remarks[:, 1] = np.linspace(-0.4, 0.3, 8)
    online, target = trained.online.outputs(batch.next_observations), trained.target.outputs(batch.next_observations)
    outputs = trained.online.outputs(batch.observations)
    targets = trained.targets(batch)
    errors, gradient = trained.errors(outputs, targets, batch)
    for i in range(8):
        legal = [a for a in range(61) if int(batch.next_legal[i, 0]) >> a & 1]
        total = float(batch.rewards[i]) + float(batch.remarks[i, 1])
        if not batch.last[i]:
            best = max(legal, key=lambda a: online[i, a])
            total += 0.9 * float(target[i, best])
        assert targets[i] == pytest.approx(total, abs=1e-6)
        done = int(batch.actions[i])
        q, searched = float(outputs[i, done]), float(batch.remarks[i, 0])
        assert errors[i] == pytest.approx(q - total, abs=1e-6)
        # the derivative of (target - Q)^2 + (Q_m - Q)^2, a mean over the batch
        assert gradient[i, done] == pytest.approx((2 * (q - total) + 2 * (q - searched)) / 8, abs=1e-6)
        assert np.count_nonzero(gradient[i]) <= 1


def test_number_of_threads_does_not_change_training() -> None:
    one, three = learner(2, 3, threads=1), learner(2, 3, threads=3)
    for _ in range(15):
        one.cycle()
        three.cycle()
    left, right = one.state(), three.state()
    assert one.online.steps > 0 and all(np.array_equal(left[name], right[name]) for name in left)


def test_determinized_roots_match_the_movers_observation() -> None:
    trained = learner(3, roots="determinized")
    game, at = trained.games[0], trained.collector
    roots, table_indices = np.zeros((6, 40), game.state_dtype), np.arange(6)
    determinize_all(game.kernel_rules, at.states, at.tables, table_indices, np.zeros(1, game.state_dtype)[0], roots)
    differ = 0
    for i in range(6):
        for root in roots[i]:
            assert ops.current_player(game.kernel_rules, root) == at.tables["seat"][i]
            blank = [np.zeros(1, game.state_dtype)[0] for _ in range(2)]
            for record, out in zip((at.states[i], root), blank, strict=True):
                ops.observe(game.kernel_rules, record, at.tables["seat"][i], out)
            assert blank[0].tobytes() == blank[1].tobytes()
            differ += root.tobytes() != at.states[i].tobytes()
    assert differ == 240
    for _ in range(15):
        trained.cycle()
    assert trained.online.steps > 0


def test_saved_network_plays_without_search(tmp_path: Path) -> None:
    trained = learner()
    while trained.online.steps < 20:
        trained.cycle()
    file, game = str(tmp_path / "q.safetensors"), trained.games[0]
    save_network(trained.network(), file)
    agent = cardgames.agent(f"ddqn-mcts:weights={file}", game, seed=1)
    state = game.new_initial_state(seed=5)
    while not state.is_terminal():
        seen = state.observation()
        q = trained.network()(game.encode(seen, "4x4x15").reshape(1, -1))[0]
        action = agent.act(seen).action
        assert len(seen.legal_actions) == 1 or q[action] == max(q[a] for a in seen.legal_actions)
        state.apply_action(action)


def test_invalid_settings_are_refused() -> None:
    for changes, message in (
        ({"roots": "seen"}, "unknown roots 'seen': choose from true, determinized"),
        ({"simulated": "nobody"}, "unknown simulated 'nobody'"),
        ({"simulations": 0}, "simulations is from 1"),
    ):
        with pytest.raises(cardgames.InvalidInput, match=message):
            learner(**changes)


@pytest.mark.parametrize(
    ("rules", "changes", "players"),
    [("rlcard", {"reward": "win-only"}, 2), ("official", {"reward": "win"}, 2), ("rlcard-payoff", {}, 3)],
)
def test_reward_that_trees_cannot_pay_is_refused(rules: str, changes: dict[str, object], players: int) -> None:
    overrides = ["payoff=rlcard"] if rules == "rlcard-payoff" else []
    games = [cardgames.make("uno", players, rules.removesuffix("-payoff"), overrides)]
    with pytest.raises(cardgames.InvalidInput, match=r"does not fit ddqn-mcts|supports only two players"):
        DdqnMcts(games, DdqnMctsSettings().with_changes({**TINY, **changes}), 1, "kernel")


def test_reward_win_is_allowed_with_payoff_rlcard() -> None:
    games = [cardgames.make("uno", 3, "rlcard", ["payoff=rlcard"])]
    DdqnMcts(games, DdqnMctsSettings().with_changes({**TINY, "reward": "win"}), 1, "kernel")


def test_resume_with_changed_simulated_policy_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "others.safetensors"
    for seed in range(2):
        save_network(random_network((240, 8, 61), seed, "4x4x15", "uno"), file)
        os.utime(file, (seed, seed))
        trained = learner(simulated=str(file))
        if seed == 0:
            state = {name: array.copy() for name, array in trained.state().items()}
            trained.load_state(state)
        else:
            with pytest.raises(cardgames.InvalidInput, match="has changed since the run began"):
                trained.load_state(state)
