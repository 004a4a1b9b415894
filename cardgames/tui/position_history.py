"""Positions of one round to step through in both directions, each computed when it is first requested."""

from collections.abc import Iterable

from cardgames.core.events import ACTION
from cardgames.core.state import State
from cardgames.support.errors import InvalidInput


class PositionHistory:
    """Sequence of the positions of one round; each position is computed when it is first requested, then stored."""

    def __init__(self, positions: Iterable[State], *, all_cards: bool = False) -> None:
        """Read positions from an iterable, in the order of play.

        Args:
            positions: Positions; the iterable may yield one state object again and again and change it between, each
                position is cloned.
            all_cards: Whether all cards of the positions are known, so that agents that see them may be asked.
        """
        self.all_cards = all_cards
        self._coming = iter(positions)
        self._reached: list[State] = []
        self._failure: Exception | None = None
        """Exception that the iterable of positions raised; None if it raised none."""

    def at(self, ply: int) -> State | None:
        """Return the position after `ply` decisions of the round; None if there is none.

        Raises the exception that computing the position raises.
        """
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
        """Number of decisions before the last position computed so far.

        Once `at` has returned None for a later position, it is the number of decisions of the whole round.
        """
        return len(self._reached) - 1

    def sequel(self, ply: int) -> str | None:
        """Return the decision that was taken in the position after `ply` decisions, as a sentence.

        Returns None at the end of the round, and if the next position cannot be computed.
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
