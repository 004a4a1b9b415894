"""What one seat knows: its information set, as a record for kernels and as rows of history."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game_definition import GameDefinition
from cardgames.support.errors import InvalidInput, check_integer_in


@dataclass(frozen=True, eq=False)
class Observation:
    """Exactly what `player` may know at this moment. An agent sees this and nothing else.

    Equal, and of one hash, are observations of games alike that tell the same.
    """

    game: GameDefinition
    player: int
    record: Any
    """The state record with everything hidden blank (what the verb `determinize` takes)."""
    origin: Any
    """The same for the moment the history began: after the deal, or the position as it was set up."""
    events: NDArray[np.int32]
    """[n, 3] kind, seat, value: the history as this seat saw it, from the deal on (`core.events.view`)."""
    first: int
    """The row of `events` that comes first after `origin`."""
    legal_actions: tuple[int, ...]
    """Legal action ids, ascending; empty unless `player` is to move."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Observation):
            return NotImplemented
        return self.game.is_same_game(other.game) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __deepcopy__(self, memo: dict[int, Any]) -> "Observation":
        """Return a copy with arrays of its own, of the same game."""
        arrays = self.record.copy(), self.origin.copy(), self.events.copy()
        return Observation(self.game, self.player, *arrays, self.first, self.legal_actions)

    def to_bytes(self) -> bytes:
        """Return all of it as bytes: equal for states that differ only in what `player` cannot know."""
        numbers = np.array([self.player, self.first, *self.legal_actions], np.int32)
        return b"".join([numbers.tobytes(), self.record.tobytes(), self.origin.tobytes(), self.events.tobytes()])

    def to_dict(self, since: int = 0) -> dict[str, Any]:
        """Return it as plain data, cards as text; hidden hands as their number of cards. The first `since` of its events are
        left out of the history. Raises `InvalidInput` if there are not so many.
        """
        events = self.events[check_integer_in("since", since, 0, len(self.events)) :]
        return self.game.observation_to_dict(replace(self, events=events))

    def __repr__(self) -> str:
        return f"<what seat {self.player} sees: {self.game.name}, {len(self.events)} events>"

    def __str__(self) -> str:
        return "\n".join(f"{name}: {value}" for name, value in self.to_dict().items())


def check_is_observation(observation: object) -> None:
    """Raise `InvalidInput` unless this is an observation."""
    if not isinstance(observation, Observation):
        raise InvalidInput(f"{observation!r:.60} is no observation: `state.observation()` is one")
