"""The one exception for what a person got wrong; the command line prints its text as one line and exits with code 2."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from numbers import Integral
from typing import TypeGuard

_MAX_DIGITS = 20
"""A longer number is more than anything here can be, and of thousands of digits Python reads none."""
_MAX_SHOWN = 200
"""So many characters of what was given are shown; paths and lists of agents may be long."""


class InvalidInput(ValueError):
    """Something given from outside is wrong; the message says what, and what is allowed, in one line."""

    def __init__(self, message: object = ""):
        """Keep the message to its line, whatever what was given brings into it."""
        lines = str(message).splitlines()
        super().__init__(" ".join(filter(None, map(str.strip, lines))) if lines != [str(message)] else message)


@contextmanager
def error_context(what: object) -> Iterator[None]:
    """Say of what is wrong within that it is in `what`, as a file. Raises `InvalidInput`."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{what}: {error}") from None


@contextmanager
def parsing(what: str) -> Iterator[None]:
    """Say of data that hold something else, or too little, that they are not `what`. Raises `InvalidInput`."""
    try:
        yield
    except InvalidInput:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise InvalidInput(f"not {what}: {type(error).__name__} {error}") from None


def check_fields(what: str, data: object, fields: Collection[str]) -> None:
    """Raise `InvalidInput` unless `data` is a dictionary with just these `fields`; `what` is what it stands for."""
    if not isinstance(data, dict):
        raise InvalidInput(f"{what} is an object of fields, not {type(data).__name__}")
    for name in data:
        if name not in fields:
            raise unknown_name(f"field of {what}", name, fields)
    for name in fields:
        if name not in data:
            raise InvalidInput(f"{what} has no field {name}")


def check_value(name: str, value: object, expected: str, is_valid: bool) -> None:
    """Raise `InvalidInput` for the field `name` whose `value` is not what the `expected` say."""
    if not is_valid:
        raise InvalidInput(f"{name} is {expected}, not {short_repr(value)}")


def is_list_of(kind: type, value: object) -> bool:
    """Return whether something is a list of this kind of things alone."""
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def unknown_name(what: str, given: object, allowed: Iterable[object]) -> InvalidInput:
    """Return the error for a name that is not among `allowed`; the likeliest is said first."""
    names = [str(name) for name in allowed]
    lower = {name.lower(): name for name in names}
    text = given if isinstance(given, str) else short_repr(given)
    matches = get_close_matches(text.lower(), lower, n=1)
    guess = f"did you mean {lower[matches[0]]}? " if matches else ""
    return InvalidInput(f"unknown {what} {short_repr(text)}: {guess}choose from {', '.join(names)}")


def short_repr(given: object) -> str:
    """Return what was given as Python writes it, of what is very long the beginning."""
    if isinstance(given, str) and len(given) > _MAX_SHOWN:
        return repr(f"{given[:_MAX_SHOWN]}...")
    try:
        text = repr(given)
    except ValueError:  # a number, which Python writes up to some thousands of digits
        return "one of thousands of digits"
    return text if isinstance(given, str) or len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."


def parse_integer(text: str) -> int | None:
    """Return the whole number that a text of digits is; None for any other text and for one that is beyond all use here."""
    return int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else None


def is_integer(number: object) -> TypeGuard[int]:
    """Return whether something is a whole number; numpy's are, booleans are not."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def check_integer(what: str, number: object) -> int:
    """Return a whole number. Raises `InvalidInput`, saying what it was to be, for anything else."""
    if is_integer(number):
        return int(number)
    raise InvalidInput(f"{what} is a whole number, not {short_repr(number)}")


def check_integer_in(what: str, number: object, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`. Raises `InvalidInput`, saying so, for anything else."""
    if is_integer(number) and least <= number <= most:
        return int(number)
    raise InvalidInput(f"{what} is a whole number from {least} to {most}, not {short_repr(number)}")


def check_seat(what: str, number: object, players: int) -> int:
    """Return a seat at a table of so many players. Raises `InvalidInput`, saying so, for anything else."""
    if is_integer(number) and 0 <= number < players:
        return int(number)
    raise InvalidInput(f"{what} is a seat from 0 to {players - 1}, not {short_repr(number)}")
