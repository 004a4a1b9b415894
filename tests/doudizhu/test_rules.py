"""Tests of the rule axes and presets: forbidden features, parsing, the golden table, counts in the documentation."""

import csv
from pathlib import Path

import numpy as np
import pytest

from cardgames.doudizhu.moves.move_table import allowed_moves
from cardgames.doudizhu.rules import (
    AXES,
    BOOK,
    CLASSIC,
    DOUDIZHU_RULES,
    ONLINE,
    EqualKickers,
    JokerKickers,
    kernel_rules,
)
from cardgames.doudizhu.rules.move_restrictions import MoveRestriction
from cardgames.support.errors import InvalidInput

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "doudizhu.md").read_text(encoding="utf-8")
TABLE = (ROOT / "tests" / "golden" / "doudizhu-presets.csv").read_text(encoding="utf-8")
GRAMMAR = [axis for axis in AXES if issubclass(axis, MoveRestriction)]


@pytest.mark.parametrize("axis", GRAMMAR, ids=lambda axis: axis.name)
def test_grammar_axis_values_are_complete(axis: type[MoveRestriction]) -> None:
    assert list(axis.forbids) == list(axis.choices)
    assert 0 in axis.forbids.values()


@pytest.mark.parametrize("axis", GRAMMAR, ids=lambda axis: axis.name)
def test_each_grammar_value_allows_other_moves(axis: type[MoveRestriction]) -> None:
    liberal = ONLINE | [
        other(next(value for value, forbidden in other.forbids.items() if not forbidden)) for other in GRAMMAR
    ]
    move_sets = [tuple(allowed_moves(liberal | axis(value))) for value in axis.choices]
    assert len(set(move_sets)) == len(axis.choices)


def test_preset_overridden_by_text() -> None:
    changed = BOOK.parse("classic", ["equal-kickers=two", "joker-kickers=allowed"])
    assert changed == CLASSIC | EqualKickers("two") | JokerKickers("allowed")
    with pytest.raises(InvalidInput, match="unknown value of rule equal-kickers 'five'"):
        BOOK.parse("classic", ["equal-kickers=five"])


def test_kernel_rules_hold_axis_codes_and_forbidden_features() -> None:
    record = kernel_rules(CLASSIC)
    assert record.dtype == DOUDIZHU_RULES
    assert {name: record[name] for name in CLASSIC.codes()} == CLASSIC.codes()
    assert record.forbidden == np.bitwise_or.reduce([axis.forbids[str(CLASSIC[axis.name])] for axis in GRAMMAR])


@pytest.mark.parametrize("preset", BOOK.presets)
def test_docs_list_move_count_of_each_preset(preset: str) -> None:
    assert any(
        line.startswith(f"| `{preset}`") and f" {len(allowed_moves(BOOK.preset(preset))):,} " in line
        for line in PAGE.splitlines()
    )


@pytest.mark.parametrize("preset", BOOK.presets)
def test_rule_values_of_each_preset_are_those_of_the_golden_table(preset: str) -> None:
    golden = {row["axis"]: row[preset] for row in csv.DictReader(TABLE.splitlines())}
    assert golden == {axis.name: str(axis.value) for axis in BOOK.preset(preset)}
