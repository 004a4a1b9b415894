"""Whether a player who passed may bid when his turn comes again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

ALLOWED, BANNED = range(2)


@dataclass(frozen=True)
class ReEntry(Axis):
    """Whether a player who passed may bid when his turn comes again."""

    value: str = "allowed"
    name: ClassVar[str] = "re-entry"
    choices: ClassVar[Mapping[str, str]] = {
        "allowed": "yes",
        "banned": "no",
    }
