"""Base class of agents that search; other threads can read a report of the running search, or stop it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from cardgames.agents.agent import Decision, Limit, check_act_arguments, forced_decision
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.search.proven_moves import Prover
from cardgames.search.report import SearchReport


class RunningSearch(Protocol):
    """Interface of a search in progress for other threads: read a report so far, or stop the search."""

    def snapshot(self) -> SearchReport | None:
        """Return a report of the search so far, None if there is no report yet."""
        ...

    def stop(self) -> None:
        """Ask the search to end soon and to decide by the simulations that it has run."""
        ...


class Searcher(ABC):
    """Agent that decides by a search.

    Other threads may call `snapshot` and `stop` while `act` runs.

    Args:
        name: Name of the agent.
        game: Game that the agent plays.
        seed: Seed of its random draws.
        exact: Whether it looks for a proof before it searches, and takes values that the game has fitted
            (`search.proven_moves`).
        objective: What the search maximizes, for exact solutions: `payoff` or `win`.
    """

    def __init__(self, name: str, game: Game, seed: int, *, exact: bool = True, objective: str = "payoff"):
        self.name = name
        self._prover = Prover(game, objective) if exact else None
        self._game, self._seed = game, seed
        self._running: RunningSearch | None = None
        self._stopped = False

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search and return the decision; without a search if one action is legal, or one is proven or known to be best."""
        check_act_arguments(self._game, observation, limit)
        self._stopped = False
        return self._settled(observation) or self._decide(observation, limit, track_convergence=False)

    def search(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search and return the decision, even if only one action is legal; not if one is proven or known to be best.

        The decision's report has the statistics of the root's actions at successive moments (`SearchReport.convergence`).
        """
        check_act_arguments(self._game, observation, limit)
        self._stopped = False
        return self._known(observation) or self._decide(observation, limit, track_convergence=True)

    def snapshot(self) -> SearchReport | None:
        """Return a report of the running search, None if there is none."""
        running = self._running
        return running.snapshot() if running is not None else None

    def stop(self) -> None:
        """Stop the running search; `act` decides by the simulations that it has run."""
        self._stopped = True
        running = self._running
        if running is not None:
            running.stop()

    def _settled(self, observation: Observation) -> Decision | None:
        """Return a decision that needs no search: for the only legal action, or a proven or known one; else None."""
        return forced_decision(observation) or self._known(observation)

    def _known(self, observation: Observation) -> Decision | None:
        """Return a decision for an action that is proven to win, or best by the game's fitted values; else None."""
        return self._prover.decision(self.name, observation) if self._prover else None

    @abstractmethod
    def _decide(self, observation: Observation, limit: Limit | None, *, track_convergence: bool) -> Decision:
        """Search and return the decision; with `track_convergence` its report includes `SearchReport.convergence`."""

    @contextmanager
    def _exposed(self, running: RunningSearch) -> Iterator[None]:
        """Let other threads read and stop the search `running` inside the `with` block."""
        self._running = running
        try:
            # checked after `_running` is set: a `stop` from another thread either reaches the search or is seen here
            if self._stopped:
                running.stop()
            yield
        finally:
            self._running = None
