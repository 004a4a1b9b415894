"""Rule `shown-color`: color that an observation shows for a wild on top of the discard pile."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

DECLARED, PRINTED = range(2)


@dataclass(frozen=True)
class ShownColor(Axis):
    """Color that an observation shows for a wild on top."""

    value: str = "declared"
    name: ClassVar[str] = "shown-color"
    choices: ClassVar[Mapping[str, str]] = {
        "declared": "the color in force",
        "printed": "the color printed on the card, as in RLCard (legal actions still follow the color in force)",
    }
