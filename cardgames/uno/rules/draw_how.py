"""Rule `draw-how`: number of cards drawn at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

ONE_CARD, UNTIL_PLAYABLE, UNTIL_SATISFIED = range(3)


@dataclass(frozen=True)
class DrawHow(Axis):
    """Number of cards drawn at a time."""

    value: str = "one"
    name: ClassVar[str] = "draw-how"
    choices: ClassVar[Mapping[str, str]] = {
        "one": "one card",
        "until-playable": "cards until one can be played",
        "until-satisfied": "one card, then as many more as the player likes",
    }
    requires: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {"until-satisfied": {"drawn-card": ("may-play",)}}
