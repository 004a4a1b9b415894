"""The scripts in benchmarks/: one line for what cannot be, and nothing is played twice."""

import pathlib
import runpy
import sys

import pytest

FOLDER = pathlib.Path(__file__).parents[1] / "benchmarks"


@pytest.mark.parametrize(
    ("script", "arguments", "words"),
    [
        ("belief.py", "--rules foo", "unknown preset of uno 'foo'"),
        ("belief.py", "--players 1", "2 to 10 players"),
        ("belief.py", "--opponents foo --games 1", "unknown agent for uno 'foo'"),
        ("belief.py", "--games 0", "--games: a whole number from 1"),
        ("belief.py", "--mistrust 3", "--mistrust: a number between 0 and 1"),
        ("champion.py", "--against foo --games 1", "unknown agent for uno 'foo'"),
        ("champion.py", "--rules foo", "invalid choice: 'foo'"),
        ("champion.py", "--out nowhere/rows.jsonl", "cannot write nowhere/rows.jsonl: No such file or directory"),
        ("champion.py", f"--out {__file__}", "does not hold rows of this script alone"),
        ("chain.py", "--players 99", "2 to 10 players"),
        ("coverage.py", "uno --agents foo,random --games 1 --matches 1", "unknown agent for uno 'foo'"),
        ("coverage.py", "uno --agents random,random --matches 0", "--matches: a whole number from 1"),
        ("soak.py", "--games 0", "--games: a whole number from 1"),
        ("limits.py", "uno --agent reflex", "reflex does not search: it has no use for a limit in time"),
        ("limits.py", "uno --times -1 --agent mcts", "--times: seconds above 0, below 3600, not '-1'"),
        ("qtree.py", "--opponents foo --players 2 --trees 1", "unknown policy 'foo'"),
        ("regret.py", "random --rules foo", "unknown preset of uno 'foo'"),
        ("regret.py", "foo --positions 1", "unknown agent for uno 'foo'"),
        ("regret.py", "random --reference reflex", "reflex is no search whose report could judge"),
        ("networks.py", "--widths x", "--widths: a whole number from 1"),
        ("updates.py", "--batches 0", "--batches: a whole number from 1"),
        ("updates.py", "--seconds -1", "--seconds: seconds above 0, below 3600, not '-1'"),
        ("rlcard_dqn.py", "--learners nobody", "invalid choice: 'nobody'"),
        ("doudizhu_hands.py", "--hands -1", "--hands: a whole number from 1"),
        ("overestimation.py", "nowhere.safetensors", "cannot read nowhere.safetensors"),
        ("features.py", "nowhere.safetensors", "cannot read nowhere.safetensors"),
    ],
)
def test_bad_arguments_are_one_line(
    script: str, arguments: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setattr(sys, "argv", [script, *arguments.split()])
    with pytest.raises(SystemExit) as exit_:
        runpy.run_path(str(FOLDER / script), run_name="__main__")
    assert exit_.value.code == 2
    assert words in capsys.readouterr().err.splitlines()[-1]


def test_matches_that_were_played_are_not_played_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    arguments = f"--against random --games 2 --time 0.0001 --out {tmp_path / 'rows.jsonl'}"
    monkeypatch.setattr(sys, "argv", ["champion.py", *arguments.split()])
    for _ in range(2):
        runpy.run_path(str(FOLDER / "champion.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == lines[3:] and lines[2].startswith("rlcard, 4 players, random: ")
    assert len((tmp_path / "rows.jsonl").read_text().splitlines()) == 3


def test_the_log_loss_of_a_belief_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setattr(sys, "argv", ["belief.py", "--games", "2", "--particles", "20"])
    runpy.run_path(str(FOLDER / "belief.py"), run_name="__main__")
    assert "uniform" in capsys.readouterr().out
