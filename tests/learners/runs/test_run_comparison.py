"""Tests of `cardgames curves`: runs that differ in their seed are one curve, others are named by their differences."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cardgames.core.game_registry import make
from cardgames.learners.algorithms.algorithm_registry import make_learner
from cardgames.learners.base.settings import Settings
from cardgames.learners.runs.curves import Curve
from cardgames.learners.runs.run import PROGRESS_FILE, SETTINGS_FILE
from cardgames.learners.runs.run_comparison import compare
from cardgames.learners.runs.run_config import write_run_config
from cardgames.support.errors import InvalidInput
from tests.command import call

Make = Callable[..., Path]
ROWS = [(0, 0.5, 0.4, 0.6), (100, 0.6, 0.5, 0.7)]


@pytest.fixture
def run(tmp_path: Path) -> Make:
    """Return a function that makes the folder of a run with its settings and progress against one or more opponents."""

    def make_run(
        name: str,
        algorithm: str = "dqn",
        seed: int = 0,
        rows: object = ROWS,
        against: str = "random",
        **changes: object,
    ) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        table = {"players": 2, "rules": "rlcard"} | {
            key: changes.pop(key) for key in ("players", "rules") if key in changes
        }
        default: type[Settings] = make_learner(algorithm, [make("uno", 2, "rlcard")], device="kernel").settings_class
        game = make("uno", table["players"], table["rules"])
        write_run_config(
            folder / SETTINGS_FILE,
            make_learner(algorithm, [game], default().with_changes(changes), seed, device="kernel"),
        )
        columns = [f"{opponent}{part}" for opponent in against.split("+") for part in ("", " low", " high")]
        text = [["rounds", *columns], *([rounds, *shares * len(against.split("+"))] for rounds, *shares in rows)]
        (folder / PROGRESS_FILE).write_text("".join(f"{','.join(map(str, row))}\n" for row in text))
        return folder

    return make_run


def curve_of(*folders: Path) -> Curve:
    (group,) = compare(folders)
    (curve,) = group.curves.values()
    return curve


def names(*folders: Path) -> list[str]:
    return [group_of_runs.name for group_of_runs in compare(folders)]


def test_curve_of_one_run_is_its_own(run: Make) -> None:
    for point, expected in zip(curve_of(run("a")), ROWS, strict=True):
        assert point == pytest.approx(expected)


def test_interval_of_differing_seeds_is_students(run: Make) -> None:
    rates = {0: 0.3, 1: 0.4, 2: 0.5}
    point = curve_of(
        *(run(str(seed), seed=seed, rows=[(9, rate, rate - 0.01, rate + 0.01)]) for seed, rate in rates.items())
    )
    # 4.303 times the root of 0.01 / 3
    assert point == [pytest.approx((9, 0.4, 0.4 - 0.24843, 0.4 + 0.24843), abs=1e-4)]


def test_interval_is_clipped_to_0_and_1(run: Make) -> None:
    ((_, rate, low, high),) = curve_of(*(run(str(n), seed=n, rows=[(9, n, n, n)]) for n in range(2)))
    assert (rate, low, high) == (0.5, 0, 1)


def test_interval_of_agreeing_seeds_is_that_of_their_games(run: Make) -> None:
    folders = [run(str(seed), seed=seed, rows=[(9, 0.5, 0.4, 0.6)]) for seed in range(4)]
    assert curve_of(*folders) == [pytest.approx((9, 0.5, 0.45, 0.55))]


def test_mean_curve_ends_with_shortest_run(run: Make) -> None:
    points = curve_of(run("a"), run("b", seed=1, rows=ROWS[:1]))
    assert [point.rounds for point in points] == [0]


def test_evaluations_at_nearby_rounds_are_matched(run: Make) -> None:
    longer = [(0, 0.1, 0, 1), (202, 0.2, 0, 1), (350, 0.9, 0, 1), (400, 0.3, 0, 1), (600, 0.4, 0, 1)]
    default = [(0, 0.1, 0, 1), (200, 0.2, 0, 1), (401, 0.3, 0, 1), (600, 0.4, 0, 1)]
    points = curve_of(run("a", rows=longer), run("b", seed=1, rows=default))
    assert [(point.rounds, round(point.rate, 6)) for point in points] == [
        (0, 0.1),
        (201, 0.2),
        (400.5, 0.3),
        (600, 0.4),
    ]


def test_run_extended_twice_is_matched_to_its_end(run: Make) -> None:
    default = [(rounds, 0.5, 0.4, 0.6) for rounds in range(0, 700, 100)]
    extended_twice = [(rounds, 0.5, 0.4, 0.6) for rounds in (0, 100, 150, 200, 250, 300, 400, 500)]
    points = curve_of(run("a", rows=default), run("b", seed=1, rows=extended_twice))
    assert [point.rounds for point in points] == [0, 100, 200, 300, 400, 500]


def test_runs_with_different_evaluate_settings_are_grouped(run: Make) -> None:
    folders = run("a"), run("b", seed=1, against="reflex+random", evaluate="reflex+random", evaluate_games=7)
    (group,) = compare(folders)
    assert list(group.curves) == ["random"] and group.seeds == (0, 1)
    with pytest.raises(InvalidInput, match="have no opponent of evaluations in common"):
        compare([folders[0], run("c", seed=2, against="reflex")])


def test_runs_with_different_threads_are_grouped(run: Make) -> None:
    one, two = run("a", "ddqn-mcts", threads=1), run("b", "ddqn-mcts", seed=1, threads=2)
    (group,) = compare([one, two])
    assert (group.name, group.seeds) == ("ddqn-mcts", (0, 1))


def test_group_names_show_differing_settings(run: Make) -> None:
    default, fast, wide = run("a"), run("b", learning_rate=1e-3), run("c", hidden="8", learning_rate=1e-3)
    other, longer = run("d", "ddqn"), run("e", rounds=7)
    assert names(default) == ["dqn"]
    assert names(default, other) == ["dqn", "ddqn"]
    assert names(fast, default) == ["dqn, learning_rate=0.001", "dqn, learning_rate=5e-05"]
    assert names(default, wide) == ["dqn, hidden=[64, 64], learning_rate=5e-05", "dqn, hidden=[8], learning_rate=0.001"]
    assert names(default, fast, other) == ["dqn, learning_rate=5e-05", "dqn, learning_rate=0.001", "ddqn"]
    assert names(default, longer) == ["dqn, rounds=100000", "dqn, rounds=7"]
    three, common = run("f", players=3, learning_rate=1e-3), run("g", "ddqn", rules="common")
    assert names(default, three) == ["dqn, players=2, learning_rate=5e-05", "dqn, players=3, learning_rate=0.001"]
    assert names(default, common) == ["dqn, rules=rlcard", "ddqn, rules=common"]


def test_rules_are_compared_by_hash(run: Make) -> None:
    one, renamed, altered, other = run("a"), run("b", seed=1), run("c"), run("d", rules="common")
    for folder, old, new in (
        (renamed, 'rules_name = "rlcard"', 'rules_name = "mine"'),
        (altered, "hand-size = 7", "hand-size = 6"),
    ):
        (folder / SETTINGS_FILE).write_text((folder / SETTINGS_FILE).read_text().replace(old, new))
    assert [group_of_runs.seeds for group_of_runs in compare([one, renamed])] == [(0, 1)], "the same rules by two names"
    first, second, third = names(one, altered, other)
    assert first != second and all(name.startswith("dqn, rules=rlcard, hash=") for name in (first, second))
    assert third == "dqn, rules=common"


def test_setting_order_and_omitted_defaults_do_not_matter(run: Make) -> None:
    one, other = run("a"), run("b", seed=1)
    lines = (other / SETTINGS_FILE).read_text().splitlines()
    last = lines.index("[settings]") + 1
    settings = [line for line in lines[last:] if not line.startswith("discount")]
    (other / SETTINGS_FILE).write_text("\n".join([*lines[:last], *reversed(settings)]))
    assert [group_of_runs.seeds for group_of_runs in compare([one, other])] == [(0, 1)]


def test_invalid_folders_are_refused(run: Make, tmp_path: Path) -> None:
    folder = run("a")
    for wrong, message in (
        ([folder, folder], "have the same settings and the same seed, 0"),
        ([folder / PROGRESS_FILE], "is not the folder of a run"),
        ([tmp_path], "is not the folder of a run"),
    ):
        with pytest.raises(InvalidInput, match=message):
            compare(wrong)
    (folder / SETTINGS_FILE).write_text("rounds = 3\n")
    with pytest.raises(InvalidInput, match="has only settings, and does not describe a run"):
        compare([folder])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "No such file or directory"),
        ("rounds,random,random low,random high\n", "has no evaluation yet"),
        ("rounds,random low,random high\n0,0.1,0.2\n", "is damaged: it has no column 'random'"),
        ("random,random low,random high\n0.1,0.1,0.2\n", "is damaged: it has no column 'rounds'"),
        ("rounds,random,random high\n0,0.1,0.2\n", "is damaged: it has no column with the lower bound of a win rate"),
        ("rounds,random,random low,random high\n5,0.1,0.1,0.2\n4,0.1,0.1,0.2\n", "its rows are not in order of"),
        ("rounds,random,random low,random high\n0,7.0,0.1,0.2\n", "is damaged: after 0 rounds a win rate is not in"),
        ("rounds,random,random low,random high\n0,nan,0.1,0.2\n", "is damaged: after 0 rounds a win rate is not in"),
    ],
)
def test_damaged_progress_file_is_reported(run: Make, text: str | None, message: str) -> None:
    folder = run("a")
    (folder / PROGRESS_FILE).unlink() if text is None else (folder / PROGRESS_FILE).write_text(text)
    with pytest.raises(InvalidInput, match=message):
        compare([folder])


def test_curves_command_draws_prints_and_saves(
    run: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lower = [(0, 0.4, 0.3, 0.5), (100, 0.6, 0.5, 0.7)]
    folders = [str(run("a")), str(run("b", seed=1)), str(run("c", "ddqn", rows=lower))]
    picture = tmp_path / "curves.png"
    assert call(monkeypatch, "curves", *folders, "--png", str(picture)) == 0
    text = capsys.readouterr().out
    assert "win rate of dqn against random, with 95 % intervals over the trainings" in text
    assert "win rate of ddqn against random, with 95 % intervals over the games of one training" in text
    assert text.count("0.683") == 2, "both plots reach from 0.3 to 0.7"
    assert text.splitlines()[-3:] == [
        "dqn against random: 0.600 (0.529 - 0.671) after 100 rounds, 2 trainings",
        "ddqn against random: 0.600 (0.500 - 0.700) after 100 rounds, seed 0",
        f"wrote {picture}",
    ]
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert call(monkeypatch, "curves", *folders, "--json") == 0
    rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert [(row["player"], row["seeds"], len(row["curve"])) for row in rows] == [
        ("dqn against random", [0, 1], 2),
        ("ddqn against random", [0], 2),
    ]
    assert call(monkeypatch, "curves", *folders, "--png", "") == 2
    assert "an empty name: every RUN is a folder" in capsys.readouterr().err
