"""Checks what a position is set up from (`Game.position`): the names of its parts, and their kinds."""

from collections.abc import Iterable, Mapping, Sequence

from cardgames.support.errors import InvalidInput, check_integer, check_value, unknown_name


def check_parts(parts: Mapping[str, object], others: Mapping[str, type]) -> None:
    """Raise `InvalidInput` unless a position is set up from `hands`, one for each seat, and from such `others` alone, which
    are of the kinds told (`Game.position_parts`) or None.
    """
    for name in parts:
        if name not in ("hands", *others):
            raise unknown_name("part of a position", name, ("hands", *others))
    if "hands" not in parts:
        raise InvalidInput("a position says nothing of hands")
    hands = parts["hands"]
    listed = isinstance(hands, Sequence) and not isinstance(hands, (str, bytes))
    check_value("hands", hands, "a list with a hand for each seat", listed)
    for name, kind in others.items():
        if parts.get(name) is not None:
            _check_part(name, parts[name], kind)


def _check_part(name: str, value: object, kind: type) -> None:
    if kind is int:
        check_integer(name, value)
    elif kind is str:
        check_value(name, value, "a text", isinstance(value, str))
    else:
        check_value(name, value, "a text or a list", isinstance(value, Iterable))
