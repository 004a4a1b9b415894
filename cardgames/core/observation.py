"""`Observation`: everything one seat knows about a round, as a record for kernels and an array of the events it saw."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game_definition import GameDefinition
from cardgames.support.errors import InvalidInput, check_integer_in


@dataclass(frozen=True, eq=False)
class Observation:
    """Everything that one seat may know at this moment, and the only thing an agent sees.

    Two observations are equal, with equal hashes, if their games have the same rules and players and all data are
    equal.
    """

    game: GameDefinition
    player: int
    """Seat whose observation this is."""
    record: Any
    """State record in which everything hidden from `player` is blank; the verbs of `core.ops` take it as `observation`."""
    origin: Any
    """Observation record as of the start of the history: right after the deal, or of the position that was set up."""
    events: NDArray[np.int32]
    """[n, 3] kind, seat and value of each event since the deal, as this seat saw it (`core.events.view`)."""
    first: int
    """Index of the first row of `events` that happened after the position `origin`."""
    legal_actions: tuple[int, ...]
    """Legal action ids, ascending; empty unless `player` is to move."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Observation):
            return NotImplemented
        return self.game.is_same_game(other.game) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __deepcopy__(self, memo: dict[int, Any]) -> "Observation":
        """Return a copy of the observation with its own arrays and the same game object."""
        arrays = self.record.copy(), self.origin.copy(), self.events.copy()
        return Observation(self.game, self.player, *arrays, self.first, self.legal_actions)

    def to_bytes(self) -> bytes:
        """Return everything except the game as bytes, equal for states that differ only in what `player` cannot know."""
        numbers = np.array([self.player, self.first, *self.legal_actions], np.int32)
        return b"".join([numbers.tobytes(), self.record.tobytes(), self.origin.tobytes(), self.events.tobytes()])

    def to_dict(self, since: int = 0) -> dict[str, Any]:
        """Return the observation as plain data: cards as text, hidden hands as their number of cards.

        The history leaves out the first `since` events. Raises `InvalidInput` if `since` is not in [0, number of
        events].
        """
        events = self.events[check_integer_in("since", since, 0, len(self.events)) :]
        return self.game.observation_to_dict(replace(self, events=events))

    def __repr__(self) -> str:
        return f"<observation of seat {self.player}: {self.game.name}, {len(self.events)} events>"

    def __str__(self) -> str:
        return "\n".join(f"{name}: {value}" for name, value in self.to_dict().items())


def check_is_observation(observation: object) -> None:
    """Raise `InvalidInput` unless `observation` is an `Observation`."""
    if not isinstance(observation, Observation):
        raise InvalidInput(f"{observation!r:.60} is not an observation: `state.observation()` returns one")
