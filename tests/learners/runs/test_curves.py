"""Tests of learning curves as text plots and PNG files."""

import os
from pathlib import Path

import pytest

from cardgames.learners.runs.curves import Point, draw, plot_bounds, save_png
from cardgames.support.errors import InvalidInput

LOW, HIGH = [Point(0, 0.45, 0.3, 0.55), Point(10, 0.65, 0.52, 0.7)], [Point(0, 0.7, 0.6, 0.8), Point(20, 0.9, 0.8, 1.0)]


def test_text_plot_places_points_and_intervals() -> None:
    title, *rows, axis = draw("random", LOW, columns=28, height=4).splitlines()
    assert title == "random" and axis == f"{'':7} 0{'10 rounds':>19}"
    assert rows == [
        f"  0.650 {'●':>20}",
        f"        │{'│':>19}",
        "        ●",
        "  0.350 │",
    ]


def test_text_plot_has_minimum_width() -> None:
    assert draw("random", LOW, columns=1) == draw("random", LOW, columns=28)


def test_curve_of_one_point_is_drawn() -> None:
    text = draw("updates", [Point(0, 0.0, 0.0, 0.0)], unit="updates")
    assert text.count("●") == 1 and text.endswith(" 0 updates")


def test_curves_in_one_frame_share_axes() -> None:
    frame = plot_bounds([LOW, HIGH])
    assert frame == (20, 0.3, 1.0)
    low, high = (draw("random", curve, frame=frame).splitlines() for curve in (LOW, HIGH))
    assert [row[:7] for row in low] == [row[:7] for row in high] and low[-1] == high[-1]
    assert max(map(len, low[1:-1])) == 8 + 36 + 1, "ten of twenty rounds are half way across"


@pytest.mark.parametrize(
    "names",
    [
        [f"against {name} ({players} players)" for players in (2, 3, 4) for name in ("random", "reflex")],
        [
            f"dqn, players=2, encoding=seat, batch={n}, opponents=random+past, symmetry=canonical, " * 2
            for n in (32, 64)
        ],
        [
            f"{n} of forty whose names are as long as those of a dozen settings that differ {'.' * 20}"
            for n in range(40)
        ],
        [f"{n}{', setting=value' * 35}" for n in range(6)],
    ],
    ids=["some", "long", "many", "very long"],
)
def test_legend_stays_within_the_picture(names: list[str], tmp_path: Path) -> None:
    image = pytest.importorskip("matplotlib.image")
    save_png(dict.fromkeys(names, LOW), tmp_path / "curve.png")
    picture = image.imread(tmp_path / "curve.png")
    assert (picture[:, [0, 1, -2, -1]] == 1).all() and (picture[[0, 1, -2, -1]] == 1).all()


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_save_png_refuses_folder_and_pipe(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "curve.png"
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    with pytest.raises(InvalidInput, match=r"curve\.png: it is (a folder|not a regular file)"):
        save_png({"a": LOW}, path)
    assert path.is_dir() == (kind == "folder") and path.exists()
