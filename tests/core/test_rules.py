"""Tests of rules as values: composition, contradictions, reading from text and TOML, names and hashes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from cardgames.core.rules import Axis, RuleBook, RuleSet, Variant
from cardgames.doudizhu import rules as doudizhu
from cardgames.support.errors import InvalidInput
from cardgames.support.toml_file import write_toml
from cardgames.uno import rules
from cardgames.uno.rules import BOOK, COMMON, OFFICIAL, SIMPLIFIED
from tests.uno.tables import PRESETS

HASHES = {
    "official": "3e2cb42b461c9e4b",
    "common": "3303a5dab34199c4",
    "simplified": "a9485ed20ee8b58e",
    "rlcard": "fb2de6bb3d392d4e",
    "rlcard-2022": "ddc4b7ba1ca8ee7a",
}
"""Hashes in records and weight files. If one changes, files of older versions are refused."""


def test_last_change_wins_and_original_is_unchanged() -> None:
    changed = OFFICIAL | rules.Stacking("same") | rules.Stacking("any") | rules.SevenZero()
    assert (changed["stacking"], changed["seven-zero"], changed["match"]) == ("any", "both", "symbol")
    assert (OFFICIAL["stacking"], OFFICIAL["seven-zero"]) == ("none", "none")


def test_name_lists_changes() -> None:
    assert (OFFICIAL | rules.Stacking("same")).name == "official+stacking=same"
    assert (OFFICIAL | rules.Stacking("none")).name == "official"
    assert str(rules.HandSize(5)) == "hand-size=5"
    assert type(rules.HandSize(np.int64(5)).value) is int, "NumPy integers become Python integers"
    changed = OFFICIAL | rules.Stacking("same") | rules.HandSize(5) | rules.Stacking("any")
    assert changed.name == "official+hand-size=5+stacking=any"


def test_axes_combine_to_variant() -> None:
    variant = rules.WildFour("any-time") | rules.Challenge("off")
    assert isinstance(variant, Variant) and len(variant | rules.JumpIn()) == 3
    # either of the two alone contradicts the official rules; together they do not
    assert (OFFICIAL | variant)["wild-four"] == "any-time"


def test_rule_sets_are_equal_by_value() -> None:
    same = OFFICIAL | rules.Payoff("win-loss")
    assert same == COMMON and hash(same) == hash(COMMON) and same.hash == COMMON.hash
    assert same.name != COMMON.name and same != OFFICIAL and OFFICIAL != "official"
    assert {same, COMMON} == {COMMON}
    backwards = BOOK.from_dict(dict(reversed(COMMON.to_dict().items())))
    assert backwards == COMMON and hash(backwards) == hash(COMMON)


@pytest.mark.parametrize(
    ("base", "change", "both"),
    [
        (OFFICIAL, rules.WildFour("no-color"), ("challenge=victim", "wild-four=no-color")),
        (SIMPLIFIED, rules.Challenge("victim"), ("challenge=victim", "wild-four=any-time")),
        (SIMPLIFIED, rules.DrawnCard("keep"), ("drawn-card=keep", "after-draw=any-card|draw-how=until-satisfied")),
        (
            COMMON | rules.DrawHow("until-playable"),
            rules.DrawnCard("rlcard"),
            ("draw-how=until-playable", "drawn-card=rlcard"),
        ),
    ],
)
def test_contradiction_names_both_values(base: RuleSet, change: Axis, both: tuple[str, str]) -> None:
    for part in both:
        with pytest.raises(InvalidInput, match=part):
            base | change


@pytest.mark.parametrize("name", list(BOOK.axes))
def test_every_axis_has_descriptions_and_codes(name: str) -> None:
    axis = BOOK.axes[name]
    assert axis.__doc__ and axis.name == name
    if axis.numbers is None:
        values = list(axis.choices)
        assert [axis(value).code for value in values] == list(range(len(values)))
        assert all(axis(value).words for value in values)
    else:
        assert axis(axis.numbers[-1]).code == axis.numbers[-1] and axis(axis.numbers[0]).words
    for value, demands in axis.requires.items():
        assert value in axis.choices
        for other, allowed in demands.items():
            assert allowed and set(allowed) <= set(BOOK.axes[other].choices)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stacking=sometimes", "unknown value of rule stacking 'sometimes': choose from none, same, up, any"),
        ("staking=same", "unknown rule 'staking': did you mean stacking? choose from hand-size, start"),
        ("stacking", "a rule is written NAME=VALUE, not 'stacking'"),
        ("hand-size=0", "rule hand-size is a number from 1 to 20, not 0"),
        ("hand-size=many", "rule hand-size is a number from 1 to 20, not 'many'"),
        ("hand-size=2.5", "rule hand-size is a number from 1 to 20, not '2.5'"),
        ("hand-size=", "rule hand-size is a number from 1 to 20, not ''"),
    ],
)
def test_invalid_change_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        BOOK.parse("official", [text])
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [True, 2.0, None, "7"])
def test_non_integer_value_of_numeric_axis_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match="hand-size"):
        rules.HandSize(value)  # type: ignore[arg-type]


def test_unknown_preset_is_refused_with_suggestion() -> None:
    message = r"unknown preset of uno 'offical': did you mean official\? choose from official, common"
    with pytest.raises(InvalidInput, match=message):
        BOOK.parse("offical")


def test_order_of_overrides_does_not_matter() -> None:
    first = BOOK.parse("official", ["challenge=off", "wild-four=any-time", " hand-size = 5 "])
    assert first == BOOK.parse("official", ["wild-four=any-time", "hand-size=5", "challenge=off"])
    assert first["hand-size"] == 5


def test_toml_file_with_overrides(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('preset = "common"\nstacking = "same"\nhand-size = 5\n', encoding="utf-8")
    read = BOOK.parse(str(path), ["jump-in=identical"])
    assert read == COMMON | rules.Stacking("same") | rules.HandSize(5) | rules.JumpIn()
    path.write_text('stacking = "up"\n', encoding="utf-8")
    assert BOOK.parse(str(path)) == OFFICIAL | rules.Stacking("up")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"stacking = same", "is not valid TOML"),
        (b"\xff\xfe", "is not valid TOML"),
        (b'preset = "x"', "unknown preset of uno 'x'"),
        (b'stakcing = "same"', "unknown rule 'stakcing'"),
        (b"stacking = 3", "unknown value of rule stacking '3'"),
        (b"hand-size = true", "rule hand-size is a number"),
        (b"hand-size = 1.5", "rule hand-size is a number"),
        (b"[stacking]\nvalue = 1", "unknown value of rule stacking"),
        (b'wild-four = "no-color"', "challenge=victim contradicts wild-four=no-color"),
    ],
)
def test_invalid_toml_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=message):
        BOOK.parse(str(path))


def test_missing_toml_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"cannot read .*nowhere\.toml"):
        BOOK.parse(str(tmp_path / "nowhere.toml"))


def test_with_name_renames_changed_rules() -> None:
    house = COMMON.with_name("house", rules.Stacking("same"))
    assert house.name == "house" and house == COMMON | rules.Stacking("same") and COMMON.name == "common"
    with pytest.raises(InvalidInput, match="a name of rules is a text"):
        COMMON.with_name("")


def test_from_dict_reads_to_dict_and_refuses_missing_axes() -> None:
    values = SIMPLIFIED.to_dict()
    assert BOOK.from_dict(values) == SIMPLIFIED
    with pytest.raises(InvalidInput, match="the rules have no value for stacking"):
        BOOK.from_dict({name: value for name, value in values.items() if name != "stacking"})
    with pytest.raises(InvalidInput, match="unknown rule 'extra'"):
        BOOK.from_dict(values | {"extra": 1})


def test_hashes_are_stable() -> None:
    assert {name: BOOK.presets[name].hash for name in PRESETS} == HASHES


@dataclass(frozen=True)
class FourCards(Axis):
    """An axis that was added later."""

    value: int = 4
    name: ClassVar[str] = "four-cards"
    numbers: ClassVar[range] = range(1, 9)
    added_later: ClassVar[bool] = True


def test_axis_added_later_keeps_old_hashes_and_files() -> None:
    presets = {name: RuleSet("uno", name, [*preset, FourCards()]) for name, preset in BOOK.presets.items()}
    rule_book = RuleBook("uno", {**BOOK.axes, "four-cards": FourCards}, presets)
    assert {name: preset.hash for name, preset in rule_book.presets.items()} == HASHES
    assert rule_book.from_dict(COMMON.to_dict()) == presets["common"]
    assert presets["common"].to_dict()["four-cards"] == 4
    more = rule_book.parse("common", ["four-cards=6"])
    assert more.hash != HASHES["common"] and rule_book.from_dict(more.to_dict()) == more
    assert more.hashed_values() == presets["common"].hashed_values() | {"four-cards": 6}
    with pytest.raises(InvalidInput, match="the rules have no value for stacking"):
        rule_book.from_dict({name: value for name, value in COMMON.to_dict().items() if name != "stacking"})


def test_hash_depends_on_every_value() -> None:
    hashes = {rules_.hash for rules_ in BOOK.presets.values()}
    changed = 0
    for axis in BOOK.axes.values():
        values = axis.numbers[:3] if axis.numbers is not None else axis.choices
        for value in values:
            try:
                other = SIMPLIFIED | axis(value)
            except InvalidInput:
                continue
            if other != SIMPLIFIED:
                hashes.add(other.hash)
                changed += 1
    assert len(hashes) == len(PRESETS) + changed


def test_invalid_rules_and_overrides_are_refused(tmp_path: Path) -> None:
    refused: list[tuple[Any, Any, str]] = [
        (SIMPLIFIED, "stacking=same", "overrides are a list of texts"),
        (doudizhu.CLASSIC, (), "these are rules of doudizhu, not of uno"),
        ({"stacking": "same"}, (), "rules are a preset's name, a file's path or a rule set"),
        (5, (), "rules are a preset's name"),
        ("common", ["stacking=same", "hand-size=5", "stacking=any"], "rule stacking is given twice"),
    ]
    for base, changes, message in refused:
        with pytest.raises(InvalidInput, match=message):
            BOOK.parse(base, changes)
    with pytest.raises(InvalidInput, match=r"unknown value of rule stacking \"\['same'\]\""):
        rules.Stacking(["same"])  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="rules are changed by axes, not by 'stacking=same'"):
        COMMON | "stacking=same"  # type: ignore[operator]
    with pytest.raises(InvalidInput, match=r"a rule set comes before its changes: common \| stacking=same"):
        rules.Stacking("same") | COMMON  # type: ignore[operator]


def test_parse_accepts_paths_axes_and_settings_files(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('preset = "common"\njump-in = "none"\n')
    read = BOOK.parse(tmp_path / "mine.toml", [rules.Stacking("any")])
    assert read == BOOK.parse(str(tmp_path / "mine.toml"), ["stacking=any"])
    path = tmp_path / "settings.toml"
    write_toml(path, {"game": "uno", "rules_name": "mine", "rules": COMMON.to_dict() | {"hand-size": 3}})
    assert BOOK.parse(path) == COMMON | rules.HandSize(3) and BOOK.parse(path).name == "mine", (
        "the settings of a training run"
    )
    with pytest.raises(InvalidInput, match=r"settings\.toml: these are rules of doudizhu, not of uno"):
        path.write_text(path.read_text().replace('"uno"', '"doudizhu"'))
        BOOK.parse(path)
    (tmp_path / "rules").write_text('preset = "common"\n')
    assert BOOK.parse(str(tmp_path / "rules")) == BOOK.parse(tmp_path / "rules") == COMMON, (
        "a text with a slash is a path"
    )
