"""Tests of deep Monte Carlo with an action-input network, and of agents and searches with such a network."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cardgames
from cardgames.arena.kernel_matches import play_blocks
from cardgames.arena.match import play_match
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.kernel_policy import Policy
from cardgames.doudizhu.state import PLAY
from cardgames.kernels import rng
from cardgames.learners.algorithms.action_input_dmc import ChoiceDmc, ChoiceDmcSettings
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.learners.runs import run as runs
from cardgames.learners.runs.evaluation import EvaluationStopped, evaluate
from cardgames.learners.runs.run import Run
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import load_network, random_network, save_network
from cardgames.networks.network_policy import network_weights
from cardgames.networks.policy_lookup import find_policy
from cardgames.search.evaluators import make_evaluator
from cardgames.search.playout import _value_at_cutoff, make_cutoff_evaluator
from cardgames.search.report import SearchReport
from cardgames.support.errors import InvalidInput

GAME = cardgames.make("doudizhu", rules="rlcard")
TINY = {"hidden": "16", "tables": "40", "batch": "32", "rounds": "150", "evaluate": "random"}
FEW = {"evaluate_every": "100", "evaluate_games": "20"}


def settings(**changes: object) -> ChoiceDmcSettings:
    return ChoiceDmcSettings().with_changes(TINY | FEW | changes)


def learner(seed: int = 1, **changes: object) -> ChoiceDmc:
    dmc = make_learner("dmc", [GAME], settings(**changes), seed, "kernel")
    assert isinstance(dmc, ChoiceDmc)
    return dmc


def action_input_network(game: Game = GAME, seed: int = 3) -> Mlp:
    inputs = game.network_encoding("choice").inputs
    return random_network((inputs, 32, 1), seed, "choice", game.name, reward=(-1.0, 1.0), algorithm="dmc")


def encoded_actions(network: Mlp, observation: cardgames.Observation) -> np.ndarray:
    """Return the network's inputs for each legal action."""
    actions = np.array(observation.legal_actions, np.int32)
    inputs = np.zeros((len(actions), network.sizes[0]), np.int8)
    rules = observation.game.kernel_rules
    assert ops.encode_actions(rules, observation.record, observation.player, 0, actions, inputs)
    return inputs


def values(network: Mlp, observation: cardgames.Observation) -> np.ndarray:
    """Return Q of each legal action."""
    return network(encoded_actions(network, observation))[:, 0]


def test_buffer_has_decisions_with_outcomes() -> None:
    dmc = learner()
    dmc.cycle()
    rows, rounds = dmc.decisions, dmc.rounds
    written = dmc._decision_buffer
    assert rounds == 40 < rows and set(written.outcomes[:rows]) == {-1.0, 1.0}
    roles = written.inputs[:rows, 418:421]
    assert (roles.sum(axis=1) == 1).all() and (roles.argmax(axis=1) == written.seats[:rows]).all()
    for table in range(40):
        at = np.flatnonzero(written.tables[:rows] == table)
        landlord, outcomes = roles[at, 0] == 1, written.outcomes[at]
        won = float(ops.won(GAME.kernel_rules, dmc._tables.states[table], 0)) * 2 - 1
        assert (outcomes[landlord] == won).all() and (outcomes[~landlord] == -won).all()
        assert written.inputs[at[0], :54].sum() == 20, "the landlord leads first, with all 20 cards"


@pytest.mark.parametrize("rules", ["rlcard", "online"])
def test_decisions_are_greedy_by_q(rules: str) -> None:
    """Each round is replayed in Python: the buffer has the greedy choice of each unforced decision of the play."""
    game = cardgames.make("doudizhu", rules=rules)
    dmc = make_learner("dmc", [game], settings(epsilon="0", tables="8"), 2, "kernel")
    assert isinstance(dmc, ChoiceDmc)
    network, streams = dmc.network(), dmc._tables.streams.copy()
    dmc.cycle()
    written, kernel_rules = dmc._decision_buffer, game.kernel_rules
    for table in range(8):
        stream = streams[table]
        state, expected = game.deal_from_word(rng.next_word(stream)), []
        while not state.is_terminal():
            legal = state.legal_actions()
            if len(legal) == 1:
                state.apply_action(legal[0])
                continue
            rng.uniform(stream)
            if state.record.phase != PLAY:
                state.apply_action(int(ops.policy(kernel_rules, state.record, *game.policy("frugal"), stream)))
                continue
            inputs = encoded_actions(network, state.observation())
            expected.append(inputs[network(inputs)[:, 0].argmax()])
            state.apply_action(legal[int(network(inputs)[:, 0].argmax())])
        at = np.flatnonzero(written.tables[: dmc.decisions] == table)
        assert np.array_equal(written.inputs[at], np.array(expected).reshape(len(at), network.sizes[0]))
        won = [1.0 if ops.won(kernel_rules, state.record, seat) else -1.0 for seat in written.seats[at]]
        assert written.outcomes[at].tolist() == ([0.0] * len(at) if not state.winners() else won)


def test_epsilon_one_never_uses_the_network() -> None:
    """With epsilon 1 the network does not matter: another one plays the same rounds."""
    dmc = learner(epsilon="1", tables="200")
    dmc.cycle()
    rows = dmc._decision_buffer.inputs[: dmc.decisions]
    again = learner(epsilon="1", tables="200", hidden="8")
    again.cycle()
    assert np.array_equal(rows, again._decision_buffer.inputs[: again.decisions])


def test_network_policy_takes_greatest_q() -> None:
    network = action_input_network()
    policy = Policy(np.int64(GAME.networks.policy_id), network_weights(GAME, network))
    state, stream = GAME.new_initial_state(seed=5), rng.stream(1)
    while not state.is_terminal():
        observation = state.observation()
        action = int(ops.policy(GAME.kernel_rules, observation.record, *policy, stream))
        if len(observation.legal_actions) > 1:
            action_values = values(network, observation)
            greatest = action_values.max()
            best = {a for a, q in zip(observation.legal_actions, action_values, strict=True) if q == greatest}
            assert action in best
            for a in observation.legal_actions:
                likelihood = ops.likelihood(GAME.kernel_rules, observation.record, a, *policy)
                assert likelihood == (1 / len(best) if a in best else 0)
        state.apply_action(action)


@pytest.mark.parametrize("game", [GAME, cardgames.make("uno", players=3, rules="rlcard")], ids=lambda game: game.name)
def test_likelihoods_equal_single_likelihoods(game: Game) -> None:
    policies = [find_policy(game, name) for name in (game.default_policy, "random", "dmc")]
    state = game.new_initial_state(seed=8)
    while not state.is_terminal():
        legal = np.array(state.legal_actions(), np.int32)
        for policy in policies:
            likelihoods = np.zeros(len(legal))
            ops.likelihoods(game.kernel_rules, state.record, legal, *policy, likelihoods)
            assert likelihoods.tolist() == [ops.likelihood(game.kernel_rules, state.record, a, *policy) for a in legal]
            assert likelihoods.sum() == pytest.approx(1)
        state.apply_action(int(legal[0]))


def test_network_policy_bids_as_frugal() -> None:
    game = cardgames.make("doudizhu", rules="online")
    policy = Policy(np.int64(game.networks.policy_id), network_weights(game, action_input_network(game)))
    stream, bids = rng.stream(1), 0
    for seed in range(20):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal() and state.record.phase < 2:
            action = int(ops.policy(game.kernel_rules, state.record, *game.policy("frugal"), stream))
            assert int(ops.policy(game.kernel_rules, state.record, *policy, stream)) == action
            assert ops.likelihood(game.kernel_rules, state.record, action, *policy) == 1.0
            state.apply_action(action)
            bids += 1
    assert bids > 60


def test_short_training_beats_random() -> None:
    dmc = learner(hidden="64", tables="200", rounds="6000", learning_rate="0.002")
    before = evaluate(dmc, GAME, "random", 1000, 1).win_rate
    while not dmc.finished:
        dmc.cycle()
    after = evaluate(dmc, GAME, "random", 1000, 1)
    assert before < 0.4 < 0.7 < after.win_rate
    assert after.games == 1000 and after.name == "random (in all roles)"


@pytest.mark.parametrize("rules", ["rlcard", "classic", "openspiel"])
def test_equal_policies_win_half_in_all_roles(rules: str) -> None:
    game = cardgames.make("doudizhu", rules=rules)
    dmc = make_learner("dmc", [game], settings(), 1, "kernel")
    file = network_weights(game, dmc.network())
    same = Policy(np.int64(game.networks.policy_id), file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cardgames.learners.runs.evaluation.find_policy", lambda *_: same)
        result = evaluate(dmc, game, "itself", 1200, 3)
    assert result.win_rate == pytest.approx(0.5 - result.void_rate / 2, abs=0.05)
    first = evaluate(dmc, game, "frugal", 10, 1, "first")
    where = "as the landlord" if game.seats_are_roles else "in all roles"
    assert first.name == f"frugal ({where})" and first.games >= 10
    assert game.seats_are_roles == (rules == "rlcard"), "under the other rules an auction decides the landlord"


def test_evaluation_counts_rounds_and_can_be_stopped() -> None:
    dmc, progress = learner(), list[int]()

    def should_continue(played: int) -> bool:
        progress.append(played)
        return played < 200

    with pytest.raises(EvaluationStopped):
        evaluate(dmc, GAME, "random", 1000, 1, should_continue=should_continue)
    assert progress == [0, 100, 200], "fifty deals, each played twice"
    whole = evaluate(dmc, GAME, "random", 300, 1)
    policy = Policy(np.int64(GAME.networks.policy_id), network_weights(GAME, dmc.network()))
    tally, *_ = play_blocks(GAME, [policy, GAME.policy("random")], np.uint64(1), 0, 150)
    assert whole.games == tally["games"][0, 0] == 300
    assert whole.mean_payoff == pytest.approx(tally["paid"][0, 1:].sum() / tally["games"][0, 1:].sum())


def test_resumed_run_is_bit_identical(tmp_path: Path) -> None:
    Run.start(tmp_path / "whole", "dmc", GAME, settings(), 4, "kernel").train()
    stopped = Run.start(tmp_path / "parts", "dmc", GAME, settings(), 4, "kernel")
    stopped.learner.cycle()
    stopped.save()
    again = Run.resume(tmp_path / "parts")
    assert again.learner.rounds == stopped.learner.rounds > 0
    again.train()
    first, second = (tmp_path / name / runs.WEIGHTS_FILE for name in ("whole", "parts"))
    assert first.read_bytes() == second.read_bytes()


def test_agent_reports_q_of_each_action(tmp_path: Path) -> None:
    network = action_input_network()
    save_network(network, tmp_path / "net.safetensors")
    agent = cardgames.agent("dmc", GAME, seed=1, weights=str(tmp_path / "net.safetensors"))
    state = GAME.new_initial_state(seed=2)
    while not state.is_terminal():
        observation = state.observation()
        decision = agent.act(observation)
        if len(observation.legal_actions) > 1:
            q, report = values(network, observation), decision.report
            assert isinstance(report, SearchReport)
            shares = sorted((q.astype(float) + 1) / 2, reverse=True)
            assert [row.value for row in report.actions] == pytest.approx(shares)
            assert decision.value == pytest.approx(min(1, max(0, shares[0])))
            assert decision.policy == {decision.action: 1.0}
        else:
            assert decision.report is None
        state.apply_action(decision.action)


def test_network_plays_matches_and_searches(tmp_path: Path) -> None:
    path = str(tmp_path / "net.safetensors")
    save_network(action_input_network(), path)
    result = play_match(GAME, [f"dmc:weights={path}", "random"], 40, seed=1)
    assert result.games == 40
    observation = GAME.new_initial_state(seed=2).observation()
    for name, options in (
        ("ismcts", {"prior": path, "playout": path}),
        ("mcts-dbm", {"root": "halving", "prior": path, "network": path, "cutoff": 0, "bias": 4}),
    ):
        search = cardgames.agent(name, GAME, seed=1, simulations=100, **options)
        assert search.act(observation).action in observation.legal_actions


def test_cutoff_value_is_that_of_best_action() -> None:
    network = action_input_network()
    evaluator, state = make_cutoff_evaluator(GAME, network, 0), GAME.new_initial_state(seed=6)
    while not state.is_terminal():
        observation = state.observation()
        value = _value_at_cutoff(GAME.kernel_rules, state.record, observation.player, evaluator)
        if len(observation.legal_actions) > 1:
            assert value == pytest.approx(min(1, max(0, (values(network, observation).max() + 1) / 2)))
        else:
            assert np.isnan(value)
        state.apply_action(observation.legal_actions[-1])


def test_networks_with_other_encodings_or_outputs_are_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "net.safetensors")
    save_network(random_network((901, 8, 8), 1, "rlcard", "doudizhu"), path)
    with pytest.raises(
        InvalidInput, match=r"the network.s encoding is rlcard; a policy of doudizhu needs one that evaluates an action"
    ):
        cardgames.agent("dmc", GAME, weights=path)
    save_network(random_network((548, 8, 2), 1, "choice", "doudizhu"), path)
    with pytest.raises(InvalidInput, match="has 2 outputs, but choice encodes a single action"):
        load_network(path).check(GAME)
    with pytest.raises(InvalidInput, match="evaluates one action at a time"):
        make_evaluator(GAME, action_input_network())
    with pytest.raises(InvalidInput, match="evaluates one action at a time"):
        action_input_network().outputs_for(GAME.new_initial_state(seed=1).observation())
    save_network(replace(action_input_network(), algorithm="actor-critic"), path)
    with pytest.raises(InvalidInput, match="outputs are logits"):
        cardgames.agent("dmc", GAME, weights=path)


def test_invalid_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="unknown algorithm for doudizhu 'dqn': choose from dmc, cql"):
        Run.start(tmp_path / "run", "dqn", GAME)
    for change, message in (
        ({"seats": "first"}, "unknown seats 'first': choose from all"),
        ({"opponents": "rhcp"}, "unknown opponents 'rhcp': choose from itself"),
        ({"symmetry": "augment"}, "unknown symmetry"),
        ({"tables": "0"}, "tables is from 1"),
        ({"encoding": "rlcard"}, "unknown encoding 'rlcard': choose from choice, group"),
        ({"encoding": "rlcrd"}, "unknown encoding 'rlcrd'"),
    ):
        with pytest.raises(InvalidInput, match=message):
            Run.start(tmp_path / "run", "dmc", GAME, settings(**change))
    with pytest.raises(InvalidInput, match=r"evaluate=ismcts.*unknown policy 'ismcts'"):
        Run.start(tmp_path / "run", "dmc", GAME, settings(evaluate="ismcts"))
    assert not (tmp_path / "run").exists()
    assert algorithm("dmc") is not algorithm("dmc", type(GAME))


def test_learning_rate_falls_with_rounds() -> None:
    dmc = learner()
    while not dmc.finished:
        fraction_done = dmc.fraction_done
        dmc.cycle()
        assert dmc.online.optimizer.learning_rate == pytest.approx(dmc.settings.learning_rate * (1 - fraction_done))


def test_passes_over_each_decision() -> None:
    dmc = learner(passes="3")
    dmc.cycle()
    assert dmc.online.steps == 3 * -(-dmc.decisions // 32)


def test_moves_of_equal_q_are_equally_likely() -> None:
    network = action_input_network()
    network.weights[:] = 0
    policy = Policy(np.int64(GAME.networks.policy_id), network_weights(GAME, network))
    state = GAME.new_initial_state(seed=5)
    legal = state.legal_actions()
    for action in legal:
        likelihood = ops.likelihood(GAME.kernel_rules, state.observation().record, action, *policy)
        assert likelihood == pytest.approx(1 / len(legal))
