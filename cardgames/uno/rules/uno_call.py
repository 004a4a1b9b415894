"""Whether one has to call uno on coming down to one card."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

REQUIRED, OFF, AUTOMATIC = range(3)


@dataclass(frozen=True)
class UnoCall(Axis):
    """Whether one has to call uno on coming down to one card."""

    value: str = "required"
    name: ClassVar[str] = "uno-call"
    choices: ClassVar[Mapping[str, str]] = {
        "required": "the player decides to call; who does not can be caught",
        "off": "nobody calls",
        "automatic": "the call is made for him",
    }
