"""Decisions that need no simulations: certain wins, exact play where all cards are known, and values the game has fitted."""

import time
from dataclasses import dataclass

import numpy as np

from cardgames.agents.agent import Decision
from cardgames.core import ops
from cardgames.core.game import check_is_game
from cardgames.core.game_definition import GameDefinition
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.search.exact.solution import Bounds
from cardgames.search.exact.solver import Solver
from cardgames.search.objective import PAYOFF, objective_id
from cardgames.search.report import LOSS_PROVEN, WIN_PROVEN, ActionStatistics, SearchReport

_MAX_NODES = 200_000
"""Most nodes for the exact solution of a decision; beyond that a search decides."""
_TABLE_ENTRIES = 1 << 16
"""Number of states that the exact solver of an agent remembers."""


@dataclass(frozen=True)
class _KnownValue:
    """What is known of an action without simulations: its value in the report's unit, and whether it wins or loses."""

    value: float | None
    proven: str | None = None


class Prover:
    """Finds decisions that need no simulations, for one agent.

    Args:
        game: Game that the agent plays.
        objective: What the agent maximizes: `payoff` or `win` (`search.objective.OBJECTIVES`).
    """

    def __init__(self, game: GameDefinition, objective: str = "payoff"):
        self._game = check_is_game(game)
        self._unit = "points" if objective_id(game, objective) == PAYOFF else "win"
        self._solver: Solver | None = None

    def decision(self, name: str, observation: Observation) -> Decision | None:
        """Return a decision that is proven, or best by the game's fitted values; None if there is neither.

        Args:
            name: Name of the agent, for the report.
            observation: Observation of the player to move.
        """
        started = time.perf_counter()
        found = self._certain_win(observation) or self._only_deal(observation) or self._fitted(observation)
        return found and _decision(name, observation, *found, time.perf_counter() - started)

    def _certain_win(self, observation: Observation) -> tuple[int, dict[int, _KnownValue], str] | None:
        """Return the first action of a win that is certain whatever the others hold and do (verb `certain_win`)."""
        line = self._game.certain_win(observation)
        return (line[0], {line[0]: _KnownValue(1.0, WIN_PROVEN)}, "win") if line else None

    def _only_deal(self, observation: Observation) -> tuple[int, dict[int, _KnownValue], str] | None:
        """Return the best action by exact solution, if the observation allows one deal only and it is not lost."""
        deals, weights = np.zeros(1, self._game.state_dtype), np.zeros(1)
        if ops.enumerate_deals(self._game.kernel_rules, observation.record, deals, weights) != 1:
            return None
        state = self._game.determinize(observation)
        # a proof of the win needs fewer nodes than the exact payoff
        solved = self._solve(state, "points") if self._unit == "points" else None
        return solved or self._solve(state, "win")

    def _solve(self, state: State, unit: str) -> tuple[int, dict[int, _KnownValue], str] | None:
        self._solver = self._solver or Solver(self._game, _TABLE_ENTRIES)
        solution = self._solver.solve(state, "win" if unit == "win" else "payoff", max_nodes=_MAX_NODES)
        if solution.value is None or not solution.best or (unit == "win" and solution.value == 0):
            return None
        values = {action: _known_value(bounds, unit) for action, bounds in solution.actions.items()}
        return (solution.line or solution.best)[0], values, unit

    def _fitted(self, observation: Observation) -> tuple[int, dict[int, _KnownValue], str] | None:
        """Return the action of greatest expected payoff by the game's fitted model (verb `estimate_payoffs`)."""
        game, record = self._game, observation.record
        payoffs, actions = np.empty(len(observation.legal_actions)), np.array(observation.legal_actions, np.int32)
        if not ops.estimate_payoffs(game.kernel_rules, record, actions, payoffs):
            return None
        low, high = ops.stakes(game.kernel_rules, record, observation.player)
        values = payoffs if game.pays_points else np.clip((payoffs - low) / (high - low), 0.0, 1.0)
        known = {action: _KnownValue(value) for action, value in zip(actions.tolist(), values.tolist(), strict=True)}
        return int(actions[payoffs.argmax()]), known, "points" if game.pays_points else "win"


def _known_value(bounds: Bounds, unit: str) -> _KnownValue:
    """Return the value of an action from proved bounds, and whether it wins or loses for certain."""
    even = 0.5 if unit == "win" else 0.0
    proven = WIN_PROVEN if bounds.lower > even else LOSS_PROVEN if bounds.upper < even else None
    return _KnownValue(bounds.value, proven)


def _decision(
    name: str, observation: Observation, best: int, known: dict[int, _KnownValue], unit: str, seconds: float
) -> Decision:
    """Return the decision for the action `best`, with a report of all actions, best first."""
    nothing = _KnownValue(None)

    def rank(action: int) -> tuple[bool, float, int]:
        value = known.get(action, nothing).value
        return action != best, np.inf if value is None else -value, action

    rows = tuple(
        ActionStatistics(
            action,
            observation.game.action_to_string(action, observation),
            0,
            known.get(action, nothing).value,
            None,
            proven=known.get(action, nothing).proven,
        )
        for action in sorted(observation.legal_actions, key=rank)
    )
    report = SearchReport(name, observation.player, 0, seconds, rows, unit=unit)
    return Decision(best, {best: 1.0}, rows[0].value, report, unit)
