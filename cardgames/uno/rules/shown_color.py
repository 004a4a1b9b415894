"""Which colour an observation shows for a wild on top."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

DECLARED, PRINTED = range(2)


@dataclass(frozen=True)
class ShownColor(Axis):
    """Which colour an observation shows for a wild on top."""

    value: str = "declared"
    name: ClassVar[str] = "shown-color"
    choices: ClassVar[Mapping[str, str]] = {
        "declared": "the colour in force",
        "printed": "the colour printed on the card, as RLCard shows it (legal actions still follow the colour in force)",
    }
