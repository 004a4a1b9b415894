"""How every search is asked, looked at while it thinks, and stopped."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from cardgames.agents.agent import Decision, Limit, check_act_arguments, forced_decision
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.search.report import SearchReport


class RunningSearch(Protocol):
    """A search under way, as other threads may look at it and end it."""

    def snapshot(self) -> SearchReport | None:
        """Return its report so far, None while there is nothing to tell."""
        ...

    def stop(self) -> None:
        """End it soon; it answers with what it has."""
        ...


class Searcher(ABC):
    """An agent that searches. `snapshot` and `stop` may be called from other threads while `act` runs."""

    def __init__(self, name: str, game: Game, seed: int):
        self.name = name
        self._game, self._seed = game, seed
        self._running: RunningSearch | None = None
        self._stopped = False

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search and decide; a forced move is answered at once, without a search."""
        check_act_arguments(self._game, observation, limit)
        self._stopped = False
        return self._forced(observation) or self._decide(observation, limit, track_convergence=False)

    def search(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search even where the move is forced, and report the course of the search too."""
        check_act_arguments(self._game, observation, limit)
        self._stopped = False
        return self._decide(observation, limit, track_convergence=True)

    def snapshot(self) -> SearchReport | None:
        """Return the report of the search now under way, None if there is none."""
        running = self._running
        return running.snapshot() if running is not None else None

    def stop(self) -> None:
        """End the search now under way; `act` answers with what it has."""
        self._stopped = True
        running = self._running
        if running is not None:
            running.stop()

    def _forced(self, observation: Observation) -> Decision | None:
        """Return the decision where there is no choice, else None."""
        return forced_decision(observation)

    @abstractmethod
    def _decide(self, observation: Observation, limit: Limit | None, *, track_convergence: bool) -> Decision:
        """Search and decide; with `track_convergence` the report tells the course of it."""

    @contextmanager
    def _exposed(self, running: RunningSearch) -> Iterator[None]:
        """Let other threads look at a search and end it."""
        self._running = running
        try:
            # looked at last: a `stop` from elsewhere finds the search, or else is found here
            if self._stopped:
                running.stop()
            yield
        finally:
            self._running = None
