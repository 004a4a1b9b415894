"""When a player may draw."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

ANY_TIME, STUCK = range(2)


@dataclass(frozen=True)
class DrawWhen(Axis):
    """When a player may draw."""

    value: str = "any-time"
    name: ClassVar[str] = "draw-when"
    choices: ClassVar[Mapping[str, str]] = {
        "any-time": "whenever he likes",
        "stuck": "only when he can play no card",
    }
