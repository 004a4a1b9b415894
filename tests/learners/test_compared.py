"""`cardgames curves`: trainings that differ by their seed are one curve; others are told apart by what differs."""

import json
from pathlib import Path
from statistics import fmean, stdev

import pytest

from cardgames.core.errors import InvalidInput
from cardgames.learners.compared import compare
from cardgames.learners.curves import Point, read_curves
from cardgames.learners.run import PROGRESS, SETTINGS
from tests.learners.test_run import start
from tests.test_cli import call


def trained(folder: Path, name: str = "dqn", seed: int = 1, **changes: object) -> Path:
    start(folder, name, seed, **changes).train()
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    out = tmp_path_factory.mktemp("runs")
    several = {f"dqn-{seed}": trained(out / f"dqn-{seed}", seed=seed) for seed in range(3)}
    others = {"ddqn": trained(out / "ddqn", "ddqn"), "slow": trained(out / "slow", learning_rate=1e-6)}
    return {**several, **others, "long": trained(out / "long", rounds=40)}


def test_seeds_are_one_curve_with_student_s_interval(runs: dict[str, Path]) -> None:
    folders = [runs[f"dqn-{seed}"] for seed in range(3)]
    (together,) = compare(folders)
    assert (together.name, together.seeds) == ("dqn", (0, 1, 2))
    (curve,) = together.curves.values()
    single = [next(iter(read_curves(folder / PROGRESS).values())) for folder in folders]
    for point, *points in zip(curve, *single, strict=True):
        rates = [one.rate for one in points]
        assert point.rounds == points[0].rounds and point.rate == pytest.approx(fmean(rates))
        below, above = (sum(part**2 for part in parts) ** 0.5 / 3 for parts in zip(*map(halves, points), strict=True))
        student = 4.303 * stdev(rates) / 3**0.5
        if 2 * student > below + above:
            below, above = min(student, point.rate), min(student, 1 - point.rate)
        assert halves(point) == pytest.approx((below, above))


def halves(point: Point) -> tuple[float, float]:
    return point.rate - point.low, point.high - point.rate


def test_one_training_is_its_own_curve(runs: dict[str, Path]) -> None:
    (alone,) = compare([runs["ddqn"]])
    (curve,), (own,) = alone.curves.values(), read_curves(runs["ddqn"] / PROGRESS).values()
    for found, expected in zip(curve, own, strict=True):
        assert found == pytest.approx(expected)


def test_curves_are_named_by_what_differs(runs: dict[str, Path]) -> None:
    assert [each.name for each in compare([runs["dqn-1"], runs["ddqn"]])] == ["dqn", "ddqn"]
    named = compare([runs["dqn-1"], runs["slow"], runs["dqn-0"], runs["long"]])
    assert [each.name for each in named] == [
        "dqn, rounds=30, learning_rate=5e-05",
        "dqn, rounds=30, learning_rate=1e-06",
        "dqn, rounds=40, learning_rate=5e-05",
    ]
    assert named[0].seeds == (1, 0)


def test_a_mean_goes_as_far_as_all_have_come(runs: dict[str, Path], tmp_path: Path) -> None:
    short = tmp_path / "short"
    short.mkdir()
    for name in (SETTINGS, PROGRESS):
        text = (runs["dqn-1"] / name).read_text(encoding="utf-8")
        (short / name).write_text("".join(text.splitlines(keepends=True)[: 3 if name == PROGRESS else None]))
    (together,) = compare([runs["dqn-0"], short])
    assert [point.rounds for point in next(iter(together.curves.values()))] == [0, 10]


def test_what_is_no_run_is_refused(runs: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="are one training twice, of seed 1"):
        compare([runs["dqn-1"], runs["dqn-1"]])
    with pytest.raises(InvalidInput, match=r"cannot read .*settings\.toml: No such file or directory"):
        compare([tmp_path])
    (tmp_path / SETTINGS).write_text("rounds = 3\n")
    with pytest.raises(InvalidInput, match="is of settings alone, not of a run"):
        compare([tmp_path])
    (tmp_path / SETTINGS).write_bytes((runs["dqn-1"] / SETTINGS).read_bytes())
    with pytest.raises(InvalidInput, match="No such file or directory"):
        compare([tmp_path])
    (tmp_path / PROGRESS).write_text("rounds,random low\n")
    with pytest.raises(InvalidInput, match="has no evaluation yet"):
        compare([tmp_path])


def test_the_command_draws_prints_and_saves(
    runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [str(runs[name]) for name in ("dqn-0", "dqn-1", "ddqn")]
    picture = tmp_path / "curves.png"
    assert call(monkeypatch, "curves", *folders, "--png", str(picture)) == 0
    text = capsys.readouterr().out
    assert "win rate of dqn against random (2 players), with 95 % intervals over the trainings" in text
    assert "win rate of ddqn against random (2 players), with 95 % intervals of the games of one training" in text
    *_, first, second, last = text.splitlines()
    assert first.startswith("dqn against random (2 players): ") and first.endswith(" after 30 rounds, 2 trainings")
    assert second.startswith("ddqn against random (2 players): ") and second.endswith(" after 30 rounds, seed 1")
    assert last == str(picture) and picture.read_bytes().startswith(b"\x89PNG")
    assert call(monkeypatch, "curves", *folders, "--json") == 0
    rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert [row["seeds"] for row in rows] == [[0, 1], [1]]
    assert rows[0]["who"] == "dqn against random (2 players)" and len(rows[0]["curve"]) == 4
    assert call(monkeypatch, "curves", *folders, "--png", str(tmp_path / "none" / "x.png")) == 2
    assert "cannot write" in capsys.readouterr().err
    assert call(monkeypatch, "curves", *folders, "--png", "") == 2
    assert "--png is the name of a file" in capsys.readouterr().err
