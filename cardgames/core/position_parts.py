"""Check of the keyword arguments of `Game.position`: their names and types."""

from collections.abc import Iterable, Mapping, Sequence

from cardgames.support.errors import InvalidInput, check_integer, check_value, unknown_name


def check_parts(parts: Mapping[str, object], others: Mapping[str, type]) -> None:
    """Check that the keyword arguments of `Game.position` have known names and the right types.

    Args:
        parts: The keyword arguments: `hands`, a list with one hand for each seat, and optionally others.
        others: Name of each optional argument -> its type (`Game.position_parts`); None is allowed as well.

    Raises:
        InvalidInput: If `hands` is missing or not a list, an argument is unknown, or one has the wrong type.
    """
    for name in parts:
        if name not in ("hands", *others):
            raise unknown_name("part of a position", name, ("hands", *others))
    if "hands" not in parts:
        raise InvalidInput("a position needs hands")
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
