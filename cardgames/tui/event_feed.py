"""Log of the events of one round as sentences, such as `you draw r5`, from the view of one player or a spectator."""

import re
from collections.abc import Callable, Iterable
from itertools import takewhile

from cardgames.core.events import ACTION, PUBLIC, EventRow, view
from cardgames.core.state import State
from cardgames.tui.line_mode import LineMode


class EventFeed:
    """Sentences for the events of one round, from the view of one player or a spectator.

    Each call continues after the last event that an earlier call read, so its cost does not grow with the length of the
    round.
    """

    def __init__(self, state: State, person: int | None, theme: LineMode, name: Callable[[int], str]) -> None:
        """Create the log of a round.

        Args:
            state: State of the round; it may advance between calls.
            person: Seat from whose view events are logged; None for a spectator, who sees everything.
            theme: Texts of the game; they say which events are left out or merged into one line.
            name: Function that returns the name of the player at a seat.
        """
        self.state, self._person, self._theme, self._name = state, person, theme, name
        self._num_rows = 0
        """Number of events of the state's history that were read so far."""
        self._noticed = 0
        self._lines: list[str] = []
        self._last = ""
        """Sentence of the last line of the log, without its cards if it lists cards."""
        self._cards: list[str] = []
        """Cards in the last line of the log, one for each event merged in it; empty strings if the events name no card."""

    def lines(self, start: int = 0) -> list[str]:
        """Return the log without its first `start` lines; an event is a line, and equal events of one move share a line."""
        self._read_new_rows()
        return self._lines[start:]

    def noticed(self) -> int:
        """Return the number of events so far that the viewer could see and that are not left out of the log."""
        self._read_new_rows()
        return self._noticed

    def _read_new_rows(self) -> None:
        """Add lines for the events of the round that happened since the last call."""
        new = self.state.history(self._num_rows)
        rows = list(self._seen(row for row in new if row[0] not in self._theme.hidden_events))
        self._num_rows += len(new)
        self._noticed += len(rows)
        for number, row in enumerate(rows):
            if row[0] == ACTION:
                self._last = ""  # an action begins a new line: lines that were read once never change
            if not self._is_repeated(row, rows[number + 1 :]):
                self._add(row[0], self._with_names(self.state.game.event_to_string(row)))

    def _seen(self, rows: Iterable[EventRow]) -> Iterable[EventRow]:
        """Return events as the viewer sees them, with hidden cards removed."""
        if self._person is None:
            return rows
        return [(int(kind), int(seat), int(value), PUBLIC) for kind, seat, value in view(rows, self._person)]

    def _is_repeated(self, row: EventRow, later: Iterable[EventRow]) -> bool:
        """Return whether an event is an action that needs no line, since a later event of the same move says the same.

        `later` are the events after it. The field `action_events` of the theme lists such actions.
        """
        kind, seat, action, _ = row
        if kind != ACTION or action not in self._theme.action_events:
            return False
        effects = takewhile(lambda event: event[0] != ACTION, later)
        return any(event[:2] == (self._theme.action_events[action], seat) for event in effects)

    def _add(self, kind: int, sentence: str) -> None:
        """Add a sentence to the log: as a new line, or to the last line if that differs from it at most in the card."""
        card = ""
        if kind in self._theme.card_events:
            sentence, _, card = sentence.rpartition(" ")
        if sentence == self._last:
            self._cards.append(card)
            self._lines[-1] = _merged(sentence, self._cards)
        else:
            self._last, self._cards = sentence, [card]
            self._lines.append(_merged(sentence, self._cards))

    def _with_names(self, sentence: str) -> str:
        """Replace seats in a sentence by names, and the viewer's seat by "you": `seat 0 draws r5` becomes `you draw r5`."""
        if self._person is not None:
            sentence = re.sub(rf"\bseat {self._person} is\b", "you are", sentence)
            sentence = re.sub(rf"\bseat {self._person} (\w+)s\b", r"you \1", sentence)
        sentence = re.sub(r"\bseats (\d+) and (\d+)\b", r"seat \1 and seat \2", sentence)
        return re.sub(r"\bseat (\d+)\b", lambda match: self._name(int(match[1])), sentence)


def _merged(sentence: str, cards: list[str]) -> str:
    """Return one line for events with the same sentence and different cards.

    `you draw` with `r5` and `g1` gives `you draw r5, g1`; `you draw a` with `card` twice gives `you draw 2 cards`.
    """
    if not cards[0]:
        return sentence if len(cards) == 1 else f"{sentence} (x{len(cards)})"
    if cards[0] == "card" and len(cards) > 1:
        return f"{sentence.removesuffix(' a')} {len(cards)} cards"
    return f"{sentence} {', '.join(cards)}"
