"""Positions of one round, computed on demand, to step through in both directions."""

from collections.abc import Iterable

from cardgames.core.events import ACTION
from cardgames.core.state import State
from cardgames.support.errors import InvalidInput


class PositionHistory:
    """Positions of one round; each is computed when it is first requested."""

    def __init__(self, positions: Iterable[State]) -> None:
        """Take the positions in order; they may be one object that changes."""
        self._coming = iter(positions)
        self._reached: list[State] = []
        self._failure: Exception | None = None
        """Exception that prevents further positions, None if there is none."""

    def at(self, ply: int) -> State | None:
        """Return the position after `ply` decisions, None if there is none. Raises what computing it raises."""
        while len(self._reached) <= ply:
            if self._failure is not None:
                raise self._failure
            try:
                state = next(self._coming, None)
            except Exception as failure:
                self._failure = failure
                raise
            if state is None:
                return None
            self._reached.append(state.clone())
        return self._reached[ply] if ply >= 0 else None

    @property
    def length(self) -> int:
        """Number of decisions computed so far; the number of decisions in the round once `at` has returned None."""
        return len(self._reached) - 1

    def sequel(self, ply: int) -> str | None:
        """Return the decision taken after `ply` decisions as a sentence.

        Returns None at the end of the round, and where the next position cannot be computed.
        """
        here = self.at(ply)
        try:
            after = self.at(ply + 1)
        except InvalidInput:
            return None
        if here is None or after is None:
            return None
        rows = after.history(len(here.history()))
        return next((here.game.event_to_string(row[:3]) for row in rows if row[0] == ACTION), None)
