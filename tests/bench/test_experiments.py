"""Tests of the experiment scripts: one-line errors for bad arguments, and continuation of interrupted runs."""

import pathlib
import runpy
import sys
from importlib.util import find_spec

import pytest

from cardgames.doudizhu.auction_model.encoding import NUM_OUTPUTS
from cardgames.support.tensor_file import read_tensors


def run(script: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [script, *arguments])
    folder = "experiments" if find_spec(f"cardgames.bench.experiments.{script}") else "strength"
    runpy.run_module(f"cardgames.bench.{folder}.{script}", run_name="__main__")


@pytest.mark.parametrize(
    ("script", "arguments", "words"),
    [
        ("auction_bids", "--rules rlcard", "the rules have neither an auction nor doubling"),
        ("auction_bids", "--policy foo", "unknown policy 'foo'"),
        ("auction_deals", "--deals 0 --out nowhere", "--deals: a whole number from 1"),
        ("auction_fit", "nowhere --out nowhere", "nowhere has no shards of deals"),
        ("belief", "--rules foo", "unknown preset of uno 'foo'"),
        ("belief", "--players 1", "2 to 10 players"),
        ("belief", "--opponents foo --games 1", "unknown agent for uno 'foo'"),
        ("belief", "--games 0", "--games: a whole number from 1"),
        ("belief", "--mismatch-weight 3", "--mismatch-weight: a number between 0 and 1"),
        ("champion", "--against foo --games 1", "unknown agent for uno 'foo'"),
        ("champion", "--rules foo", "invalid choice: 'foo'"),
        ("champion", "--out nowhere/rows.jsonl", "cannot write nowhere/rows.jsonl: No such file or directory"),
        ("champion", f"--out {__file__}", "has lines that are not rows of this script"),
        ("certain_wins", "foo --positions 1 --rules common", "unknown agent for uno 'foo'"),
        ("certain_wins", "reflex --rules foo", "unknown preset of uno 'foo'"),
        ("chance_model_error", "--players 99", "2 to 10 players"),
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


def test_certain_wins_script_counts_wins_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("certain_wins", "random reflex --rules common --positions 4".split(), monkeypatch)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["common, 2 players, random", "common, 2 players, reflex"]
    assert all(line.endswith(" of 4") for line in lines)


def test_levels_script_prints_rows_of_csv(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run("levels", "doudizhu --rules classic --levels easy medium --games 12".split(), monkeypatch)
    heading, row = capsys.readouterr().out.splitlines()
    assert heading.startswith("game,rules,players,stronger,weaker,win_rate")
    assert row.startswith("doudizhu,classic,3,medium,easy,") and row.endswith(",12,0")


def test_auction_model_is_fitted_to_deals_that_are_played_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    pytest.importorskip("torch")
    deals = f"--deals 40 --shard 20 --policy frugal --out {tmp_path / 'deals'}"
    for lines in (2, 0):
        run("auction_deals", deals.split(), monkeypatch)
        assert len(capsys.readouterr().out.splitlines()) == lines
    files = f"--out {tmp_path / 'model.safetensors'} --table {tmp_path / 'table.csv'}"
    run("auction_fit", f"{tmp_path / 'deals'} --rows 8192 --held-out 10 {files}".split(), monkeypatch)
    table = (tmp_path / "table.csv").read_text().splitlines()
    assert table[0] == "view,decile,predicted,observed,deals,log_loss" and len(table) == 61
    assert read_tensors(tmp_path / "model.safetensors")[0]["4.bias"].shape == (NUM_OUTPUTS,)


def test_bids_by_expected_payoff_beat_bids_by_hand_value(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("auction_bids", "--policy frugal --deals 1000 --checked 100".split(), monkeypatch)
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("classic, 1000 deals, frugal plays, seed 1: +")
    assert second.endswith(" bids in 100 deals, 0 negative")
