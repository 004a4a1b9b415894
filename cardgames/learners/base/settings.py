"""Hyperparameters as frozen dataclasses: each field with its meaning, its default from a paper, and what it may be."""

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
"""The networks of a run that it keeps."""

Value = int | float | str | tuple[int, ...]

_MAX_INTEGER = 10**15
"""No whole number is greater: kernels count in 64 bits."""


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
    """Return a dataclass field: its default, what it means in words, and which values it takes.

    `allow_infinite`: infinity is one of them; `resumable`: a run may be resumed with another value, as it changes nothing that was
    learned so far; `affects_learning`: what is learned, or when that is evaluated, depends on it.
    """
    metadata = {"description": description, "minimum": minimum, "maximum": maximum, "choices": tuple(choices)}
    metadata |= {"allow_infinite": allow_infinite, "resumable": resumable, "affects_learning": affects_learning}
    return dataclasses.field(default=default, metadata=metadata)


def default(settings: type["Settings"], name: str, value: Any) -> Any:
    """Return the field `name` of other settings with another default."""
    return dataclasses.field(default=value, metadata=settings.__dataclass_fields__[name].metadata)


@dataclass(frozen=True)
class Settings:
    """What every learner is told. Raises `InvalidInput` for a value out of range.

    Where a paper is silent the defaults are RLCard's, but for the network itself: ReLU between plain layers that begin as
    torch's `Linear` does, where RLCard's DQN normalises its inputs by batches and has tanh (`network=rlcard`), and learns
    far less for it (`benchmarks/rlcard_dqn.py`).
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {}
    """What each paper that has the algorithm sets differently, by its number; but for that the defaults are the first's."""

    hidden: tuple[int, ...] = setting((64, 64), "units of the hidden layers", 1, 65536)
    encoding: str = setting("4x4x15", "what the network sees, one of the game's encodings (docs/peers.md)")
    symmetry: str = setting(
        "none", "batches seen under random symmetries of the game, or positions made canonical first", choices=SYMMETRY
    )
    opponents: str = setting(
        "random", "policies or agents: NAME, FILE.safetensors, FOLDER, past; mixed as random+2*reflex"
    )
    seats: str = setting("first", "the learner's seats: the first, any (drawn every round), all", choices=SEATINGS)
    rounds: int = setting(100_000, "rounds to play", 1, resumable=True)
    decisions: int = setting(
        0, "the learner's decisions after which training ends before that; 0: any number", 0, resumable=True
    )
    batch: int = setting(32, "decisions an update learns from", 1, 1_000_000)
    learning_rate: float = setting(5e-5, "how far a step goes", 0, 1)
    evaluate: str = setting(
        "random", "against whom evaluations are played; several as random+rlcard-rule", affects_learning=False
    )
    evaluate_every: int = setting(1_000, "rounds between evaluations", 1)
    evaluate_games: int = setting(
        1_000, "games an evaluation plays against each", 1, 10_000_000, resumable=True, affects_learning=False
    )
    keep: str = setting(
        LATEST,
        "the latest network, or all that evaluations were played of",
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
        """Return these settings with some changed; values may be text, as the command line has them.

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
        """Return the settings of a paper. Raises `InvalidInput` for one that does not have this algorithm."""
        if not cls.papers:
            raise InvalidInput("no paper has this algorithm for this game")
        if number not in cls.papers:
            known = ", ".join(cls.papers)
            raise InvalidInput(f"no settings of paper {number!r} for this algorithm, only of {known}")
        return cls().with_changes(cls.papers[number])

    def to_dict(self) -> dict[str, Value]:
        """Return setting -> value."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    @classmethod
    def resumable(cls) -> list[str]:
        """Return the settings a run may be resumed with others of."""
        return [field.name for field in dataclasses.fields(cls) if field.metadata["resumable"]]

    @classmethod
    def not_affecting_learning(cls) -> list[str]:
        """Return the settings on which nothing depends that is learned (but for how torch rounds)."""
        return [field.name for field in dataclasses.fields(cls) if not field.metadata["affects_learning"]]

    def describe(self) -> str:
        """Return all settings with their values, meanings and choices, a line each."""
        return "\n".join(
            f"{field.name} = {toml_value(getattr(self, field.name))}  {field.metadata['description']}"
            + (f" [{', '.join(field.metadata['choices'])}]" if field.metadata["choices"] else "")
            for field in dataclasses.fields(self)
        )


def check_settings_class(settings: object) -> None:
    """Raise `InvalidInput` unless this is a class of settings, all made by `setting` or `default`."""
    if not (isinstance(settings, type) and issubclass(settings, Settings)):
        raise InvalidInput(f"settings_class is a class derived from {__name__}.Settings, not {settings!r:.60}")
    if any(isinstance(value, dataclasses.Field) for value in vars(settings).values()):
        raise InvalidInput(f"{settings.__qualname__} is no dataclass: write @dataclass(frozen=True) above it")
    for field in dataclasses.fields(settings):
        qualified_name = f"{settings.__qualname__}.{field.name}"
        if not field.metadata:
            raise InvalidInput(f"{qualified_name} is made by {__name__}.setting, with its meaning")
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
    """Return what falls evenly from `start` to `end` while `fraction_done` grows from 0 to 1, and stays there."""
    return start + min(1.0, fraction_done) * (end - start)


def _typed(name: str, value: object, default: Value) -> Value:
    """Return a value, perhaps text, as the type of the default. Raises `InvalidInput`."""
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
    kinds = {int: "a whole number", float: "a number", tuple: "whole numbers: 64-64"}
    kind = next((words for cls, words in kinds.items() if isinstance(default, cls)), "text")
    raise InvalidInput(f"{name} is {kind}, not {short_repr(value)}")


def _check_number(name: str, number: float, low: float, high: float, *, allow_infinite: bool) -> None:
    """Raise `InvalidInput` unless a number lies within its bounds."""
    if not low <= number <= high:
        raise InvalidInput(f"{name} is from {low:g}{f' to {high:g}' if high < math.inf else ''}, not {number}")
    if isinstance(number, int) and number > _MAX_INTEGER:
        raise InvalidInput(f"{name} is at most {_MAX_INTEGER:,}, not {number:,}")
    if number == math.inf and not allow_infinite:
        raise InvalidInput(f"{name} is a finite number from {low:g}, not {number}")


def settings_from_toml(data: Mapping[str, object]) -> Mapping[str, object]:
    """Return what the contents of a TOML file of settings say, its table [settings] if it has one. Raises `InvalidInput`."""
    if "settings" not in data:
        return data
    found, extra_keys = data["settings"], data.keys() - {"settings"}
    if not isinstance(found, dict):
        raise InvalidInput("settings is no table")
    if extra_keys:
        raise InvalidInput(
            f"{min(extra_keys)} stands beside the table [settings], where nothing is read; rules, players and seed are options"
        )
    return found
