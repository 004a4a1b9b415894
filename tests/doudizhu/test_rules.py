"""Tests of the rule axes and presets: forbidden features, parsing, and agreement with the documentation pages."""

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
from cardgames.doudizhu.rules.grammar import GrammarAxis
from cardgames.support.errors import InvalidInput

DOCS = Path(__file__).parents[2] / "docs"
MOVES_PAGE = (DOCS / "doudizhu-moves.md").read_text(encoding="utf-8")
ROUND_PAGE = (DOCS / "doudizhu.md").read_text(encoding="utf-8")
GRAMMAR = [axis for axis in AXES if issubclass(axis, GrammarAxis)]


@pytest.mark.parametrize("axis", GRAMMAR, ids=lambda axis: axis.name)
def test_grammar_axis_values_are_complete_and_documented(axis: type[GrammarAxis]) -> None:
    assert list(axis.forbids) == list(axis.choices)
    assert 0 in axis.forbids.values()
    assert f"`{axis.name}`" in MOVES_PAGE
    assert all(f"`{value}`" in MOVES_PAGE for value in axis.choices)


@pytest.mark.parametrize("axis", GRAMMAR, ids=lambda axis: axis.name)
def test_each_grammar_value_allows_other_moves(axis: type[GrammarAxis]) -> None:
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
        for line in MOVES_PAGE.splitlines()
    )


def cells(page: str) -> list[list[str]]:
    """Return the rows of all tables of a page."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("| ")
    ]


@pytest.mark.parametrize("preset", BOOK.presets)
def test_docs_list_rule_values_of_each_preset(preset: str) -> None:
    rows = cells(ROUND_PAGE)
    column = next(row for row in rows if row[0] == "axis" and "classic" in row).index(preset)
    documented_values = {row[0]: row[column] for row in rows if row[0] in BOOK.axes}
    rows = cells(MOVES_PAGE)
    names = next(row for row in rows if row[0] == "preset")
    values = next(row for row in rows if row[0].startswith(f"`{preset}`"))
    documented_values |= {"plane-kickers": "allowed", "size-cap": "20"}
    documented_values |= {name: value for name, value in zip(names, values, strict=True) if name in BOOK.axes}
    assert documented_values == {axis.name: str(axis.value) for axis in BOOK.preset(preset)}
