"""The one exception for what a person got wrong; the command line prints its text as one line and exits with code 2."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from numbers import Integral
from typing import TypeGuard

_MOST_DIGITS = 20
"""A longer number is more than anything here can be, and of thousands of digits Python reads none."""
_MOST_SHOWN = 200
"""So many characters of what was given are shown; paths and lists of agents may be long."""


class InvalidInput(ValueError):
    """Something given from outside is wrong; the message says what, and what is allowed, in one line."""

    def __init__(self, message: object = ""):
        """Keep the message to its line, whatever what was given brings into it."""
        lines = str(message).splitlines()
        super().__init__(" ".join(filter(None, map(str.strip, lines))) if len(lines) > 1 else message)


@contextmanager
def naming(what: object) -> Iterator[None]:
    """Say of what is wrong within that it is in `what`, as a file. Raises `InvalidInput`."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{what}: {error}") from None


def check_fields(what: str, data: object, fields: Collection[str]) -> None:
    """Raise `InvalidInput` unless `data` is a dictionary with just these `fields`; `what` is what it stands for."""
    if not isinstance(data, dict):
        raise InvalidInput(f"{what} is an object of fields, not {type(data).__name__}")
    for name in data:
        if name not in fields:
            raise unknown(f"field of {what}", name, fields)
    for name in fields:
        if name not in data:
            raise InvalidInput(f"{what} says nothing of {name}")


def check_parts(parts: Mapping[str, object], others: Mapping[str, type]) -> None:
    """Raise `InvalidInput` unless a position is set up from `hands`, one for each seat, and from such `others` alone, which
    are of the kinds told (`Game.position_parts`) or None.
    """
    for name in parts:
        if name not in ("hands", *others):
            raise unknown("part of a position", name, ("hands", *others))
    if "hands" not in parts:
        raise InvalidInput("a position says nothing of hands")
    hands = parts["hands"]
    listed = isinstance(hands, Sequence) and not isinstance(hands, (str, bytes))
    check_kind("hands", hands, "a list with a hand for each seat", listed)
    for name, kind in others.items():
        if parts.get(name) is not None:
            _check_part(name, parts[name], kind)


def _check_part(name: str, value: object, kind: type) -> None:
    if kind is int:
        whole(name, value)
    elif kind is str:
        check_kind(name, value, "a text", isinstance(value, str))
    else:
        check_kind(name, value, "a text or a list", isinstance(value, Iterable))


def check_kind(name: str, value: object, words: str, fits: bool) -> None:
    """Raise `InvalidInput` for the field `name` whose `value` is not what the `words` say."""
    if not fits:
        shown = repr(value[:60]) if isinstance(value, str) else " ".join(repr(value).split())[:60]
        raise InvalidInput(f"{name} is {words}, not {shown}")


def unknown(what: str, given: object, allowed: object) -> InvalidInput:
    """Return the error for a name that is not among `allowed` (an iterable of names); the likeliest is said first."""
    names = [str(name) for name in allowed]  # type: ignore[attr-defined]
    lower = {name.lower(): name for name in names}
    meant = get_close_matches(str(given).lower(), lower, n=1)
    guess = f"did you mean {lower[meant[0]]}? " if meant else ""
    return InvalidInput(f"unknown {what} {shortened(str(given))}: {guess}choose from {', '.join(names)}")


def shortened(given: object) -> str:
    """Return what was given as Python writes it, of what is very long the beginning."""
    if isinstance(given, str) and len(given) > _MOST_SHOWN:
        return repr(f"{given[:_MOST_SHOWN]}...")
    try:
        text = repr(given)
    except ValueError:  # a number, which Python writes up to some thousands of digits
        return "one of thousands of digits"
    return text if isinstance(given, str) or len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def read_whole(text: str) -> int | None:
    """Return the whole number that a text of digits is; None for any other text and for one that is beyond all use here."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


def is_whole(number: object) -> TypeGuard[int]:
    """Return whether something is a whole number; numpy's are, booleans are not."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def whole(what: str, number: object) -> int:
    """Return a whole number. Raises `InvalidInput`, saying what it was to be, for anything else."""
    if is_whole(number):
        return int(number)
    raise InvalidInput(f"{what} is a whole number, not {shortened(number)}")


def within(what: str, number: object, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`. Raises `InvalidInput`, saying so, for anything else."""
    if is_whole(number) and least <= number <= most:
        return int(number)
    raise InvalidInput(f"{what} is a whole number from {least} to {most}, not {shortened(number)}")


def check_seat(what: str, number: object, players: int) -> int:
    """Return a seat at a table of so many players. Raises `InvalidInput`, saying so, for anything else."""
    if is_whole(number) and 0 <= number < players:
        return int(number)
    raise InvalidInput(f"{what} is a seat from 0 to {players - 1}, not {shortened(number)}")
