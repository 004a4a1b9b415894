"""Rule `draw-when`: condition under which a player may draw."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

ANY_TIME, STUCK = range(2)


@dataclass(frozen=True)
class DrawWhen(Axis):
    """Condition under which a player may draw."""

    value: str = "any-time"
    name: ClassVar[str] = "draw-when"
    choices: ClassVar[Mapping[str, str]] = {
        "any-time": "none: a player may always draw",
        "stuck": "the player can play no card",
    }
