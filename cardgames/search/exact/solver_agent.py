"""The agent `solver`: sees all cards and plays exactly, a perfect opponent for endgame puzzles."""

import time
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from cardgames.agents.agent import Decision, Limit
from cardgames.agents.option_defaults import DerivedDefault
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.kernels import rng
from cardgames.search.exact.solution import Bounds, Solution
from cardgames.search.exact.solver import Solver
from cardgames.search.exact.solver_memory import OBJECTIVES
from cardgames.search.mcts.cheating_agents import TrueStateSearcher
from cardgames.search.option_parsing import parse_option
from cardgames.search.report import ActionStatistics, SearchReport
from cardgames.support.errors import check_integer_in, unknown_name

NODES = 1_000_000
"""Default maximum number of nodes of a decision."""


@dataclass(frozen=True)
class SolverSettings:
    """Options of the agent."""

    objective: str
    """`win`, or `payoff` for the payoff under the rules."""
    nodes: int
    """Maximum number of nodes of a decision."""
    fallback: str
    """Name of the policy that decides if the value is unknown."""


class SolverAgent(TrueStateSearcher):
    """Agent that solves the state and plays an action that reaches its value, the hardest one to refute if it is behind.

    If the value is not found within the limit, a policy decides, except for an action that is proved to lose.
    """

    def __init__(self, game: Game, seed: int, settings: SolverSettings):
        super().__init__("solver", game, seed)
        self.settings = settings
        self._fallback = game.policy(settings.fallback, "fallback")
        self._solver: Solver | None = None

    def _decide(self, observation: Observation, limit: Limit | None, *, track_convergence: bool) -> Decision:
        raise AssertionError("the solver searches from the state")

    def stop(self) -> None:
        """Stop the running search; the decision is made with what it has proved."""
        super().stop()
        if self._solver is not None:
            self._solver.stop()

    def _search_state(self, state: State, observation: Observation, limit: Limit | None) -> Decision:
        started = time.perf_counter()
        if self._solver is None:
            self._solver = Solver(self._game)
        nodes = self.settings.nodes if limit is None or limit.simulations is None else limit.simulations
        solution = self._solver.solve(
            state, self.settings.objective, max_nodes=nodes, seconds=limit.time if limit else None, all_actions=False
        )
        action = self._choose(solution, observation)
        report = self._report(solution, observation, time.perf_counter() - started)
        value = _share(solution, Bounds(solution.lower, solution.upper))
        return Decision(action, {action: 1.0}, value, report)

    def _choose(self, solution: Solution, observation: Observation) -> int:
        if solution.best:
            is_ahead = (solution.value or solution.lower) > (0.5 if self.settings.objective == "win" else 0.0)
            return solution.best[0] if is_ahead else max(solution.best, key=lambda action: solution.work[action])
        stream = rng.decision_stream(self._seed, observation.to_bytes())
        action = int(ops.policy(self._game.kernel_rules, observation.record, *self._fallback, stream))
        greatest = max(bounds.upper for bounds in solution.actions.values())
        if solution.actions[action].upper < greatest and solution.actions[action].upper <= 0.0:
            return next(other for other, bounds in solution.actions.items() if bounds.upper == greatest)
        return action

    def _report(self, solution: Solution, observation: Observation, seconds: float) -> SearchReport:
        """Return a report with the proved value of each action, best first; nothing is simulated."""
        rows = [
            ActionStatistics(
                action,
                self._game.action_to_string(action, observation),
                0,
                _share(solution, bounds),
                None,
            )
            for action, bounds in solution.actions.items()
        ]
        rows.sort(key=lambda row: -1.0 if row.value is None else row.value, reverse=True)
        return SearchReport(self.name, observation.player, 0, seconds, tuple(rows))


def _share(solution: Solution, bounds: Bounds) -> float | None:
    """Return a proved value as a number in [0, 1], None if it is unknown; a payoff counts as a win, a loss or neither."""
    if bounds.value is None:
        return None
    return bounds.value if solution.objective == "win" else float(0.5 + np.sign(bounds.value) / 2)


def make_solver(
    game: Game,
    seed: int,
    objective: str = "win",
    nodes: int | str = NODES,
    fallback: Annotated[str, DerivedDefault(lambda game: game.default_policy)] = "",
) -> SolverAgent:
    """Return the agent `solver`.

    Args:
        game: Game to play.
        seed: Seed of the policy that decides if the value is unknown.
        objective: `win`, or `payoff` for the payoff under the rules.
        nodes: Maximum number of nodes of a decision.
        fallback: Name of the policy that decides if the value is unknown; by default the game's default policy.

    Raises:
        InvalidInput: If an option is not valid.
    """
    if objective not in OBJECTIVES:
        raise unknown_name("objective", objective, OBJECTIVES)
    limit = check_integer_in("nodes", parse_option("nodes", int, nodes), 1, 1 << 40)
    return SolverAgent(game, seed, SolverSettings(objective, limit, fallback or game.default_policy))
