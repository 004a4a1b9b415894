"""Theorem 3.1 of paper 001: measured accuracy of the particle filter."""

import numpy as np
import pytest

import cardgames
from cardgames.papers import theorem31
from cardgames.papers.request import Request


def test_correct_share_counts_only_opponents_cards() -> None:
    game = cardgames.make("uno", players=3, rules="rlcard")
    hands = ["r1 r2 r3 r4"] * 2, ["g1 g2", "g1 b7"], ["y5 y5", "y5 b1"]
    truth, other = (game.position(hands=[*deal], top="r9", to_move=0) for deal in zip(*hands, strict=True))
    states = np.array([truth.record, other.record])
    # of the four cards, the other state has two right: g1 and one y5
    share = theorem31._correct_share(truth.observation(), truth.record, states, [0.25, 0.75])
    assert share == pytest.approx(0.25 + 0.75 * 2 / 4)


def test_interrupt_yields_the_rows_of_finished_rounds() -> None:
    def interrupt(description: str) -> None:
        raise KeyboardInterrupt

    rows = theorem31.run(Request(5, report_progress=interrupt))
    first = next(rows)
    assert first["turns"] == [1, 5] and first["decisions"] <= 5 and first["rounds"] == 1
    with pytest.raises(KeyboardInterrupt):
        list(rows)


def test_changes_are_measured_within_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = iter([[(0.5, 0.4), (0.7, 0.4), (0.6, 0.4)], [(0.1, 0.4), (0.3, 0.4)]])
    monkeypatch.setattr(theorem31, "_round", lambda *_: next(rounds))
    (row,) = theorem31.run(Request(2))
    assert row["change"] == pytest.approx((0.2 - 0.1 + 0.2) / 3) and row["decreased"] == pytest.approx(1 / 3)
    assert (row["rounds"], row["decisions"], row["correct"]) == (2, 5, pytest.approx(2.2 / 5))
