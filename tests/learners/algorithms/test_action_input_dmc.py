"""Deep Monte Carlo whose network judges one action at a time, and what plays by such a network."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cardgames
from cardgames.arena.kernel_matches import play_blocks
from cardgames.arena.match import play_match
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.policy import Policy
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
    made = make_learner("dmc", [GAME], settings(**changes), seed, "kernel")
    assert isinstance(made, ChoiceDmc)
    return made


def a_network(game: Game = GAME, seed: int = 3) -> Mlp:
    inputs = game.network_encoding("choice").inputs
    return random_network((inputs, 32, 1), seed, "choice", game.name, reward=(-1.0, 1.0), algorithm="dmc")


def choices(network: Mlp, observation: cardgames.Observation) -> np.ndarray:
    """What the network sees of each legal action."""
    actions = np.array(observation.legal_actions, np.int32)
    inputs = np.zeros((len(actions), network.sizes[0]), np.int8)
    rules = observation.game.kernel_rules
    assert ops.encode_actions(rules, observation.record, observation.player, 0, actions, inputs)
    return inputs


def values(network: Mlp, observation: cardgames.Observation) -> np.ndarray:
    """Q of each legal action."""
    return network(choices(network, observation))[:, 0]


def test_what_is_written_are_decisions_and_how_their_rounds_ended() -> None:
    made = learner()
    made.cycle()
    rows, rounds = made.decisions, made.rounds
    written = made._decision_buffer
    assert rounds == 40 < rows and set(written.outcomes[:rows]) == {-1.0, 1.0}
    roles = written.inputs[:rows, 418:421]
    assert (roles.sum(axis=1) == 1).all() and (roles.argmax(axis=1) == written.seats[:rows]).all()
    for table in range(40):
        at = np.flatnonzero(written.tables[:rows] == table)
        landlord, outcomes = roles[at, 0] == 1, written.outcomes[at]
        won = float(ops.won(GAME.kernel_rules, made._tables.states[table], 0)) * 2 - 1
        assert (outcomes[landlord] == won).all() and (outcomes[~landlord] == -won).all()
        assert written.inputs[at[0], :54].sum() == 20, "the landlord leads first, with all his cards"


@pytest.mark.parametrize("rules", ["rlcard", "online"])
def test_it_plays_what_it_finds_best(rules: str) -> None:
    """Every round again in plain Python: what is written is the greatest Q, in the play, where there is a choice."""
    game = cardgames.make("doudizhu", rules=rules)
    made = make_learner("dmc", [game], settings(epsilon="0", tables="8"), 2, "kernel")
    assert isinstance(made, ChoiceDmc)
    network, streams = made.network(), made._tables.streams.copy()
    made.cycle()
    written, kernel_rules = made._decision_buffer, game.kernel_rules
    for table in range(8):
        stream = streams[table]
        state, found = game.deal_from_word(rng.next_word(stream)), []
        while not state.is_terminal():
            legal = state.legal_actions()
            if len(legal) == 1:
                state.apply_action(legal[0])
                continue
            rng.uniform(stream)
            if state.record.phase != PLAY:
                state.apply_action(int(ops.policy(kernel_rules, state.record, *game.policy("frugal"), stream)))
                continue
            inputs = choices(network, state.observation())
            found.append(inputs[network(inputs)[:, 0].argmax()])
            state.apply_action(legal[int(network(inputs)[:, 0].argmax())])
        at = np.flatnonzero(written.tables[: made.decisions] == table)
        assert np.array_equal(written.inputs[at], np.array(found).reshape(len(at), network.sizes[0]))
        won = [1.0 if ops.won(kernel_rules, state.record, seat) else -1.0 for seat in written.seats[at]]
        assert written.outcomes[at].tolist() == ([0.0] * len(at) if not state.winners() else won)


def test_it_explores_as_often_as_it_is_told() -> None:
    """With chance 1 no network is asked: another one plays the same rounds."""
    made = learner(epsilon="1", tables="200")
    made.cycle()
    rows = made._decision_buffer.inputs[: made.decisions]
    again = learner(epsilon="1", tables="200", hidden="8")
    again.cycle()
    assert np.array_equal(rows, again._decision_buffer.inputs[: again.decisions]), "no network is asked"


def test_the_policy_takes_the_greatest_q() -> None:
    network = a_network()
    policy = Policy(np.int64(GAME.networks.policy_id), network_weights(GAME, network))
    state, stream = GAME.new_initial_state(seed=5), rng.stream(1)
    while not state.is_terminal():
        observation = state.observation()
        action = int(ops.policy(GAME.kernel_rules, observation.record, *policy, stream))
        if len(observation.legal_actions) > 1:
            found = values(network, observation)
            best = {a for a, q in zip(observation.legal_actions, found, strict=True) if q == found.max()}
            assert action in best
            for a in observation.legal_actions:
                chance = ops.likelihood(GAME.kernel_rules, observation.record, a, *policy)
                assert chance == (1 / len(best) if a in best else 0)
        state.apply_action(action)


@pytest.mark.parametrize("game", [GAME, cardgames.make("uno", players=3, rules="rlcard")], ids=lambda game: game.name)
def test_all_likelihoods_at_once_are_those_one_by_one(game: Game) -> None:
    policies = [find_policy(game, name) for name in (game.default_policy, "random", "dmc")]
    state = game.new_initial_state(seed=8)
    while not state.is_terminal():
        legal = np.array(state.legal_actions(), np.int32)
        for policy in policies:
            found = np.zeros(len(legal))
            ops.likelihoods(game.kernel_rules, state.record, legal, *policy, found)
            assert found.tolist() == [ops.likelihood(game.kernel_rules, state.record, a, *policy) for a in legal]
            assert found.sum() == pytest.approx(1)
        state.apply_action(int(legal[0]))


def test_before_the_play_it_says_what_frugal_would() -> None:
    game = cardgames.make("doudizhu", rules="online")
    policy = Policy(np.int64(game.networks.policy_id), network_weights(game, a_network(game)))
    stream, said = rng.stream(1), 0
    for seed in range(20):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal() and state.record.phase < 2:
            action = int(ops.policy(game.kernel_rules, state.record, *game.policy("frugal"), stream))
            assert int(ops.policy(game.kernel_rules, state.record, *policy, stream)) == action
            assert ops.likelihood(game.kernel_rules, state.record, action, *policy) == 1.0
            state.apply_action(action)
            said += 1
    assert said > 60


def test_it_learns() -> None:
    made = learner(hidden="64", tables="200", rounds="6000", learning_rate="0.002")
    before = evaluate(made, GAME, "random", 1000, 1).win_rate
    while not made.finished:
        made.cycle()
    after = evaluate(made, GAME, "random", 1000, 1)
    assert before < 0.4 < 0.7 < after.win_rate
    assert after.games == 1000 and after.name == "random (in all roles)"


@pytest.mark.parametrize("rules", ["rlcard", "classic", "openspiel"])
def test_equals_win_half_in_all_roles(rules: str) -> None:
    game = cardgames.make("doudizhu", rules=rules)
    made = make_learner("dmc", [game], settings(), 1, "kernel")
    file = network_weights(game, made.network())
    same = Policy(np.int64(game.networks.policy_id), file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(game), "policy", lambda *_: same)
        found = evaluate(made, game, "itself", 1200, 3)
    assert found.win_rate == pytest.approx(0.5 - found.void_rate / 2, abs=0.05)
    first = evaluate(made, game, "frugal", 10, 1, "first")
    where = "as the landlord" if game.seats_are_roles else "in all roles"
    assert first.name == f"frugal ({where})" and first.games >= 10
    assert game.seats_are_roles == (rules == "rlcard"), "elsewhere an auction finds the landlord"


def test_rounds_of_an_evaluation_are_counted_and_it_can_be_abandoned() -> None:
    made, told = learner(), list[int]()

    def should_continue(played: int) -> bool:
        told.append(played)
        return played < 200

    with pytest.raises(EvaluationStopped):
        evaluate(made, GAME, "random", 1000, 1, should_continue=should_continue)
    assert told == [0, 100, 200], "fifty deals, each played twice"
    whole = evaluate(made, GAME, "random", 300, 1)
    policy = Policy(np.int64(GAME.networks.policy_id), network_weights(GAME, made.network()))
    tally, _, _ = play_blocks(GAME, [policy, GAME.policy("random")], np.uint64(1), 0, 150)
    assert whole.games == tally["games"][0, 0] == 300
    assert whole.mean_payoff == pytest.approx(tally["paid"][0, 1:].sum() / tally["games"][0, 1:].sum())


def test_a_resumed_run_comes_to_the_same(tmp_path: Path) -> None:
    Run.start(tmp_path / "whole", "dmc", GAME, settings(), 4, "kernel").train()
    stopped = Run.start(tmp_path / "parts", "dmc", GAME, settings(), 4, "kernel")
    stopped.learner.cycle()
    stopped.save()
    again = Run.resume(tmp_path / "parts")
    assert again.learner.rounds == stopped.learner.rounds > 0
    again.train()
    first, second = (tmp_path / name / runs.WEIGHTS_FILE for name in ("whole", "parts"))
    assert first.read_bytes() == second.read_bytes()


def test_the_agent_says_what_its_network_makes_of_every_action(tmp_path: Path) -> None:
    network = a_network()
    save_network(network, tmp_path / "net.safetensors")
    agent = cardgames.agent("dmc", GAME, seed=1, weights=str(tmp_path / "net.safetensors"))
    state = GAME.new_initial_state(seed=2)
    while not state.is_terminal():
        observation = state.observation()
        decision = agent.act(observation)
        if len(observation.legal_actions) > 1:
            found, report = values(network, observation), decision.report
            assert isinstance(report, SearchReport)
            shares = sorted((found.astype(float) + 1) / 2, reverse=True)
            assert [row.value for row in report.actions] == pytest.approx(shares)
            assert decision.value == pytest.approx(min(1, max(0, shares[0])))
            assert decision.policy == {decision.action: 1.0}
        else:
            assert decision.report is None
        state.apply_action(decision.action)


def test_matches_and_searches_take_it(tmp_path: Path) -> None:
    path = str(tmp_path / "net.safetensors")
    save_network(a_network(), path)
    result = play_match(GAME, [f"dmc:weights={path}", "random"], 40, seed=1)
    assert result.games == 40
    observation = GAME.new_initial_state(seed=2).observation()
    for name, options in (
        ("ismcts", {"prior": path, "playout": path}),
        ("mcts-dbm", {"root": "halving", "prior": path, "network": path, "cutoff": 0, "bias": 4}),
    ):
        search = cardgames.agent(name, GAME, seed=1, simulations=100, **options)
        assert search.act(observation).action in observation.legal_actions


def test_a_search_judges_a_position_by_its_best_action() -> None:
    network = a_network()
    evaluator, state = make_cutoff_evaluator(GAME, network, 0), GAME.new_initial_state(seed=6)
    while not state.is_terminal():
        observation = state.observation()
        value = _value_at_cutoff(GAME.kernel_rules, state.record, observation.player, evaluator)
        if len(observation.legal_actions) > 1:
            assert value == pytest.approx(min(1, max(0, (values(network, observation).max() + 1) / 2)))
        else:
            assert np.isnan(value)
        state.apply_action(observation.legal_actions[-1])


def test_networks_of_another_kind_are_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "net.safetensors")
    save_network(random_network((901, 8, 8), 1, "rlcard", "doudizhu"), path)
    with pytest.raises(
        InvalidInput, match="the network sees rlcard; a policy of doudizhu needs one that judges an action"
    ):
        cardgames.agent("dmc", GAME, weights=path)
    save_network(random_network((548, 8, 2), 1, "choice", "doudizhu"), path)
    with pytest.raises(InvalidInput, match="has 2 outputs, but choice shows one action"):
        load_network(path).check(GAME)
    with pytest.raises(InvalidInput, match="evaluates one action at a time"):
        make_evaluator(GAME, a_network())
    with pytest.raises(InvalidInput, match="judges one action at a time"):
        a_network().outputs_for(GAME.new_initial_state(seed=1).observation())
    save_network(replace(a_network(), algorithm="actor-critic"), path)
    with pytest.raises(InvalidInput, match="outputs are logits"):
        cardgames.agent("dmc", GAME, weights=path)


def test_what_it_cannot_do_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="unknown algorithm for doudizhu 'dqn': choose from dmc, cql"):
        Run.start(tmp_path / "run", "dqn", GAME)
    for change, words in (
        ({"seats": "first"}, "unknown seats 'first': choose from all"),
        ({"opponents": "rhcp"}, "unknown opponents 'rhcp': choose from itself"),
        ({"symmetry": "augment"}, "unknown symmetry"),
        ({"tables": "0"}, "tables is from 1"),
        ({"encoding": "rlcard"}, "unknown encoding 'rlcard': choose from choice, group"),
        ({"encoding": "rlcrd"}, "unknown encoding 'rlcrd'"),
    ):
        with pytest.raises(InvalidInput, match=words):
            Run.start(tmp_path / "run", "dmc", GAME, settings(**change))
    with pytest.raises(InvalidInput, match=r"evaluate=ismcts.*unknown policy 'ismcts'"):
        Run.start(tmp_path / "run", "dmc", GAME, settings(evaluate="ismcts"))
    assert not (tmp_path / "run").exists()
    assert algorithm("dmc") is not algorithm("dmc", type(GAME))


def test_the_rate_falls_with_the_rounds() -> None:
    made = learner()
    while not made.finished:
        fraction_done = made.fraction_done
        made.cycle()
        assert made.online.optimizer.learning_rate == pytest.approx(made.settings.learning_rate * (1 - fraction_done))


def test_it_learns_so_often_from_each_decision() -> None:
    made = learner(passes="3")
    made.cycle()
    assert made.online.steps == 3 * -(-made.decisions // 32)


def test_moves_that_it_finds_equally_good_are_equally_likely() -> None:
    network = a_network()
    network.weights[:] = 0
    policy = Policy(np.int64(GAME.networks.policy_id), network_weights(GAME, network))
    state = GAME.new_initial_state(seed=5)
    legal = state.legal_actions()
    for action in legal:
        chance = ops.likelihood(GAME.kernel_rules, state.observation().record, action, *policy)
        assert chance == pytest.approx(1 / len(legal))
