"""The commands `rules`, `warmup`, `bench` and `reproduce`: lists, JSON output and options."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import cardgames.agents.agent_factory
import cardgames.core.game_registry
import cardgames.kernels.compile_cache
from cardgames.cli import train
from cardgames.learners.algorithms.algorithm_registry import ALGORITHMS
from cardgames.papers.request import Request, Size
from tests.command import call


def test_version_agents_and_rules_are_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "--version") == 0
    assert capsys.readouterr().out.startswith("cardgames 0.")
    assert call(monkeypatch, "agents", "uno") == 0
    assert "mcts-dbm" in capsys.readouterr().out
    assert call(monkeypatch, "agents", "uno", "mcts-dbm") == 0
    assert "playout [default: reflex]: " in capsys.readouterr().out
    assert call(monkeypatch, "rules", "uno") == 0
    text = capsys.readouterr().out
    assert "stacking: " in text and "rlcard-2022" in text
    assert call(monkeypatch, "rules", "uno", "simplified") == 0
    assert "draw-how=until-satisfied" in capsys.readouterr().out
    assert call(monkeypatch, "rules", "uno", "common", "--rule", "stacking=same", "--rule", "hand-size=5") == 0
    text = capsys.readouterr().out
    assert text.startswith("uno, common+stacking=same+hand-size=5 rules, hash ")
    assert "    stacking=same\n" in text


def test_agents_and_rules_are_printed_as_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*arguments: str) -> dict[str, Any]:
        assert call(monkeypatch, *arguments, "--json") == 0
        data: dict[str, Any] = json.loads(capsys.readouterr().out)
        return data

    listed = printed("agents", "uno")
    assert {"name", "games", "description", "details", "options", "factory", "ratings"} == set(listed["agents"][0])
    assert "reflex" in listed["policies"]
    (mcts,) = (entry for entry in listed["agents"] if entry["name"] == "mcts")
    assert mcts["options"]["simulations"].endswith("[default: 500]")
    assert {entry["name"] for entry in printed("agents")["agents"]} > {entry["name"] for entry in listed["agents"]}
    rules = printed("rules", "uno")
    assert "same" in rules["axes"]["stacking"]["choices"] and rules["axes"]["hand-size"]["numbers"] == [1, 20]
    preset = printed("rules", "uno", "simplified")
    assert preset.pop("game") == "uno" and preset in rules["presets"]
    assert preset["axes"]["draw-how"] == "until-satisfied"
    with_changes = printed("rules", "uno", "--rule", "stacking=same")
    assert with_changes["axes"] == rules["presets"][0]["axes"] | {"stacking": "same"}
    assert with_changes["rules"]["name"] == "official+stacking=same"


def test_every_algorithm_of_train_is_an_algorithm_and_an_agent() -> None:
    assert set(train.ALGORITHMS) == {*ALGORITHMS, "linear"}
    assert set(train.ALGORITHMS) <= set(cardgames.agents.agent_factory.available("uno"))


def test_game_of_another_package_is_listed_and_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cardgames.core.game_registry.BUILT_IN, "highest", "tests.core.toy:Highest")
    assert call(monkeypatch, "agents", "highest") == 0
    assert call(monkeypatch, "warmup", "highest") == 0
    out = capsys.readouterr().out
    assert "the rules" in out and "the search" not in out


def test_warmup_is_refused_without_jit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cardgames.kernels.compile_cache, "JIT_ENABLED", False)
    assert call(monkeypatch, "warmup") == 2
    assert "NUMBA_DISABLE_JIT" in capsys.readouterr().err


def test_bench_prints_finished_measurements_after_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(names: list[str]) -> Iterator[dict[str, Any]]:
        yield {"name": "first", "value": 1.0, "unit": "ms", "peers": {}}
        raise KeyboardInterrupt

    monkeypatch.setattr("cardgames.bench.run", measured)
    assert call(monkeypatch, "bench") == 130
    assert capsys.readouterr().out.startswith("first ")
    assert call(monkeypatch, "bench", "--json") == 130
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == ["first"]


def test_benchmarks_are_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "bench", "--list") == 0
    assert "uno-decisions\n" in capsys.readouterr().out
    assert call(monkeypatch, "bench", "--list", "--json") == 0
    assert "uno-decisions" in json.loads(capsys.readouterr().out)
    assert call(monkeypatch, "bench", "uno-decisions", "--list") == 2
    assert "leave out uno-decisions" in capsys.readouterr().err


def test_reproduce_lists_its_tables(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "reproduce") == 0
    assert "001-table2" in capsys.readouterr().out


def test_rules_marks_the_default_preset(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for game in ("uno", "doudizhu"):
        assert call(monkeypatch, "rules", game) == 0
        lines = capsys.readouterr().out.splitlines()
        marked = [line.split()[0] for line in lines if line.endswith("(default)")]
        assert marked == [cardgames.core.game_registry.game_class(game).default_rules]


def test_bench_runs_only_the_named_benchmarks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured: list[list[str]] = []
    monkeypatch.setattr("cardgames.bench.run", lambda names: measured.append(names) or iter([]))
    assert call(monkeypatch, "bench", "uno-decisions", "search-threads") == call(monkeypatch, "bench") == 0
    assert measured == [["uno-decisions", "search-threads"], []]


def test_warmup_fails_if_the_cache_is_not_writable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cardgames.kernels.compile_cache, "CACHE_WRITABLE", False)
    monkeypatch.setattr("cardgames.cli.information._WARMUP_STEPS", {})
    assert call(monkeypatch, "warmup") == 2
    captured = capsys.readouterr()
    assert captured.out.startswith("ready after ") and "set CARDGAMES_CACHE_DIR" in captured.err


def test_reproduce_options_reach_the_table_and_appear_in_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    requests: list[Request] = []

    def run(request: Request) -> Iterator[dict[str, Any]]:
        requests.append(request)
        yield {"claim": "something", "measured": "it", "agrees": True}

    monkeypatch.setattr("cardgames.papers.paper001.TABLE_2", SimpleNamespace(run=run))
    options = ["--games", "7", "--seed", "3", "--seeds", "2", "--jobs", "4", "--only", "dqn", "--out", str(tmp_path)]
    assert call(monkeypatch, "reproduce", "001-table2", "--quick", *options, "--json") == 0
    (request,) = requests
    expected = Request(7, 3, 4, Size.QUICK, str(tmp_path), "dqn", trainings=2)
    assert replace(request, report_progress=expected.report_progress) == expected
    row = json.loads(capsys.readouterr().out)
    assert {name: row[name] for name in ("table", "seed", "size", "trainings")} == {
        "table": "001-table2",
        "seed": 3,
        "size": "quick",
        "trainings": 2,
    }
    assert call(monkeypatch, "reproduce", "001-table2", "--quick", *options) == 0
    assert capsys.readouterr().out == "published: something  here: it  agrees [quick, seeds: 2]\n"


def test_quick_run_of_a_table_without_training_is_marked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = SimpleNamespace(run=lambda request: iter([{"claim": "a", "measured": "b", "agrees": True}]))
    monkeypatch.setattr("cardgames.papers.game_lengths.run", rows.run)
    for more, marks in (([], {}), (["--quick"], {"size": "quick"})):
        assert call(monkeypatch, "reproduce", "000-figure2", *more, "--json") == 0
        row = json.loads(capsys.readouterr().out)
        assert {name: row[name] for name in ("size",) if name in row} == marks
