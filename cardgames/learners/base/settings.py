"""Hyperparameters as frozen dataclasses: each field has a default, a description and the values allowed."""

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from cardgames.learners.environments.collector import SEATINGS
from cardgames.learners.memory.augmentation import SYMMETRY
from cardgames.support.errors import InvalidInput, check_value, short_repr, unknown_name
from cardgames.support.toml_file import toml_value

LATEST, ALL = KEEP_CHOICES = ("latest", "all")
"""Choices of the setting `keep`, the networks that a training run saves: only the latest, or one per evaluation."""

Value = int | float | str | tuple[int, ...]

_MAX_INTEGER = 10**15
"""Greatest whole number that a setting may have: kernels count in 64 bits."""


def setting(
    default: Any,
    description: str,
    minimum: float = -math.inf,
    maximum: float = math.inf,
    choices: Iterable[str] = (),
    *,
    allow_infinite: bool = False,
    resumable: bool = False,
    affects_learning: bool = True,
) -> Any:
    """Return a dataclass field for a hyperparameter.

    Args:
        default: Default value.
        description: Meaning, for help texts.
        minimum: Smallest number allowed.
        maximum: Greatest number allowed.
        choices: Texts allowed; empty allows any.
        allow_infinite: Allow infinity.
        resumable: A resumed run may have another value, as what was learned so far does not depend on it.
        affects_learning: What is learned, or when it is evaluated, depends on the value.
    """
    metadata = {"description": description, "minimum": minimum, "maximum": maximum, "choices": tuple(choices)}
    metadata |= {"allow_infinite": allow_infinite, "resumable": resumable, "affects_learning": affects_learning}
    return dataclasses.field(default=default, metadata=metadata)


def default(settings: type["Settings"], name: str, value: Any) -> Any:
    """Return a dataclass field for a subclass: the field `name` of the class `settings` with another default, `value`."""
    return dataclasses.field(default=value, metadata=settings.__dataclass_fields__[name].metadata)


@dataclass(frozen=True)
class Settings:
    """Hyperparameters of every learner. Raises `InvalidInput` for a value out of range.

    Where a paper gives no value, the default is RLCard's, except for the network: plain layers with ReLU, initialized as
    torch's `Linear` is. RLCard's DQN has batch normalization of the inputs and tanh (`network=rlcard`), and learns far
    less with it (`benchmarks/rlcard_dqn.py`).
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {}
    """Paper number -> settings of that paper that differ from the defaults, for each paper that uses the algorithm.

    The defaults are the settings of the first paper in it.
    """

    hidden: tuple[int, ...] = setting((64, 64), "units of the hidden layers", 1, 65536)
    encoding: str = setting("4x4x15", "input of the network, one of the game's encodings (docs/reference/encodings.md)")
    symmetry: str = setting(
        "none",
        "augment: batches under random symmetries of the game; canonical: canonicalized positions",
        choices=SYMMETRY,
    )
    opponents: str = setting(
        "random", "policies or agents: NAME, FILE.safetensors, FOLDER, past; mixture: random+2*reflex"
    )
    seats: str = setting("first", "the learner's seats: first, any (drawn for each round) or all", choices=SEATINGS)
    rounds: int = setting(100_000, "rounds to play", 1, resumable=True)
    decisions: int = setting(
        0, "the learner's decisions after which training ends even before `rounds`; 0: no limit", 0, resumable=True
    )
    batch: int = setting(32, "decisions per update", 1, 1_000_000)
    learning_rate: float = setting(5e-5, "learning rate of the optimizer", 0, 1)
    evaluate: str = setting(
        "random", "opponents of evaluations, one after the other: random+rlcard-rule", affects_learning=False
    )
    evaluate_every: int = setting(1_000, "rounds between evaluations", 1)
    evaluate_games: int = setting(
        1_000, "games per evaluation and opponent", 1, 10_000_000, resumable=True, affects_learning=False
    )
    keep: str = setting(
        LATEST,
        "networks to keep: the latest, or all that were evaluated",
        choices=KEEP_CHOICES,
        resumable=True,
        affects_learning=False,
    )

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            default_value: Any = field.default
            value, metadata = _typed(field.name, getattr(self, field.name), default_value), field.metadata
            object.__setattr__(self, field.name, value)
            for part in value if isinstance(value, tuple) else (value,):
                if isinstance(part, str):
                    if metadata["choices"] and part not in metadata["choices"]:
                        raise unknown_name(field.name, part, metadata["choices"])
                else:
                    _check_number(
                        field.name,
                        part,
                        metadata["minimum"],
                        metadata["maximum"],
                        allow_infinite=metadata["allow_infinite"],
                    )

    def with_changes(self, changes: Mapping[str, object]) -> Self:
        """Return a copy of these settings with `changes`: name of a setting -> value, perhaps text as on a command line.

        Raises `InvalidInput` for an unknown setting or a value of another type.
        """
        fields = {field.name: field for field in dataclasses.fields(self)}
        for name in changes:
            if name not in fields:
                raise unknown_name("setting", name, fields)
        values: dict[str, Any] = dict(changes)
        return dataclasses.replace(self, **values)

    @classmethod
    def from_paper(cls, number: str) -> Self:
        """Return the settings that paper `number` used. Raises `InvalidInput` if it does not use this algorithm."""
        if not cls.papers:
            raise InvalidInput("no paper has this algorithm for this game")
        if number not in cls.papers:
            available = ", ".join(cls.papers)
            raise InvalidInput(f"no settings of paper {number!r} for this algorithm, only of {available}")
        return cls().with_changes(cls.papers[number])

    def to_dict(self) -> dict[str, Value]:
        """Return the value of each setting by name."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    @classmethod
    def resumable(cls) -> list[str]:
        """Return the names of the settings that may change when a run is resumed."""
        return [field.name for field in dataclasses.fields(cls) if field.metadata["resumable"]]

    @classmethod
    def not_affecting_learning(cls) -> list[str]:
        """Return the names of the settings that do not affect what is learned (except for torch's rounding)."""
        return [field.name for field in dataclasses.fields(cls) if not field.metadata["affects_learning"]]

    def describe(self) -> str:
        """Return a text with a line per setting: its value, meaning and choices."""
        return "\n".join(
            f"{field.name} = {toml_value(getattr(self, field.name))}  {field.metadata['description']}"
            + (f" [{', '.join(field.metadata['choices'])}]" if field.metadata["choices"] else "")
            for field in dataclasses.fields(self)
        )


def check_settings_class(settings: object) -> None:
    """Raise `InvalidInput` unless `settings` is a settings class with all fields made by `setting` or `default`."""
    if not (isinstance(settings, type) and issubclass(settings, Settings)):
        raise InvalidInput(f"settings_class must be a subclass of {__name__}.Settings, not {settings!r:.60}")
    if any(isinstance(value, dataclasses.Field) for value in vars(settings).values()):
        raise InvalidInput(f"{settings.__qualname__} is not a dataclass: write @dataclass(frozen=True) above it")
    for field in dataclasses.fields(settings):
        qualified_name = f"{settings.__qualname__}.{field.name}"
        if not field.metadata:
            raise InvalidInput(f"{qualified_name} must be made by {__name__}.setting, with a description")
        if getattr(settings, field.name) != field.default:
            raise InvalidInput(
                f"{qualified_name} = ... has no effect: write {field.name}: ... = default(...) in a dataclass"
            )
        check_value(
            qualified_name, field.default, "a number, a text or a tuple of whole numbers", _is_value(field.default)
        )


def _is_value(default: object) -> bool:
    if isinstance(default, tuple):
        return all(isinstance(part, int) for part in default)
    return isinstance(default, int | float | str) and not isinstance(default, bool)


def linear_schedule(start: float, end: float, fraction_done: float) -> float:
    """Interpolate linearly from `start`, at `fraction_done` 0, to `end`, at `fraction_done` 1 and above."""
    return start + min(1.0, fraction_done) * (end - start)


def _typed(name: str, value: object, default: Value) -> Value:
    """Convert the value of the setting `name`, perhaps text, to the type of its default. Raises `InvalidInput`."""
    try:
        text = str(value).strip()
        if isinstance(default, int) and not isinstance(value, bool):
            return int(text.replace("_", ""))
        if isinstance(default, float) and not isinstance(value, bool):
            return float(text)
        if isinstance(default, tuple):
            parts = value if isinstance(value, (list, tuple)) else text.strip("[]").replace("-", ",").split(",")
            return tuple(int(str(part)) for part in parts)
        if isinstance(value, str):
            return value
    except ValueError:
        pass
    kinds = {int: "a whole number", float: "a number", tuple: "whole numbers such as 64-64"}
    kind = next((words for cls, words in kinds.items() if isinstance(default, cls)), "text")
    raise InvalidInput(f"{name} is {kind}, not {short_repr(value)}")


def _check_number(name: str, number: float, low: float, high: float, *, allow_infinite: bool) -> None:
    """Raise `InvalidInput` unless the number, a value of the setting `name`, is from `low` to `high`.

    A whole number above `_MAX_INTEGER` is an error too, and infinity without `allow_infinite`.
    """
    if not low <= number <= high:
        raise InvalidInput(f"{name} is from {low:g}{f' to {high:g}' if high < math.inf else ''}, not {number}")
    if isinstance(number, int) and number > _MAX_INTEGER:
        raise InvalidInput(f"{name} is at most {_MAX_INTEGER:,}, not {number:,}")
    if number == math.inf and not allow_infinite:
        raise InvalidInput(f"{name} is a finite number from {low:g}, not {number}")


def settings_from_toml(data: Mapping[str, object]) -> Mapping[str, object]:
    """Return the settings in a parsed TOML file: the contents of its table [settings], or all keys if it has no such table.

    Raises `InvalidInput` if there are keys outside the table [settings].
    """
    if "settings" not in data:
        return data
    settings, extra_keys = data["settings"], data.keys() - {"settings"}
    if not isinstance(settings, dict):
        raise InvalidInput("settings is not a table")
    if extra_keys:
        raise InvalidInput(
            f"{min(extra_keys)} is outside the table [settings]; rules, players and seed are command-line options"
        )
    return settings
