"""Learned policies as agents: what they say of every action, and whose files they take."""

import random
import shutil
from pathlib import Path

import pytest

import cardgames
from cardgames.core.network import LOGITS, load_network
from cardgames.core.shipped import network_path, shipped_names
from cardgames.search.report import SearchReport
from tests.uno.tables import play

NAMES = shipped_names(cardgames.make("uno").weights)


def opinions(name: str, rules: str, decisions: int = 12) -> list[tuple[cardgames.Observation, cardgames.Decision]]:
    """Return the agent's first decisions with a choice in a round, and what it saw."""
    game = cardgames.make("uno", 3, rules)
    agent, found = cardgames.agent(name, game, seed=4), []
    state = game.new_initial_state(seed=9)
    while len(found) < decisions:
        if state.is_terminal():
            state = game.new_initial_state(seed=10)
        observation = state.observation()
        decision = agent.act(observation)
        if len(observation.legal_actions) > 1:
            found.append((observation, decision))
        else:
            assert decision.report is None
        state.apply_action(decision.action)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_its_network_makes_of_every_action(name: str) -> None:
    for observation, decision in opinions(name, "rlcard"):
        report = decision.report
        assert isinstance(report, SearchReport) and report.player == observation.player and not report.simulations
        assert sorted(row.action for row in report.actions) == list(observation.legal_actions)
        if name in LOGITS:
            priors = [row.prior or 0.0 for row in report.actions]
            assert sum(priors) == pytest.approx(1) and priors == sorted(priors, reverse=True)
            assert all(row.value is None for row in report.actions)
        else:
            values = [row.value or 0.0 for row in report.actions]
            assert values == sorted(values, reverse=True) and decision.value == values[0]
            assert all(row.prior is None for row in report.actions)
        if name != "nfsp":
            assert decision.action == report.actions[0].action
        assert (decision.value is None) == (name == "nfsp")
        assert decision.value is None or 0 <= decision.value <= 1


def test_actions_the_network_has_no_output_for_are_left_out() -> None:
    game = cardgames.make("uno", 2, "simplified")
    agent = cardgames.agent("dqn", game)
    reports = []
    for seed in range(3):
        for state in play(game.new_initial_state(seed=seed), random.Random(seed)):
            if state.is_terminal():
                break
            decision = agent.act(state.observation())
            if decision.report is not None:
                reports.append({row.action for row in decision.report.actions})
    assert reports and all(max(actions) < 60 for actions in reports)


def test_a_file_of_another_algorithm_is_refused(tmp_path: Path) -> None:
    game = cardgames.make("uno", 3, "rlcard")
    file = tmp_path / "mine.safetensors"
    shutil.copy(network_path(game, "ddqn"), file)
    assert load_network(file).algorithm == "ddqn"
    assert cardgames.agent(f"ddqn:weights={file}", game).name == "ddqn"
    with pytest.raises(cardgames.InvalidInput, match=f"ddqn trained the network: ddqn:weights={file}"):
        cardgames.agent(f"candqn:weights={file}", game)
