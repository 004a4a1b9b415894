"""Solution of a state: its value, the first actions that reach it, a principal line, and what a stopped search knows."""

from dataclasses import dataclass
from typing import Any

from cardgames.core.state import State


@dataclass(frozen=True)
class Bounds:
    """Proved bounds on a value; they are equal if the value is known."""

    lower: float
    upper: float

    @property
    def value(self) -> float | None:
        """The value, None if it is not known."""
        return self.lower if self.lower == self.upper else None


@dataclass(frozen=True)
class Solution:
    """Result of `solver.solve`."""

    state: State
    """Position that was solved."""
    player: int
    """Seat whose value it is."""
    objective: str
    """Objective: `win` or `payoff`."""
    unit: str
    """Unit of values: `win` (1 a win, 0 a loss), `points`, or `payoff` for payoffs that are no points."""
    lower: float
    """The value is at least this,"""
    upper: float
    """and at most this."""
    actions: dict[int, Bounds]
    """Id of each legal first action -> proved bounds on the value after it.

    Actions that are worse than the best one may have bounds that only prove this.
    """
    line: tuple[int, ...]
    """Principal line: actions of all seats by which both sides reach the value; empty if the value is unknown."""
    nodes: int
    """Number of nodes searched."""
    work: dict[int, int]
    """Id of each legal first action -> number of nodes searched below it."""
    seconds: float
    """Time of the search."""
    complete: bool
    """True if the value is known, and each first action is proved to reach it or to miss it."""
    stopped: str = ""
    """Cause of the end of an incomplete search: `nodes`, `time`, `interrupted`, or `unknown cards`; empty if complete.

    `unknown cards` means that the value depends on cards that no position shows, those of a reshuffled pile, or on lines
    that are too long.
    """

    @property
    def value(self) -> float | None:
        """Value of the position for `player`, None if it is not known."""
        return self.lower if self.lower == self.upper else None

    @property
    def best(self) -> tuple[int, ...]:
        """First actions proved to be best for the side to move; if `complete`, all of them."""
        if self.value is None:
            return tuple(action for action, bounds in self.actions.items() if self._wins(bounds))
        return tuple(action for action, bounds in self.actions.items() if bounds.value == self.value)

    @property
    def winning(self) -> tuple[int, ...]:
        """First actions to name to people: those proved to win or, under the objective `payoff`, proved to be best."""
        if self.objective == "payoff":
            return self.best
        return tuple(action for action, bounds in self.actions.items() if self._wins(bounds))

    @property
    def losing(self) -> tuple[int, ...]:
        """First actions proved to lose the round for the seat to move; empty under the objective `payoff`."""
        if self.objective == "payoff":
            return ()
        own = self.is_own_move
        return tuple(
            action for action, bounds in self.actions.items() if (bounds.upper == 0.0 if own else bounds.lower == 1.0)
        )

    @property
    def is_own_move(self) -> bool:
        """True if the seat to move is on the side of `player`."""
        from cardgames.core import ops

        rules, record = self.state.game.kernel_rules, self.state.record
        return bool(ops.same_side(rules, record, self.player, self.state.mover()))

    def _wins(self, bounds: Bounds) -> bool:
        """Return whether the side to move has won, whatever the exact value is."""
        if self.objective == "payoff":
            return False
        return bounds.lower == 1.0 if self.is_own_move else bounds.upper == 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the solution as JSON-serializable data: value, unit, winning, line, nodes, seconds, complete.

        `winning` are the texts of the actions in the property of that name.
        """
        return {
            "value": self.value,
            "unit": self.unit,
            "winning": [self.state.action_to_string(action) for action in self.winning],
            "line": self.line_texts(),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "complete": self.complete,
        }

    def line_texts(self) -> list[str]:
        """Return the actions of the principal line as texts."""
        state, texts = self.state.clone(), []
        for action in self.line:
            texts.append(state.action_to_string(action))
            state.apply_action(action)
        return texts
