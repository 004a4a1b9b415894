"""Tests of combinational Q-learning: memory, updates compared with torch, runs, network files, invalid settings."""

from pathlib import Path

import numpy as np
import pytest

import cardgames
from cardgames.arena.match import play_match
from cardgames.core import ops
from cardgames.doudizhu.hands.decomposition import NO_GROUP
from cardgames.doudizhu.moves.move_table import MOVE_CARDS, PASS
from cardgames.doudizhu.policies.compiled_policies import greedy_combination_move, new_combination_outputs
from cardgames.doudizhu.state import PLAY
from cardgames.kernels import rng
from cardgames.learners.algorithms.algorithm_registry import make_learner
from cardgames.learners.algorithms.cql import Cql, CqlSettings
from cardgames.learners.environments.decomposition_batch import encode_cases
from cardgames.learners.memory.random_indices import fill_below
from cardgames.learners.runs import run as runs
from cardgames.learners.runs.evaluation import evaluate
from cardgames.learners.runs.run import Run
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import load_network, network_of
from cardgames.networks.network_policy import network_weights
from cardgames.search.report import SearchReport
from cardgames.support.errors import InvalidInput

GAME = cardgames.make("doudizhu", rules="cql")
TINY = {"hidden": "16", "features": "16", "head_hidden": "8", "sampled": "20", "tables": "4", "decisions": "600"}
FEW = {"memory": "400", "memory_init": "100", "evaluate_every": "20", "evaluate_games": "20", "evaluate": "random"}


def settings(**changes: object) -> CqlSettings:
    return CqlSettings().with_changes(TINY | FEW | changes)


def learner(seed: int = 1, **changes: object) -> Cql:
    cql = make_learner("cql", [GAME], settings(**changes), seed, "kernel")
    assert isinstance(cql, Cql)
    return cql


def trained(decisions: int, **changes: object) -> Cql:
    cql = learner(**changes)
    while cql.decisions < decisions:
        cql.cycle()
    return cql


def test_peasants_win_when_landlord_loses() -> None:
    cql = trained(600, memory="2000", seats="all", epsilon_start="1", epsilon_end="1")
    memory, rewards, rounds = cql.memory, dict[int, float](), 0
    for row in np.flatnonzero(memory.last[: cql._cursor]):
        seat = int(memory.states[row].to_move)
        rewards = {} if seat == 0 else rewards
        rewards[seat] = float(memory.rewards[row])
        if len(rewards) == 3:
            assert rewards[1] == rewards[2] == -rewards[0]
            rounds += 1
    assert rounds > 3


@pytest.mark.parametrize("seats", ["first", "all"])
def test_memory_has_decisions_of_whole_rounds(seats: str) -> None:
    cql = trained(300, seats=seats, epsilon_start="1", epsilon_end="1", opponents="rhcp")
    memory, written = cql.memory, cql._cursor
    assert 100 < written <= cql.decisions and cql.rounds > 3
    assert memory.last[written - 1] and set(memory.rewards[:written][memory.last[:written]]) == {-1.0, 1.0}
    assert not memory.rewards[:written][~memory.last[:written]].any()
    played_by = set()
    for row in range(written):
        state, groups = memory.states[row], memory.groups[row]
        seat = int(state.to_move)
        played_by.add(seat)
        groups = groups[groups != NO_GROUP]
        assert sum(int(MOVE_CARDS[group]) for group in groups) == int(state.hands[seat])
        assert ops.is_legal(GAME.kernel_rules, state, int(memory.taken[row]))
        assert memory.taken[row] in groups or (memory.taken[row] == PASS and state.last != PASS)
        if not memory.last[row]:
            after = memory.states[row + 1]
            assert int(after.to_move) == seat and after.turns > state.turns
            left = int(state.hands[seat]) - int(MOVE_CARDS[memory.taken[row]])
            assert int(after.hands[seat]) <= left or memory.taken[row] == PASS
    assert played_by == ({0} if seats == "first" else {0, 1, 2})


def test_wrapped_memory_has_next_decision_of_same_seat() -> None:
    cql = trained(600, memory="64", memory_init="64", seats="all", epsilon_start="1", epsilon_end="1")
    memory, newest = cql.memory, (cql._cursor - 1) % 64
    assert cql._cursor > 3 * 64 and memory.last[newest]
    for row in np.flatnonzero(~memory.last):
        state, after = memory.states[row], memory.states[(row + 1) % 64]
        assert int(after.to_move) == int(state.to_move) and after.turns > state.turns


def test_learner_seats_bid_as_frugal() -> None:
    game = cardgames.make("doudizhu", rules="classic")
    cql = make_learner("cql", [game], settings(seats="all", tables="20"), 1, "kernel")
    assert isinstance(cql, Cql)
    frugal, stream = game.policy("frugal"), rng.stream(1)
    dealt = cql._tables.states.copy()
    cql.cycle()
    for state, played in zip(dealt, cql._tables.states, strict=True):
        while state.phase != PLAY:
            ops.apply_action(game.kernel_rules, state, int(ops.policy(game.kernel_rules, state, *frugal, stream)))
        assert (state.landlord, state.bid) == (played.landlord, played.bid)


def test_update_gradients_equal_torch() -> None:
    torch = pytest.importorskip("torch")
    from cardgames.search.torch_evaluator import to_torch_module

    cql = trained(400)
    rows, encoding_id = np.arange(8), GAME.network_encoding("group").encoding_id
    memory = cql.memory
    now = encode_cases(GAME.kernel_rules, memory.states[rows], memory.groups[rows], encoding_id, cql.inputs)
    taken = now.indices_of(memory.taken[rows])
    random = np.random.default_rng(0)
    decomposition_values, move_values = random.normal(size=(2, 8)).astype(np.float32)
    names = ("groups", "decompositions", "moves")
    modules = {name: to_torch_module(network_of(cql.networks.by_name[name].tensors(), "", "")) for name in names}
    features = torch.relu(modules["groups"](torch.from_numpy(now.inputs).float()))
    pooled = torch.stack([features[a:b].max(0).values for a, b in zip(now.starts, now.ends, strict=True)])
    pairs = torch.hstack([features[now.input_row_of[taken]], pooled])
    q_splits, q_moves = modules["decompositions"](pooled)[:, 0], modules["moves"](pairs)[:, 0]
    loss = ((q_splits - torch.from_numpy(decomposition_values)) ** 2).mean() + (
        (q_moves - torch.from_numpy(move_values)) ** 2
    ).mean()
    loss.backward()
    cql._learn(now, taken, decomposition_values, move_values)
    for name, network in cql.networks.by_name.items():
        gradients = [part for layer in Mlp(network.sizes, network._gradient, "", "").layers() for part in layer]
        for ours, parameter in zip(gradients, modules[name].parameters(), strict=True):
            expected = parameter.grad.numpy()
            np.testing.assert_allclose(ours, expected, rtol=1e-3, atol=1e-5 * np.abs(expected).max())


def test_targets_of_both_stages_are_double_dqns(monkeypatch: pytest.MonkeyPatch) -> None:
    cql = trained(400, batch="64", discount="0.9", target_every="50")
    recorded = {}
    monkeypatch.setattr(Cql, "_learn", lambda self, now, taken, split_targets, move_targets: recorded.update(locals()))
    stream = cql._stream.rng
    cql.update()
    rows, cql._stream.rng = np.empty(64, np.int64), stream
    fill_below(cql._stream, min(cql._cursor, 400), rows)
    memory, encoding_id = cql.memory, GAME.network_encoding("group").encoding_id
    ended = memory.last[rows]
    assert 0 < ended.sum() < 64
    np.testing.assert_array_equal(recorded["move_targets"][ended], memory.rewards[rows][ended])
    now = encode_cases(GAME.kernel_rules, memory.states[rows], memory.groups[rows], encoding_id, cql.inputs)
    q, target_q = cql.networks.move_values(now), cql.target.move_values(now)
    for case in range(64):
        of_case = np.flatnonzero(now.case_of == case)
        assert recorded["split_targets"][case] == target_q[of_case[q[of_case].argmax()]]
    weights = network_weights(GAME, cql.network())
    for i in np.flatnonzero(~ended)[:10]:
        after = (rows[i] + 1) % 400
        groups, *_ = outputs = new_combination_outputs()
        greedy_combination_move(GAME.kernel_rules, memory.states[after], weights, *outputs)
        then = encode_cases(GAME.kernel_rules, memory.states[after : after + 1], groups[None], encoding_id, cql.inputs)
        assert recorded["move_targets"][i] == pytest.approx(0.9 * cql.target.decomposition_values(then)[0], abs=1e-6)


def test_resumed_run_is_bit_identical(tmp_path: Path) -> None:
    Run.start(tmp_path / "whole", "cql", GAME, settings(), 4).train()
    stopped = Run.start(tmp_path / "parts", "cql", GAME, settings(), 4)
    while stopped.learner.decisions < 300:
        stopped.learner.cycle()
    stopped.save()
    again = Run.resume(tmp_path / "parts")
    assert again.learner.decisions == stopped.learner.decisions
    again.train()
    first, second = (tmp_path / name / runs.WEIGHTS_FILE for name in ("whole", "parts"))
    assert first.read_bytes() == second.read_bytes()


def test_short_training_improves_against_random() -> None:
    cql = learner(
        opponents="random",
        decisions="6000",
        hidden="64",
        features="64",
        head_hidden="32",
        epsilon_decisions="3000",
        learning_rate="0.001",
        memory="3000",
    )
    before = evaluate(cql, GAME, "random", 500, 1, "first").win_rate
    while not cql.finished:
        cql.cycle()
    after = evaluate(cql, GAME, "random", 500, 1, "first")
    assert after.win_rate > before + 0.1
    assert after.games == 500 and after.name == "random (as the landlord)"


def test_saved_network_plays_and_reports_moves(tmp_path: Path) -> None:
    cql = learner()
    Run(tmp_path, cql).save()
    path = str(tmp_path / runs.WEIGHTS_FILE)
    network = load_network(path)
    assert network.head_samples == 20 and network.algorithm == "cql"
    agent = cardgames.agent("cql", GAME, seed=1, weights=path)
    state = GAME.new_initial_state(seed=2)
    while not state.is_terminal():
        observation = state.observation()
        decision = agent.act(observation)
        if len(observation.legal_actions) > 1:
            report = decision.report
            assert isinstance(report, SearchReport)
            assert report.actions[0].action == decision.action
            assert {row.action for row in report.actions} <= set(observation.legal_actions)
        state.apply_action(decision.action)
    assert play_match(GAME, [f"cql:weights={path}", "random"], 20, seed=1).games == 20
    observation = GAME.new_initial_state(seed=2).observation()
    search = cardgames.agent("ismcts", GAME, seed=1, simulations=20, prior=path, playout=path)
    assert search.act(observation).action in observation.legal_actions
    with pytest.raises(InvalidInput, match="features for its heads, not values"):
        cardgames.agent("mcts-dbm:setting=paper", GAME, seed=1, simulations=20, network=path, cutoff=0).act(observation)
    with pytest.raises(InvalidInput, match="cql trained this network: play it as cql"):
        cardgames.agent("dmc", GAME, weights=path)
    with pytest.raises(InvalidInput, match="one action at a time"):
        network.outputs_for(observation)


def test_invalid_settings_are_refused(tmp_path: Path) -> None:
    for change, message in (
        ({"features": "20"}, "features is a multiple of 16, not 20"),
        ({"opponents": "rhpc"}, "unknown opponents 'rhpc'"),
        ({"seats": "any"}, "unknown seats 'any': choose from first, all"),
        ({"seats": "all", "opponents": "random"}, "opponents need seats=first"),
        ({"encoding": "rlcard"}, "unknown encoding 'rlcard': choose from choice, group"),
        ({"sampled": "0"}, "sampled is from 1"),
        ({"memory_init": "500"}, "memory_init is at most memory, 400, not 500"),
    ):
        with pytest.raises(InvalidInput, match=message):
            Run.start(tmp_path / "run", "cql", GAME, settings(**change))
    with pytest.raises(InvalidInput, match="first needs rules in which that seat is always the landlord, not classic"):
        Run.start(tmp_path / "run", "cql", cardgames.make("doudizhu", rules="classic"), settings())
    with pytest.raises(InvalidInput, match="device is auto or kernel, not cpu"):
        Run.start(tmp_path / "run", "cql", GAME, settings(), device="cpu")
    with pytest.raises(InvalidInput, match="unknown algorithm for uno 'cql'"):
        make_learner("cql", [cardgames.make("uno", players=2)])
    assert not (tmp_path / "run").exists()


def test_settings_of_paper_004_are_converted_from_samples() -> None:
    """A decision is two of the paper's samples, and there is an update every four samples."""
    recorded = CqlSettings.from_paper("004")
    assert (recorded.batch, recorded.train_every, recorded.memory, recorded.sampled) == (8 / 2, 4 / 2, 3_000 / 2, 100)
    assert recorded.decisions == 130 * 2_500 * recorded.train_every
