"""Rule `all-pass`: consequence of an auction in which every seat passes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

REDEAL, VOID = range(2)
MAX_REDEALS = 100


@dataclass(frozen=True)
class AllPass(Axis):
    """Consequence of an auction in which every seat passes."""

    value: str = "redeal"
    name: ClassVar[str] = "all-pass"
    choices: ClassVar[Mapping[str, str]] = {
        "redeal": "the cards are dealt again, at most 100 times in a round; then the round is void",
        "void": "the round is over and pays nothing",
    }
