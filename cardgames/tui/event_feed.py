"""What happens in a round, in sentences, for those who look on."""

import re
from collections.abc import Callable, Iterable

from cardgames.core.events import ACTION, PUBLIC, EventRow, view
from cardgames.core.state import State


class EventFeed:
    """A round as a person at the table, or a spectator, saw it; goes on where it was left, however long the round is."""

    def __init__(
        self, state: State, person: int | None, hidden_events: frozenset[int], name: Callable[[int], str]
    ) -> None:
        """`person`: the seat whose eyes these are, None a spectator's; `hidden_events`: kinds of events that are left out;
        `name`: what a seat is called.
        """
        self.state, self._person, self._untold, self._name = state, person, hidden_events, name
        self._read = 0
        """Rows of the history."""
        self._noticed = 0
        self._lines: list[str] = []
        self._last, self._times = "", 0
        """The sentence of the last line, and how often it stands there."""

    def lines(self, start: int = 0) -> list[str]:
        """Return a line for each thing that happened, the first `start` left out; what a move leads to several times over is
        counted.
        """
        self._go_on()
        return self._lines[start:]

    def noticed(self) -> int:
        """Return how many things have happened that this person could notice."""
        self._go_on()
        return self._noticed

    def _go_on(self) -> None:
        rows = self.state.history(self._read)
        seen = self._seen(row for row in rows if row[0] not in self._untold)
        told = [(row[0], self._told(self.state.game.event_to_string(row))) for row in seen]
        self._read += len(rows)
        self._noticed += len(told)
        for kind, sentence in told:
            self._add(kind, sentence)

    def _seen(self, rows: Iterable[EventRow]) -> Iterable[EventRow]:
        if self._person is None:
            return rows
        return [(int(kind), int(seat), int(value), PUBLIC) for kind, seat, value in view(rows, self._person)]

    def _add(self, kind: int, sentence: str) -> None:
        # a move is a line of its own: lines that were read once stay as they are
        if kind != ACTION and self._lines and sentence == self._last:
            self._times += 1
            self._lines[-1] = f"{sentence} (x{self._times})"
        else:
            self._last, self._times = sentence, 1
            self._lines.append(sentence)

    def _told(self, sentence: str) -> str:
        """Put names for seats, and the person in the second person: `seat 0 draws r5` becomes `you draw r5`."""
        if self._person is not None:
            sentence = re.sub(rf"\bseat {self._person} is\b", "you are", sentence)
            sentence = re.sub(rf"\bseat {self._person} (\w+)s\b", r"you \1", sentence)
        sentence = re.sub(r"\bseats (\d+) and (\d+)\b", r"seat \1 and seat \2", sentence)
        return re.sub(r"\bseat (\d+)\b", lambda found: self._name(int(found[1])), sentence)
