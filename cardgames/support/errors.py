"""`InvalidInput`, the exception for invalid input from users, and checks that raise it with a one-line message."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from numbers import Integral
from typing import TypeGuard

_MAX_DIGITS = 20
"""Maximum number of digits of a number in a text.

Longer numbers are out of every range here, and Python refuses to parse thousands of digits.
"""
_MAX_SHOWN = 200
"""Maximum number of characters of a value that an error message shows; paths and lists of agents may be long."""


class InvalidInput(ValueError):
    """Exception for invalid input from a user or file; its message says in one line what is wrong and what is allowed.

    The command line prints the message and exits with code 2.
    """

    def __init__(self, message: object = ""):
        """Create the error, with all lines of `message` joined into one: values quoted in it may contain line breaks."""
        lines = str(message).splitlines()
        super().__init__(" ".join(filter(None, map(str.strip, lines))) if lines != [str(message)] else message)


@contextmanager
def error_context(source: object) -> Iterator[None]:
    """Context manager that prefixes the message of an `InvalidInput` with `source`, such as the name of a file."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{source}: {error}") from None


@contextmanager
def parsing(expected: str) -> Iterator[None]:
    """Context manager that turns exceptions of code that reads malformed data, such as `KeyError`, into `InvalidInput`.

    The message is "not {expected}: ...".
    """
    try:
        yield
    except InvalidInput:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise InvalidInput(f"not {expected}: {type(error).__name__} {error}") from None


def check_fields(subject: str, data: object, fields: Collection[str]) -> None:
    """Raise `InvalidInput` unless `data` is a dictionary with exactly the keys `fields`; messages call it `subject`."""
    if not isinstance(data, dict):
        raise InvalidInput(f"{subject} is an object of fields, not {type(data).__name__}")
    for name in data:
        if name not in fields:
            raise unknown_name(f"field of {subject}", name, fields)
    for name in fields:
        if name not in data:
            raise InvalidInput(f"{subject} has no field {name}")


def check_value(name: str, value: object, expected: str, is_valid: bool) -> None:
    """Raise `InvalidInput` with the message "{name} is {expected}, not {value}" unless `is_valid` is True."""
    if not is_valid:
        raise InvalidInput(f"{name} is {expected}, not {short_repr(value)}")


def is_list_of(kind: type, value: object) -> bool:
    """Return whether `value` is a list of instances of `kind`."""
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def unknown_name(kind: str, name: object, allowed: Iterable[object]) -> InvalidInput:
    """Return an `InvalidInput` for an unknown name; its message has the allowed names and a guess at the intended one.

    Args:
        kind: Description of what the name should be, for the message.
        name: The unknown name.
        allowed: Names that would have been valid.
    """
    names = [str(choice) for choice in allowed]
    lower = {choice.lower(): choice for choice in names}
    text = name if isinstance(name, str) else short_repr(name)
    matches = get_close_matches(text.lower(), lower, n=1)
    guess = f"did you mean {lower[matches[0]]}? " if matches else ""
    return InvalidInput(f"unknown {kind} {short_repr(text)}: {guess}choose from {', '.join(names)}")


def short_repr(value: object) -> str:
    """Return the `repr` of a value, cut off after about `_MAX_SHOWN` characters."""
    if isinstance(value, str) and len(value) > _MAX_SHOWN:
        return repr(f"{value[:_MAX_SHOWN]}...")
    try:
        text = repr(value)
    except ValueError:  # an integer with too many digits for Python to print
        return "one of thousands of digits"
    return text if isinstance(value, str) or len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."


def parse_integer(text: str) -> int | None:
    """Return a text of digits as an int; None for any other text and for more than `_MAX_DIGITS` digits."""
    return int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else None


def is_integer(number: object) -> TypeGuard[int]:
    """Return whether `number` is a whole number of Python or NumPy; False for booleans and for floats such as 2.0."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def check_integer(subject: str, number: object) -> int:
    """Return `number` as an int. Raises `InvalidInput` ("{subject} is a whole number, not ...") if it is not one."""
    if is_integer(number):
        return int(number)
    raise InvalidInput(f"{subject} is a whole number, not {short_repr(number)}")


def check_integer_in(subject: str, number: object, minimum: int, maximum: int) -> int:
    """Return `number` as an int. Raises `InvalidInput` if it is not a whole number in [`minimum`, `maximum`]."""
    if is_integer(number) and minimum <= number <= maximum:
        return int(number)
    raise InvalidInput(f"{subject} is a whole number from {minimum} to {maximum}, not {short_repr(number)}")


def check_seat(subject: str, number: object, players: int) -> int:
    """Return `number` as an int. Raises `InvalidInput` if it is not a seat from 0 to `players` - 1."""
    if is_integer(number) and 0 <= number < players:
        return int(number)
    raise InvalidInput(f"{subject} is a seat from 0 to {players - 1}, not {short_repr(number)}")
