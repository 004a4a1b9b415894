"""Tests of the experiment scripts: one-line errors for bad arguments, and continuation of interrupted runs."""

import pathlib
import runpy
import sys

import pytest


def run(script: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [script, *arguments])
    runpy.run_module(f"cardgames.bench.experiments.{script}", run_name="__main__")


@pytest.mark.parametrize(
    ("script", "arguments", "words"),
    [
        ("belief", "--rules foo", "unknown preset of uno 'foo'"),
        ("belief", "--players 1", "2 to 10 players"),
        ("belief", "--opponents foo --games 1", "unknown agent for uno 'foo'"),
        ("belief", "--games 0", "--games: a whole number from 1"),
        ("belief", "--mismatch-weight 3", "--mismatch-weight: a number between 0 and 1"),
        ("champion", "--against foo --games 1", "unknown agent for uno 'foo'"),
        ("champion", "--rules foo", "invalid choice: 'foo'"),
        ("champion", "--out nowhere/rows.jsonl", "cannot write nowhere/rows.jsonl: No such file or directory"),
        ("champion", f"--out {__file__}", "has lines that are not rows of this script"),
        ("chain", "--players 99", "2 to 10 players"),
        ("interval_coverage", "uno --agents foo,random --games 1 --matches 1", "unknown agent for uno 'foo'"),
        ("interval_coverage", "uno --agents random,random --matches 0", "--matches: a whole number from 1"),
        ("soak", "--games 0", "--games: a whole number from 1"),
        ("limits", "uno --agent reflex", "reflex is not a search agent: a time limit has no effect on it"),
        ("limits", "uno --times -1 --agent mcts", "--times: seconds above 0, below 3600, not '-1'"),
        ("qtree", "--opponents foo --players 2 --trees 1", "unknown policy 'foo'"),
        ("regret", "random --rules foo", "unknown preset of uno 'foo'"),
        ("regret", "foo --positions 1", "unknown agent for uno 'foo'"),
        ("regret", "random --reference reflex", "reflex is not a search agent: the reference must be one"),
        ("networks", "--widths x", "--widths: a whole number from 1"),
        ("updates", "--batches 0", "--batches: a whole number from 1"),
        ("updates", "--seconds -1", "--seconds: seconds above 0, below 3600, not '-1'"),
        ("rlcard_dqn", "--learners nobody", "invalid choice: 'nobody'"),
        ("solver", "--cards 0", "--cards: a whole number from 1"),
        ("solver", "--rules foo", "unknown preset of doudizhu 'foo'"),
        ("doudizhu_hands", "--hands -1", "--hands: a whole number from 1"),
        ("overestimation", "nowhere.safetensors", "cannot read nowhere.safetensors"),
        ("features", "nowhere.safetensors", "cannot read nowhere.safetensors"),
    ],
)
def test_bad_arguments_are_reported_in_one_line(
    script: str, arguments: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        run(script, arguments.split(), monkeypatch)
    assert exit_.value.code == 2
    assert words in capsys.readouterr().err.splitlines()[-1]


def test_champion_does_not_replay_matches_in_the_output_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    arguments = f"--against random --games 2 --time 0.0001 --out {tmp_path / 'rows.jsonl'}"
    for _ in range(2):
        run("champion", arguments.split(), monkeypatch)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == lines[3:] and lines[2].startswith("rlcard, 4 players, random: ")
    assert len((tmp_path / "rows.jsonl").read_text().splitlines()) == 3


def test_belief_script_prints_log_loss_of_uniform_belief(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("belief", ["--games", "2", "--particles", "20"], monkeypatch)
    assert "uniform" in capsys.readouterr().out
