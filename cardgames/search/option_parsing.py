"""Parsing and checking of the options of search agents, and the number of simulations that a `Limit` allows."""

import math
import operator
from collections.abc import Callable
from dataclasses import fields
from os import PathLike
from typing import Annotated, Any, get_args, get_origin

import numpy as np

from cardgames.agents.agent import Limit
from cardgames.networks.network import Mlp
from cardgames.support.errors import InvalidInput, is_integer, short_repr

_MAX_COUNTS = {"simulations": 100_000_000, "trees": 100_000, "leaves": 10_000, "particles": 100_000, "threads": 1000}
_MAX_VISITS = int(np.iinfo(np.int32).max)
"""Largest visit count that a tree node can hold (int32)."""


def budget(default: int, limit: Limit | None) -> tuple[int, float]:
    """Return the largest number of simulations of a search, and its time in seconds (infinite without a time limit).

    Without a limit the number of simulations is `default`. A limit on time alone allows `_MAX_VISITS` simulations, the
    largest visit count of a node.
    """
    if limit is None:
        return default, math.inf
    unlimited = default if limit.time is None else _MAX_VISITS
    simulations = unlimited if limit.simulations is None else min(_MAX_COUNTS["simulations"], int(limit.simulations))
    return simulations, math.inf if limit.time is None else limit.time


def check_count(name: str, number: int, minimum: int = 1) -> None:
    """Raise `InvalidInput` unless the option `name` is a whole number from `minimum` to its maximum in `_MAX_COUNTS`."""
    maximum = _MAX_COUNTS[name]
    if not is_integer(number) or not minimum <= number <= maximum:
        raise InvalidInput(f"{name} is a whole number from {minimum} to {maximum:,}, not {short_repr(number)}")


def check_dependent_options(options: dict[str, Any], *, network: object, particles: object) -> None:
    """Raise `InvalidInput` if `options` has a device without a network, or a `mismatch_weight` without particles."""
    for option, required, value in (("device", "a network", network), ("mismatch_weight", "particles", particles)):
        if option in options and not value:
            raise InvalidInput(f"{option} has no effect without {required}: leave it out")


def check_network(network: object) -> None:
    """Raise `InvalidInput` unless the option `network` is None, a file or name, or an `Mlp`."""
    if network is not None and not isinstance(network, (str, PathLike, Mlp)):
        raise InvalidInput(
            f"network is a file or the name of one, not {type(network).__name__}: pass a torch module to make_evaluator "
            "and its result to BatchedAgent or QTreeAgent"
        )


def check_constants(c: float, mismatch_weight: float = 0.9) -> None:
    """Raise `InvalidInput` unless `c` (exploration constant) is finite and >= 0, and `mismatch_weight` in (0, 1)."""
    if not 0 <= c < math.inf:
        raise InvalidInput(f"c is a finite number from 0, not {c}")
    if not 0 < mismatch_weight < 1:
        raise InvalidInput(f"mismatch_weight is a number between 0 and 1, not {mismatch_weight}")


def read_options(cls: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Return the `options` that are fields of the dataclass `cls`, converted from values or text to the fields' types.

    Raises:
        InvalidInput: If a value cannot be converted.
    """
    return {f.name: parse_option(f.name, f.type, options[f.name]) for f in fields(cls) if f.name in options}


def _to_int(value: Any) -> int:
    return int(value) if isinstance(value, str) else operator.index(value)


def _to_text(value: Any) -> str:
    if not isinstance(value, (str, PathLike)):
        raise TypeError
    return str(value)


def _to_bool(value: Any) -> bool:
    return {"true": True, "false": False}[str(value).lower()]


_CONVERTERS: dict[Any, tuple[Callable[[Any], Any], str]] = {
    int: (_to_int, "a whole number"),
    int | None: (lambda value: None if value is None else _to_int(value), "a whole number"),
    float: (float, "a number"),
    bool: (_to_bool, "true or false"),
    str: (_to_text, "a text"),
}


def parse_option(name: str, kind: Any, value: Any) -> Any:
    """Convert the value of an option to the type `kind`; text is parsed.

    Args:
        name: Name of the option, for error messages.
        kind: `int`, `int | None`, `float`, `bool` or `str`, perhaps within `Annotated`.
        value: Value of the option, or its text.

    Raises:
        InvalidInput: If the value cannot be converted.
    """
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    convert, expected = _CONVERTERS[kind]
    if isinstance(value, bool) and kind is not bool:
        raise InvalidInput(f"{name} is {expected}, not {value!r}")
    try:
        number = convert(value)
    except (TypeError, ValueError, KeyError, OverflowError):
        raise InvalidInput(f"{name} is {expected}, not {short_repr(value)}") from None
    if kind is float and math.isnan(number):
        raise InvalidInput(f"{name} is a number, not {value!r}")
    return number
