"""Learned policies as agents: what they say of every action, and whose files they take."""

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


def opinions(name: str, rules: str, decisions: int = 12) -> list[tuple[cardgames.Observation, cardgames.Decision]]:
    """Return the agent's first decisions with a choice in a round, and what it saw."""
    game = cardgames.make("uno", 3, rules)
    agent, outputs = cardgames.agent(name, game, seed=4), load_named_network(game, name).sizes[-1]
    found: list[tuple[cardgames.Observation, cardgames.Decision]] = []
    state = game.new_initial_state(seed=9)
    while len(found) < decisions:
        if state.is_terminal():
            state = game.new_initial_state(seed=10)
        observation = state.observation()
        decision = agent.act(observation)
        if len(observation.legal_actions) > 1 and min(observation.legal_actions) < outputs:
            found.append((observation, decision))
        else:
            assert decision.report is None
        state.apply_action(decision.action)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_its_network_makes_of_every_action(name: str) -> None:
    for observation, decision in opinions(name, "rlcard"):
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
def test_priors_are_how_likely_the_policy_of_the_network_is_to_take_an_action(name: str, rules: str) -> None:
    for observation, decision in opinions(name, rules):
        game = observation.game
        policy = find_policy(game, name)
        for row in decision.report.actions:
            chance = ops.likelihood(game.kernel_rules, observation.record, row.action, *policy)
            assert row.prior == pytest.approx(chance, abs=1e-6)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "nfsp"])
def test_its_value_is_what_searches_take_the_position_to_be_worth(name: str) -> None:
    for observation, decision in opinions(name, "rlcard", 4):
        states = np.array([observation.record], observation.game.state_dtype)
        judged = make_evaluator(observation.game, name, "kernel").evaluate(states, np.array([observation.player]))
        assert decision.value == pytest.approx(judged[0], abs=1e-6)


@pytest.mark.parametrize(
    ("preset", "outputs", "extent"), [("rlcard", 61, {"all", "some", "none"}), ("common", 60, {"some", "none"})]
)
def test_actions_the_network_has_no_output_for_are_left_out(
    tmp_path: Path, preset: str, outputs: int, extent: set[str]
) -> None:
    game, file = cardgames.make("uno", 2, "official"), tmp_path / "any.safetensors"
    network = load_network(network_path(cardgames.make("uno", 2, preset), "ddqn"))
    assert network.sizes[-1] == outputs
    save_network(replace(network, rules=""), file)
    agent, seen = cardgames.agent(f"ddqn:weights={file}", game), set()
    for seed in range(3):
        for state in play(game.new_initial_state(seed=seed), random.Random(seed)):
            legal = state.legal_actions()
            if len(legal) < 2:
                continue
            known = [action for action in legal if action < outputs]
            report = agent.act(state.observation()).report
            assert (sorted(row.action for row in report.actions) if report else []) == known
            seen.add("all" if known == legal else "some" if known else "none")
    assert seen == extent


def test_a_file_of_another_algorithm_is_refused(tmp_path: Path) -> None:
    game = cardgames.make("uno", 3, "rlcard")
    file = tmp_path / "mine.safetensors"
    shutil.copy(network_path(game, "ddqn"), file)
    assert load_network(file).algorithm == "ddqn"
    assert cardgames.agent(f"ddqn:weights={file}", game).name == "ddqn"
    own = replace(load_network(file), algorithm="mymodule:learner")
    save_network(own, file)
    assert cardgames.agent(f"candqn:weights={file}", game).name == "candqn"
    save_network(replace(own, algorithm="ddqn"), file)
    with pytest.raises(cardgames.InvalidInput, match=f"ddqn trained this network: play it as ddqn:weights={file}"):
        cardgames.agent(f"candqn:weights={file}", game)


@pytest.mark.parametrize("name", ["nfsp", "actor-critic"])
def test_those_who_follow_logits_refuse_a_file_of_q(name: str, tmp_path: Path) -> None:
    game, file = cardgames.make("uno", players=2, rules="rlcard"), tmp_path / "mine.safetensors"
    save_network(random_network((240, 8, 61), 0, "4x4x15", "uno"), file)
    with pytest.raises(cardgames.InvalidInput, match=f"its outputs are Q values: {name} needs logits"):
        cardgames.agent(f"{name}:weights={file}", game)
