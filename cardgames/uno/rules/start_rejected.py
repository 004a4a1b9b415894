"""Rule `start-rejected`: place of a turned-up card that the rule `start` does not allow as start card."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

RESHUFFLE, BURY = range(2)


@dataclass(frozen=True)
class StartRejected(Axis):
    """Place of a turned-up card that may not start."""

    value: str = "reshuffle"
    name: ClassVar[str] = "start-rejected"
    choices: ClassVar[Mapping[str, str]] = {
        "reshuffle": "a random place in the draw pile",
        "bury": "the discard pile, under the start card",
    }
