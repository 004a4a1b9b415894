"""Rule `reverse-two`: effect of a reverse with two players."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

SKIP_TURN, FLIP = range(2)


@dataclass(frozen=True)
class ReverseTwo(Axis):
    """Effect of a reverse with two players."""

    value: str = "skip"
    name: ClassVar[str] = "reverse-two"
    choices: ClassVar[Mapping[str, str]] = {
        "skip": "it acts as a skip: the same player moves again",
        "flip": "it only changes the direction: the other player moves",
    }
