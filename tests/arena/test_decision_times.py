"""Times of decisions: only those with several legal actions count, and the first round does not."""

import time

import pytest

from cardgames.agents.agent import Decision, Limit
from cardgames.arena.decision_times import measure_decision_times
from cardgames.core.game_registry import make
from cardgames.core.observation import Observation
from cardgames.support.errors import InvalidInput


class Counting:
    """Plays the first legal action, and counts its decisions with several ones."""

    name = "counting"
    decisions = 0

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        self.decisions += len(observation.legal_actions) > 1
        return Decision(observation.legal_actions[0])


def test_decisions_with_a_choice_are_timed_until_there_are_enough() -> None:
    agent = Counting()
    times = measure_decision_times(make("uno", players=2, rules="rlcard"), agent, seed=3, decisions=50)
    assert 50 <= times.decisions < agent.decisions, "those of the first round are not timed"
    assert times.mean_ms is not None and times.median_ms is not None and times.mean_ms > 0 < times.median_ms
    again = measure_decision_times(make("uno", players=2, rules="rlcard"), Counting(), seed=3, decisions=50)
    assert again.decisions == times.decisions


def test_median_and_mean_are_those_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(1_000_000))
    monkeypatch.setattr(time, "process_time", lambda: next(ticks) / 1_000)
    times = measure_decision_times(make("uno", players=2, rules="rlcard"), Counting(), decisions=5)
    assert times.mean_ms == pytest.approx(1.0) and times.median_ms == pytest.approx(1.0)


def test_unknown_agent_is_refused() -> None:
    with pytest.raises(InvalidInput, match="unknown agent"):
        measure_decision_times(make("uno", players=2), "nobody")
