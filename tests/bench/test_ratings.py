"""The script that makes the tables of ratings of the package: bad arguments, and continuation of an interrupted run."""

import pathlib
import runpy
import sys

import pytest

from cardgames.agents.agent_ratings import read_ratings


def run(arguments: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ratings", *arguments.split()])
    runpy.run_module("cardgames.bench.strength.ratings", run_name="__main__")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--games 0", "--games: a whole number from 1"),
        ("--game chess", "invalid choice: 'chess'"),
        ("--out nowhere", "--out: there is no folder nowhere"),
        (f"--pairs {__file__} --agents reflex", "has lines that are not rows of this script"),
        ("--pairs /nowhere/pairs.jsonl", "cannot write /nowhere/pairs.jsonl"),
        ("--agents nobody", "unknown agent 'nobody'"),
    ],
)
def test_bad_arguments_are_reported_in_one_line(
    arguments: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        run(arguments, monkeypatch)
    assert exit_.value.code == 2
    assert words in capsys.readouterr().err.splitlines()[-1]


def test_matches_in_the_file_of_matches_are_not_played_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    pairs = tmp_path / "pairs.jsonl"
    arguments = f"--game uno --agents reflex linear --games 20 --seed 2 --pairs {pairs} --out {tmp_path}"
    tables = []
    for _ in range(2):
        run(arguments, monkeypatch)
        tables.append(read_ratings(tmp_path / "uno-official.json"))
    first, second = tables
    assert [entry.rating for entry in first.agents] == [entry.rating for entry in second.agents]
    assert first.games == 60 and set(first.ratings()) == {"random", "reflex", "linear"}
    assert len(pairs.read_text().splitlines()) == 3 and str(tmp_path) not in first.command
    assert capsys.readouterr().out.count(first.source()) == 2
