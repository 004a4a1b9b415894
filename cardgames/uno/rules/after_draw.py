"""Rule `after-draw`: cards that may be played after drawing in the same turn."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

DRAWN_ONLY, ANY_CARD = range(2)


@dataclass(frozen=True)
class AfterDraw(Axis):
    """Cards that may be played after drawing in the same turn."""

    value: str = "drawn-only"
    name: ClassVar[str] = "after-draw"
    choices: ClassVar[Mapping[str, str]] = {
        "drawn-only": "the drawn card only",
        "any-card": "any card that can be played; otherwise pass",
    }
    requires: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {"any-card": {"drawn-card": ("may-play",)}}
