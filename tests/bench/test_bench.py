"""Benchmarks: which are run, and what is measured of them."""

from types import SimpleNamespace

import pytest

from cardgames import bench
from cardgames.bench import timing
from cardgames.support.errors import InvalidInput


def test_a_benchmark_named_twice_is_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {name: {"name": name} for name in ("one", "two")}
    monkeypatch.setattr(bench, "BENCHMARKS", {name: lambda name=name: found[name] for name in found})
    assert [row["name"] for row in bench.run(["two", "two"])] == ["two"]
    assert [row["name"] for row in bench.run([])] == ["one", "two"]


def test_an_unknown_benchmark_is_refused_before_any_is_run() -> None:
    with pytest.raises(InvalidInput, match="unknown benchmark 'uno-decision': did you mean uno-decisions"):
        next(bench.run(["uno-random-playouts", "uno-decision"]))


def test_of_several_repetitions_the_shortest_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 3.0, 10.0, 11.0, 20.0, 22.0])
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=lambda: next(times)))
    assert timing.best_time(lambda: "found", 3) == (1.0, "found")
