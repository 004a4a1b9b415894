"""Tests of agents with trained networks: reports, values, actions without output, files of other algorithms."""

import random
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.networks.network import LOGITS
from cardgames.networks.network_file import load_network, random_network, save_network
from cardgames.networks.policy_lookup import find_policy
from cardgames.networks.pretrained import load_named_network, network_path, pretrained_names
from cardgames.search.evaluators import make_evaluator
from cardgames.search.report import SearchReport
from tests.uno.tables import play

NAMES = pretrained_names(cardgames.make("uno").networks.folder)


def decisions_with_choice(
    name: str, rules: str, decisions: int = 12
) -> list[tuple[cardgames.Observation, cardgames.Decision]]:
    """Return the agent's first decisions with several legal actions, and their observations."""
    game = cardgames.make("uno", 3, rules)
    agent, outputs = cardgames.agent(name, game, seed=4), load_named_network(game, name).sizes[-1]
    decided: list[tuple[cardgames.Observation, cardgames.Decision]] = []
    state = game.new_initial_state(seed=9)
    while len(decided) < decisions:
        if state.is_terminal():
            state = game.new_initial_state(seed=10)
        observation = state.observation()
        decision = agent.act(observation)
        if len(observation.legal_actions) > 1 and min(observation.legal_actions) < outputs:
            decided.append((observation, decision))
        else:
            assert decision.report is None
        state.apply_action(decision.action)
    return decided


@pytest.mark.parametrize("name", NAMES)
def test_report_has_q_or_prior_of_each_legal_action(name: str) -> None:
    for observation, decision in decisions_with_choice(name, "rlcard"):
        report = decision.report
        assert isinstance(report, SearchReport) and report.player == observation.player
        assert not report.simulations and not report.visited and report.has_priors == (name in LOGITS)
        assert sorted(row.action for row in report.actions) == list(observation.legal_actions)
        if name in LOGITS:
            priors = [row.prior or 0.0 for row in report.actions]
            assert sum(priors) == pytest.approx(1) and priors == sorted(priors, reverse=True)
            assert all(row.value is None for row in report.actions)
        else:
            values = [row.value or 0.0 for row in report.actions]
            assert values == sorted(values, reverse=True)
            assert decision.value == min(1, max(0, values[0]))
        best = report.actions[0].action
        assert name == "nfsp" or (decision.action == best and decision.policy == {best: 1.0})
        assert name != "nfsp" or decision.policy == {row.action: row.prior for row in report.actions}


@pytest.mark.parametrize("rules", ["rlcard", "common", "simplified"])
@pytest.mark.parametrize("name", sorted(LOGITS))
def test_priors_equal_likelihoods_of_network_policy(name: str, rules: str) -> None:
    for observation, decision in decisions_with_choice(name, rules):
        game = observation.game
        policy = find_policy(game, name)
        for row in decision.report.actions:
            likelihood = ops.likelihood(game.kernel_rules, observation.record, row.action, *policy)
            assert row.prior == pytest.approx(likelihood, abs=1e-6)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "nfsp"])
def test_value_equals_that_of_search_evaluator(name: str) -> None:
    for observation, decision in decisions_with_choice(name, "rlcard", 4):
        states = np.array([observation.record], observation.game.state_dtype)
        values = make_evaluator(observation.game, name, "kernel").evaluate(states, np.array([observation.player]))
        assert decision.value == pytest.approx(values[0], abs=1e-6)


@pytest.mark.parametrize(
    ("preset", "outputs", "extent"), [("rlcard", 61, {"all", "some", "none"}), ("common", 60, {"some", "none"})]
)
def test_report_omits_actions_without_output(tmp_path: Path, preset: str, outputs: int, extent: set[str]) -> None:
    game, file = cardgames.make("uno", 2, "official"), tmp_path / "any.safetensors"
    network = load_network(network_path(cardgames.make("uno", 2, preset), "ddqn"))
    assert network.sizes[-1] == outputs
    save_network(replace(network, rules=""), file)
    agent, coverages = cardgames.agent(f"ddqn:weights={file}", game), set()
    for seed in range(3):
        for state in play(game.new_initial_state(seed=seed), random.Random(seed)):
            legal = state.legal_actions()
            if len(legal) < 2:
                continue
            with_output = [action for action in legal if action < outputs]
            report = agent.act(state.observation()).report
            assert (sorted(row.action for row in report.actions) if report else []) == with_output
            coverages.add("all" if with_output == legal else "some" if with_output else "none")
    assert coverages == extent


def test_network_file_of_another_algorithm_is_refused(tmp_path: Path) -> None:
    game = cardgames.make("uno", 3, "rlcard")
    file = tmp_path / "mine.safetensors"
    shutil.copy(network_path(game, "ddqn"), file)
    assert load_network(file).algorithm == "ddqn"
    assert cardgames.agent(f"ddqn:weights={file}", game).name == "ddqn"
    external = replace(load_network(file), algorithm="mymodule:learner")
    save_network(external, file)
    assert cardgames.agent(f"candqn:weights={file}", game).name == "candqn"
    save_network(replace(external, algorithm="ddqn"), file)
    with pytest.raises(cardgames.InvalidInput, match=f"ddqn trained this network: play it as ddqn:weights={file}"):
        cardgames.agent(f"candqn:weights={file}", game)


@pytest.mark.parametrize("name", ["nfsp", "actor-critic"])
def test_agents_of_logits_refuse_q_network(name: str, tmp_path: Path) -> None:
    game, file = cardgames.make("uno", players=2, rules="rlcard"), tmp_path / "mine.safetensors"
    save_network(random_network((240, 8, 61), 0, "4x4x15", "uno"), file)
    with pytest.raises(cardgames.InvalidInput, match=f"its outputs are Q values: {name} needs logits"):
        cardgames.agent(f"{name}:weights={file}", game)
