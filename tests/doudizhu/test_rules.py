"""The axes of the grammar: what they forbid, how they are read, and that the page of the moves names them."""

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
PAGE = (DOCS / "doudizhu-moves.md").read_text(encoding="utf-8")
ROUND = (DOCS / "doudizhu.md").read_text(encoding="utf-8")
GRAMMAR = [axis for axis in AXES if issubclass(axis, GrammarAxis)]


@pytest.mark.parametrize("axis", GRAMMAR, ids=lambda axis: axis.name)
def test_every_value_says_what_it_forbids(axis: type[GrammarAxis]) -> None:
    assert list(axis.forbids) == list(axis.choices)
    assert 0 in axis.forbids.values()
    assert f"`{axis.name}`" in PAGE
    assert all(f"`{value}`" in PAGE for value in axis.choices)


@pytest.mark.parametrize("axis", GRAMMAR, ids=lambda axis: axis.name)
def test_every_value_makes_a_difference(axis: type[GrammarAxis]) -> None:
    liberal = ONLINE | [
        other(next(value for value, forbidden in other.forbids.items() if not forbidden)) for other in GRAMMAR
    ]
    found = [tuple(allowed_moves(liberal | axis(value))) for value in axis.choices]
    assert len(set(found)) == len(axis.choices)


def test_a_preset_is_changed_by_text() -> None:
    changed = BOOK.parse("classic", ["equal-kickers=two", "joker-kickers=allowed"])
    assert changed == CLASSIC | EqualKickers("two") | JokerKickers("allowed")
    with pytest.raises(InvalidInput, match="unknown value of rule equal-kickers 'five'"):
        BOOK.parse("classic", ["equal-kickers=five"])


def test_kernels_see_a_number_an_axis_and_what_is_forbidden() -> None:
    record = kernel_rules(CLASSIC)
    assert record.dtype == DOUDIZHU_RULES
    assert {name: record[name] for name in CLASSIC.codes()} == CLASSIC.codes()
    assert record.forbidden == np.bitwise_or.reduce([axis.forbids[str(CLASSIC[axis.name])] for axis in GRAMMAR])


@pytest.mark.parametrize("preset", BOOK.presets)
def test_the_page_has_the_count_of_every_preset(preset: str) -> None:
    assert any(
        line.startswith(f"| `{preset}`") and f" {len(allowed_moves(BOOK.preset(preset))):,} " in line
        for line in PAGE.splitlines()
    )


def cells(page: str) -> list[list[str]]:
    """The rows of all tables of a page."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("| ")
    ]


@pytest.mark.parametrize("preset", BOOK.presets)
def test_the_pages_have_the_values_of_every_preset(preset: str) -> None:
    rows = cells(ROUND)
    column = next(row for row in rows if row[0] == "axis" and "classic" in row).index(preset)
    told = {row[0]: row[column] for row in rows if row[0] in BOOK.axes}
    rows = cells(PAGE)
    names = next(row for row in rows if row[0] == "preset")
    values = next(row for row in rows if row[0].startswith(f"`{preset}`"))
    told |= {"plane-kickers": "allowed", "size-cap": "20"}
    told |= {name: value for name, value in zip(names, values, strict=True) if name in BOOK.axes}
    assert told == {axis.name: str(axis.value) for axis in BOOK.preset(preset)}
