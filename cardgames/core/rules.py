"""Rules of a game as values: axes, rule sets, and the rule book with a game's presets.

An axis is one question that the rules answer, such as `stacking`, and has a list of possible values. A rule set has a value
for every axis of a game. `ruleset | axis` returns the rule set with one value replaced; of several changes to one axis the
last wins. Values that contradict each other raise an error that names both. Kernels do not see these objects, only the
record of plain numbers that the game makes of them (`Game.kernel_rules`).
"""

import hashlib
import json
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar

from cardgames.support.errors import InvalidInput, check_value, error_context, is_integer, short_repr, unknown_name
from cardgames.support.toml_file import read_toml


@dataclass(frozen=True)
class Axis:
    """A value chosen on a rule axis; an axis is one question that the rules answer, such as `stacking`.

    Each axis is a subclass, which defines its name and possible values.

    The docstring of the subclass describes the axis to users (property `words`).

    Raises:
        InvalidInput: If the value is not one of the axis.
    """

    value: str | int
    name: ClassVar[str]
    choices: ClassVar[Mapping[str, str]] = {}
    """Each possible value -> its description for users; empty for an axis of numbers.

    Kernels see a value as its index in this mapping.
    """
    numbers: ClassVar[range | None] = None
    """Allowed numbers, for an axis whose values are numbers; else None."""
    requires: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {}
    """Value of this axis -> name of another axis -> values of the other axis that are allowed together with it."""
    added_later: ClassVar[bool] = False
    """True if records, weights and runs made before this axis existed must stay valid.

    Such an axis has a default value that describes the behavior before it existed. Rules without the axis are read as
    having that value, and rules with that value have the same hash as before.
    """

    def __post_init__(self) -> None:
        if self.numbers is None:
            if not isinstance(self.value, str) or self.value not in self.choices:
                raise unknown_name(f"value of rule {self.name}", self.value, self.choices)
        elif not is_integer(self.value) or self.value not in self.numbers:
            raise InvalidInput(
                f"rule {self.name} is a number from {self.numbers[0]} to {self.numbers[-1]}, not {short_repr(self.value)}"
            )
        else:
            object.__setattr__(self, "value", int(self.value))  # NumPy's integers are not plain data

    @classmethod
    def parse(cls, text: object) -> "Axis":
        """Return this axis with the value that `text` names; `text` may be a number, as read from TOML.

        Raises `InvalidInput` if it is not a value of the axis.
        """
        if cls.numbers is None:
            return cls(str(text))
        try:
            return cls(int(str(text)))
        except InvalidInput:
            raise
        except ValueError:
            raise InvalidInput(
                f"rule {cls.name} is a number from {cls.numbers[0]} to {cls.numbers[-1]}, not {short_repr(text)}"
            ) from None

    @property
    def code(self) -> int:
        """The value as kernels see it: the number itself on an axis of numbers, else the index of the value in `choices`."""
        return int(self.value) if self.numbers is not None else list(self.choices).index(str(self.value))

    @property
    def words(self) -> str:
        """Text for users that describes the axis and the chosen value (the axis only, if its values are numbers)."""
        about = (type(self).__doc__ or "").strip()
        return about if self.numbers is not None else f"{about.removesuffix('.')} - {self.choices[str(self.value)]}"

    def __or__(self, other: "Axis | Variant") -> "Variant":
        return Variant((self,)) | other

    def __str__(self) -> str:
        return f"{self.name}={self.value}"


class Variant(tuple[Axis, ...]):
    """Several rule changes that are applied together: `OFFICIAL | (WildFour("any-time") | Challenge("off"))`."""

    def __or__(self, other: "Axis | Variant") -> "Variant":
        if isinstance(other, RuleSet):
            raise InvalidInput(f"a rule set comes before its changes: {other.name} | {' | '.join(map(str, self))}")
        return Variant((*self, *([other] if isinstance(other, Axis) else other)))


class RuleSet:
    """The rules of a game: one value for every axis. Immutable and hashable; the name does not count for equality.

    Raises:
        InvalidInput: If two of the values contradict each other.
    """

    def __init__(self, game: str, name: str, axes: Iterable[Axis]):
        self.game = game
        self.name = name
        self._axes = {axis.name: axis for axis in axes}
        self._check()

    def _check(self) -> None:
        for axis in self._axes.values():
            for other, allowed in axis.requires.get(str(axis.value), {}).items():
                rival = self._axes[other]
                if str(rival.value) not in allowed:
                    wanted = " or ".join(f"{other}={value}" for value in allowed)
                    raise InvalidInput(f"{axis} contradicts {rival}: it needs {wanted}")

    def __or__(self, change: Axis | Iterable[Axis]) -> "RuleSet":
        changes = list(change) if isinstance(change, Iterable) and not isinstance(change, Axis) else [change]
        if not all(isinstance(axis, Axis) for axis in changes):
            raise InvalidInput(
                f"rules are changed by axes, not by {change!r}; texts NAME=VALUE are given as overrides of a game"
            )
        axes = dict(self._axes)
        names = self.name.split("+")
        for axis in changes:
            if axis.name not in axes:
                raise unknown_name("rule", axis.name, axes)
            if axes[axis.name] != axis:
                names = [name for name in names if name != str(axes[axis.name])] + [str(axis)]
            axes[axis.name] = axis
        return RuleSet(self.game, "+".join(names), axes.values())

    def with_name(self, name: str, *changes: Axis) -> "RuleSet":
        """Return these rules with some axes changed and with a new name.

        Raises `InvalidInput` if the values contradict each other or the name is empty.
        """
        check_value("a name of rules", name, "a text, not empty", isinstance(name, str) and bool(name))
        return RuleSet(self.game, name, self | changes)

    def __getitem__(self, axis: str) -> str | int:
        return self._axes[axis].value

    def __iter__(self) -> Iterator[Axis]:
        return iter(self._axes.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleSet) and (self.game, self._axes) == (other.game, other._axes)

    def __hash__(self) -> int:
        return hash((self.game, frozenset(self._axes.values())))

    def __repr__(self) -> str:
        return f"<{self.game} rules {self.name}>"

    def codes(self) -> dict[str, int]:
        """Return a dictionary of axis name (with underscores for hyphens) -> value as a number for kernels (`Axis.code`)."""
        return {name.replace("-", "_"): axis.code for name, axis in self._axes.items()}

    def to_dict(self) -> dict[str, str | int]:
        """Return a dictionary of axis name -> value, as plain data."""
        return {name: axis.value for name, axis in self._axes.items()}

    def hashed_values(self) -> dict[str, str | int]:
        """Return axis name -> value for the axes that count for `hash`.

        These are all except the axes marked `Axis.added_later` that have their default value.
        """
        return {name: axis.value for name, axis in self._axes.items() if not axis.added_later or axis != type(axis)()}  # type: ignore[call-arg]

    def name_and_hash(self) -> dict[str, str]:
        """Return a dictionary with `name` and `hash` of the rules, by which stored results identify them."""
        return {"name": self.name, "hash": self.hash}

    @property
    def hash(self) -> str:
        """Hash of the values, 16 hexadecimal digits, by which records, results and weight files identify rules.

        It does not depend on the name of the rule set.
        """
        text = json.dumps([self.game, self.hashed_values()], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class RuleBook:
    """All rule axes and presets (rule sets with a name) of a game; reads rule sets from names, texts and TOML files."""

    game: str
    axes: Mapping[str, type[Axis]]
    presets: Mapping[str, RuleSet]

    def axis(self, name: str) -> type[Axis]:
        """Return the class of a rule axis by the name of the axis. Raises `InvalidInput` if there is none of that name."""
        try:
            return self.axes[name]
        except KeyError:
            raise unknown_name("rule", name, self.axes) from None

    def preset(self, name: str) -> RuleSet:
        """Return the rule set of a preset by its name. Raises `InvalidInput` if there is none of that name."""
        try:
            return self.presets[name]
        except KeyError:
            raise unknown_name(f"preset of {self.game}", name, self.presets) from None

    def parse(self, rules: str | PathLike[str] | RuleSet, overrides: Iterable[str | Axis] = ()) -> RuleSet:
        """Return the rule set that `rules` names or contains, changed by `overrides`.

        Contradictions between values are checked after all changes, so the order of changes does not matter.

        Args:
            rules: A rule set, the name of a preset, or a TOML file: a path, or a text with a slash or that ends in
                `.toml`. The file has `axis = value` entries and optionally `preset`, or is the `settings.toml` of a
                training run.
            overrides: Changes, as axes or texts `axis=value`, at most one for each axis.

        Raises:
            InvalidInput: If a preset, axis, value or file is not valid, or two values contradict each other.
        """
        if isinstance(overrides, str) or not isinstance(overrides, Iterable):
            raise InvalidInput(f"overrides are a list of texts NAME=VALUE, not {overrides!r}")
        changes = [change if isinstance(change, Axis) else self._parse_change(change) for change in overrides]
        for number, change in enumerate(changes):
            if any(change.name == earlier.name for earlier in changes[:number]):
                raise InvalidInput(f"rule {change.name} is given twice")
        if isinstance(rules, RuleSet):
            if rules.game != self.game:
                raise InvalidInput(f"these are rules of {rules.game}, not of {self.game}")
            return rules | changes
        if not isinstance(rules, (str, PathLike)):
            raise InvalidInput(f"rules are a preset's name, a file's path or a rule set, not {rules!r}")
        if isinstance(rules, PathLike) or rules.endswith(".toml") or "/" in rules or os.sep in rules:
            base, more = self._read(pathlib.Path(rules))
            with error_context(rules):
                return base | [*more, *changes]
        return self.preset(str(rules)) | changes

    def nearest_preset(self, rules: RuleSet, presets: Iterable[str]) -> str:
        """Return the name among `presets` whose rule set agrees with `rules` on the most axes; of several, the first one."""
        answers = rules.to_dict()

        def agreement(preset: str) -> int:
            return sum(answers[axis] == value for axis, value in self.presets[preset].to_dict().items())

        return max(presets, key=agreement)

    def _parse_change(self, text: str) -> Axis:
        name, equals, value = str(text).partition("=")
        if not equals:
            raise InvalidInput(f"a rule is written NAME=VALUE, not {short_repr(text)}")
        return self.axis(name.strip()).parse(value.strip())

    def _read(self, path: pathlib.Path) -> tuple[RuleSet, list[Axis]]:
        table = read_toml(path)
        with error_context(path):
            if isinstance(table.get("rules"), dict):
                return self._read_run(table), []
            base = self.preset(str(table.pop("preset", next(iter(self.presets)))))
            return base, [self.axis(name).parse(value) for name, value in table.items()]

    def _read_run(self, table: Mapping[str, Any]) -> RuleSet:
        """Return the rule set in `table`, the contents of the `settings.toml` of a training run."""
        game = table.get("game", self.game)
        if game != self.game:
            raise InvalidInput(f"these are rules of {game}, not of {self.game}")
        return self.from_dict(table["rules"], str(table.get("rules_name", "custom")))

    def from_dict(self, values: Mapping[str, Any], name: str = "custom") -> RuleSet:
        """Return the rule set with exactly these values (axis name -> value).

        Axes that were added later (`Axis.added_later`) may be missing and have their default value then.

        Raises:
            InvalidInput: If an axis is unknown or missing, or a value is not valid.
        """
        missing = [axis.name for axis in self.axes.values() if axis.name not in values and not axis.added_later]
        if missing:
            raise InvalidInput(f"the rules have no value for {', '.join(missing)}")
        older = [axis() for axis in self.axes.values() if axis.name not in values]  # type: ignore[call-arg]
        return RuleSet(self.game, name, [self.axis(axis).parse(values[axis]) for axis in values] + older)
