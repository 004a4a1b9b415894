"""Tests of the benchmark runner: selection of benchmarks by name, and the shortest of several times."""

from types import SimpleNamespace

import pytest

from cardgames import bench
from cardgames.bench import timing
from cardgames.support.errors import InvalidInput


def test_benchmark_named_twice_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    results = {name: {"name": name} for name in ("one", "two")}
    monkeypatch.setattr(bench, "BENCHMARKS", {name: lambda name=name: results[name] for name in results})
    assert [row["name"] for row in bench.run(["two", "two"])] == ["two"]
    assert [row["name"] for row in bench.run([])] == ["one", "two"]


def test_unknown_benchmark_is_refused_before_any_runs() -> None:
    with pytest.raises(InvalidInput, match="unknown benchmark 'uno-decision': did you mean uno-decisions"):
        next(bench.run(["uno-random-playouts", "uno-decision"]))


def test_best_time_returns_shortest_repetition(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 3.0, 10.0, 11.0, 20.0, 22.0])
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=lambda: next(times)))
    assert timing.best_time(lambda: "output", 3) == (1.0, "output")
