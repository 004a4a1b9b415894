"""How fast a training is said to go."""

import math

import pytest

from cardgames.learners.runs import throughput
from cardgames.learners.runs.throughput import Throughput


def test_it_is_the_pace_of_the_last_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(throughput.time, "perf_counter", lambda: now)
    found = Throughput(decisions=0, fraction_done=0.0)
    now = 1.0
    assert found.measure(0, 0.0) == (0.0, math.inf), "nothing can be told yet"
    now = 50.0
    assert found.measure(100, 0.1) == (2.0, pytest.approx(450))
    decisions, fraction_done = 100, 0.1
    for second in range(51, 171):  # what came before the last minute counts no more
        now = float(second)
        decisions, fraction_done = decisions + 10, fraction_done + 0.005
        speed, left = found.measure(decisions, fraction_done)
    assert speed == pytest.approx(10) and left == pytest.approx((1 - fraction_done) / 0.005)


def test_a_pause_longer_than_a_minute_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(throughput.time, "perf_counter", lambda: now)
    found = Throughput(decisions=50, fraction_done=0.5)
    now = 100.0
    assert found.measure(150, 0.75) == (1.0, pytest.approx(100))
