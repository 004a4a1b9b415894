"""A round one can go through position by position, forward and back."""

from collections.abc import Iterable

from cardgames.core.events import ACTION
from cardgames.core.state import State
from cardgames.support.errors import InvalidInput


class PositionHistory:
    """The positions of one round; those not reached yet are reached when somebody asks for them."""

    def __init__(self, positions: Iterable[State]) -> None:
        """Take the positions in order; they may be one and the same object, changed."""
        self._coming = iter(positions)
        self._reached: list[State] = []
        self._failure: Exception | None = None
        """Why no more positions can be reached, where that is not the round's end."""

    def at(self, ply: int) -> State | None:
        """Return the position after `ply` decisions, None if there is none. Raises what reaching it raises."""
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
        """The number of decisions reached so far: of all there are, once `at` has returned None."""
        return len(self._reached) - 1

    def sequel(self, ply: int) -> str | None:
        """Return what was decided in this round after `ply` decisions, as a sentence; None at its end, and where nobody can
        tell how it goes on.
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
