"""`State`, one round as a Python object: a state record and its history, with the method names of OpenSpiel."""

import os
from contextlib import suppress
from threading import RLock
from typing import Any

import numpy as np

from cardgames.core import ops
from cardgames.core.events import EventRow, History
from cardgames.core.game_definition import GameDefinition
from cardgames.core.observation import Observation
from cardgames.kernels.record_type import new_record
from cardgames.support.errors import InvalidInput, check_integer_in, is_integer, short_repr

_MAX_LISTED = 40
"""Maximum number of legal actions that the error message about an illegal action lists."""
_MAX_PENDING = 1000
"""Maximum number of played actions whose event rows are not yet added to the history."""
_LOCK = RLock()
"""One lock for all states, so that threads can play on, read and copy the same round, and fork the process."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release)


class State:
    """One round, with all hidden cards. Agents must not see it; they get `observation()`."""

    def __init__(self, game: GameDefinition, record: Any, opening: list[EventRow], prior: Observation | None = None):
        """Create a round that begins at the position `record`.

        Args:
            game: Game that the round belongs to.
            record: State record of the position.
            opening: Event rows that led to the position.
            prior: Observation of one seat at this position; later observations of that seat continue its history.
        """
        self.game = game
        self.record = record
        self._origin = record.copy()
        self._history = History(opening)
        self._opening_rows = len(opening)
        self._prior = prior
        self._pending: list[tuple[Any, int]] = []

    def __repr__(self) -> str:
        mover = self.current_player()
        return f"<a round of {self.game!r:.80}: {f'seat {mover} to move' if mover >= 0 else 'over'}>"

    def current_player(self) -> int:
        """Return the seat to move, -1 once the round is over."""
        return int(ops.current_player(self.game.kernel_rules, self.record))

    def mover(self) -> int:
        """Return the seat to move. Raises `InvalidInput` once the round is over."""
        seat = self.current_player()
        if seat < 0:
            raise InvalidInput("the round is over: name the seat to observe it")
        return seat

    def is_terminal(self) -> bool:
        """Return whether the round is over."""
        return bool(ops.is_terminal(self.game.kernel_rules, self.record))

    def legal_actions(self) -> list[int]:
        """Return the legal action ids in ascending order; none once the round is over."""
        out = np.empty(self.game.max_legal_actions, np.int32)
        actions: list[int] = out[: ops.legal_actions(self.game.kernel_rules, self.record, out)].tolist()
        return actions

    def apply_action(self, action: int, player: int | None = None) -> None:
        """Play an action.

        Calls from several threads run one after the other. If two of them play the same action, the second one succeeds
        only if the action is legal again.

        Args:
            action: Id of a legal action.
            player: Seat that plays it, to check that it is to move; None for no check.

        Raises:
            InvalidInput: If the action is not legal, or `player` is not to move.
        """
        with _LOCK:
            self._check(action, player)
            self._play(int(action))
            if len(self._pending) == _MAX_PENDING:
                self._up_to_date_history()

    def _check(self, action: int, player: int | None) -> None:
        if player is not None and self.game.check_seat(player) != self.current_player() >= 0:
            raise InvalidInput(f"seat {player} is not to move")
        is_action_id = is_integer(action) and 0 <= action < self.game.num_distinct_actions
        if not is_action_id or not ops.is_legal(self.game.kernel_rules, self.record, int(action)):
            raise self._illegal_action(action, is_action_id)

    def _play(self, action: int) -> None:
        before = self.record.copy()
        self._pending.append((before, action))
        try:
            ops.apply_action(self.game.kernel_rules, self.record, action)
        except BaseException:
            # Ctrl-C is raised after the kernel has run to its end: then the action is played
            if self.record.tobytes() == before.tobytes():
                self._pending.pop()
            raise

    def _up_to_date_history(self) -> History:
        """Return the history after adding the event rows of the actions played since it was last read.

        Event rows are made only when needed, since making them takes longer than playing the action.
        """
        with _LOCK:
            if self._pending:
                self._flush_pending()
        return self._history

    def _flush_pending(self) -> None:
        states = [before for before, _ in self._pending] + [self.record]
        steps = zip(self._pending, states[1:], strict=True)
        self._history.add(
            row for (before, action), after in steps for row in self.game.action_events(before, action, after)
        )
        self._pending.clear()

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to pickle, after the event rows of all played actions are added to the history.

        Those rows are smaller than the state records from which they would be made later.
        """
        return self.__dict__ | self.clone().__dict__

    def _illegal_action(self, action: Any, is_action_id: bool) -> InvalidInput:
        """Return the exception that says why `action` cannot be played; `is_action_id`: whether it is an id of the game."""
        if self.is_terminal():
            return InvalidInput("the round is over")
        if not is_integer(action):
            return InvalidInput(f"an action is a whole number, not {short_repr(action)}: game.parse_action reads text")
        given = short_repr(int(action))
        if is_action_id:
            with suppress(InvalidInput):  # some ids of Dou Di Zhu belong to no action
                given = self.action_to_string(int(action))
        return InvalidInput(f"{given} is not legal now: choose from {self._list_actions(self.legal_actions())}")

    def _list_actions(self, actions: list[int]) -> str:
        """Return action ids as text, separated by commas; of those after the first `_MAX_LISTED`, only the number."""
        more = f" and {len(actions) - _MAX_LISTED} more" if len(actions) > _MAX_LISTED else ""
        return ", ".join(self.action_to_string(action) for action in actions[:_MAX_LISTED]) + more

    def winners(self) -> list[int]:
        """Return the seats that won: one, or partners; none before the end or in a void round."""
        rules = self.game.kernel_rules
        return [seat for seat in range(self.game.num_players) if ops.won(rules, self.record, seat)]

    def returns(self) -> list[float]:
        """Return the payoff of each seat; zeros before the end and in a void round."""
        out = np.zeros(self.game.num_players)
        ops.returns(self.game.kernel_rules, self.record, out)
        return [float(value) for value in out]

    def clone(self) -> "State":
        """Return an independent copy of the round, in which the same actions lead to the same cards."""
        copy = State.__new__(State)
        with _LOCK:
            copy.game, copy.record, copy._origin = self.game, self.record.copy(), self._origin
            copy._history, copy._opening_rows, copy._pending = self._up_to_date_history().copy(), self._opening_rows, []
            copy._prior = self._prior
        return copy

    def observation(self, player: int | None = None) -> Observation:
        """Return the observation of `player`, by default the seat to move.

        Raises `InvalidInput` for a seat that does not exist, and for the default once the round is over.
        """
        with _LOCK:  # another thread may play meanwhile
            return self._observation_of(player)

    def _observation_of(self, player: int | None) -> Observation:
        seat = self.mover() if player is None else self.game.check_seat(player)
        events, prior = self._up_to_date_history().view(seat), self._prior
        first = len(self._history.view(seat, self._opening_rows))
        if prior is None or prior.player != seat:
            origin = self._observe(self._origin, seat)
        else:
            events = np.concatenate([prior.events, events[first:]])
            origin, first = prior.origin, prior.first
        record = self._observe(self.record, seat)
        self.game.remember(record, events)
        legal = tuple(self.legal_actions()) if seat == self.current_player() else ()
        return Observation(self.game, seat, record, origin, events, first, legal)

    def _observe(self, record: Any, seat: int) -> Any:
        out = new_record(self.game.state_dtype)
        ops.observe(self.game.kernel_rules, record, seat, out)
        return out

    def action_to_string(self, action: int) -> str:
        """Return the action with id `action` as text, which `game.parse_action` reads."""
        return self.game.action_to_string(action, self)

    def history(self, start: int = 0) -> list[EventRow]:
        """Return the event rows (kind, seat, value, audience; `core.events`) of the round from index `start` on.

        It includes events that only some seats see; `core.events.view` selects those of one seat. Raises `InvalidInput`
        if `start` is not in [0, number of rows].
        """
        history = self._up_to_date_history()
        return history.rows(check_integer_in("start", start, 0, len(history)))

    def to_dict(self) -> dict[str, Any]:
        """Return the whole position, hidden cards included, as a dictionary of plain data that `game.from_dict` reads."""
        with _LOCK:
            return self.game.to_dict(self)

    def __str__(self) -> str:
        return "\n".join(f"{name}: {value}" for name, value in self.to_dict().items())
