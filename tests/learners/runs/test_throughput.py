"""Tests of the throughput of a training."""

import math

import pytest

from cardgames.learners.runs import throughput
from cardgames.learners.runs.throughput import Throughput


def test_throughput_is_of_the_last_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(throughput.time, "perf_counter", lambda: now)
    measured = Throughput(decisions=0, fraction_done=0.0)
    now = 1.0
    assert measured.measure(0, 0.0) == (0.0, math.inf), "the time left is unknown at first"
    now = 50.0
    assert measured.measure(100, 0.1) == (2.0, pytest.approx(450))
    decisions, fraction_done = 100, 0.1
    for second in range(51, 171):  # samples older than a minute no longer count
        now = float(second)
        decisions, fraction_done = decisions + 10, fraction_done + 0.005
        speed, left = measured.measure(decisions, fraction_done)
    assert speed == pytest.approx(10) and left == pytest.approx((1 - fraction_done) / 0.005)


def test_pause_longer_than_a_minute_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(throughput.time, "perf_counter", lambda: now)
    measured = Throughput(decisions=50, fraction_done=0.5)
    now = 100.0
    assert measured.measure(150, 0.75) == (1.0, pytest.approx(100))
