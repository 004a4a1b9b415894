"""Rule `uno-call`: calling uno with one card left."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

REQUIRED, OFF, AUTOMATIC = range(3)


@dataclass(frozen=True)
class UnoCall(Axis):
    """Calling uno with one card left."""

    value: str = "required"
    name: ClassVar[str] = "uno-call"
    choices: ClassVar[Mapping[str, str]] = {
        "required": "the player decides whether to call; one who does not can be caught",
        "off": "nobody calls",
        "automatic": "the call is made for the player",
    }
