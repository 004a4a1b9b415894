"""The agent `mcts-net`: a tree search whose leaves a network judges in batches."""

from typing import Any

from cardgames.core.decision import Decision, Limit, check_asked, forced
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.search.batched import BatchedSettings, LockStep
from cardgames.search.evaluators import Evaluator, NetworkOrPlayouts, PlayoutEvaluator, make_evaluator
from cardgames.search.inspect import convergence_point
from cardgames.search.report import ConvergencePoint, SearchReport, decision_of
from cardgames.search.settings import check_company, read_options


class BatchedAgent:
    """The search in lock step for one decision at a time.

    `snapshot` and `stop` may be called from other threads while `act` runs.
    """

    def __init__(self, name: str, game: Game, seed: int, evaluator: Evaluator, settings: BatchedSettings):
        self.name = name
        self.settings = settings
        self._game, self._seed, self._evaluator = game, seed, evaluator
        self._running: LockStep | None = None
        self._stopped = False

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search and return the action with the most visits; a forced move is answered at once, without a search."""
        check_asked(self._game, observation)
        return forced(observation) or self._think(observation, limit, follow=False)

    def search(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search even where the move is forced, and report the course of the search too."""
        check_asked(self._game, observation)
        return self._think(observation, limit, follow=True)

    def _think(self, observation: Observation, limit: Limit | None, *, follow: bool) -> Decision:
        self._stopped = False
        self._running = search = LockStep([observation], self.settings, self._seed, limit)
        if self._stopped:
            search.stop()
        course: list[ConvergencePoint] = []

        def note() -> None:
            course.append(convergence_point(observation, search.forest(0)))

        try:
            search.run(self._evaluator, note if follow else None)
        finally:
            self._running = None
        return decision_of(search.report(0, self.name, complete=True, convergence=course))

    def snapshot(self) -> SearchReport | None:
        """Return the report of the search now under way, None if there is none."""
        running = self._running
        return running.report(0, self.name, complete=False) if running is not None else None

    def stop(self) -> None:
        """End the search now under way; `act` answers with what it has."""
        self._stopped = True
        running = self._running
        if running is not None:
            running.stop()


def make_mcts_net(game: Game, seed: int, network: str = "", **options: Any) -> BatchedAgent:
    """Return the agent `mcts-net`; without the file of a `network` it plays its leaves out, as it does
    with those the network has no value for.

    `options` are a `device` for the network and those of `BatchedSettings`, as values or texts. Raises `InvalidInput`.
    """
    settings = BatchedSettings(**read_options(BatchedSettings, options))
    check_company(options, network=network, particles=settings.particles)
    return BatchedAgent(
        "mcts-net", game, seed, _evaluator(game, settings, network, options.get("device", "auto")), settings
    )


def _evaluator(game: Game, settings: BatchedSettings, network: str, device: str) -> Evaluator:
    playouts = PlayoutEvaluator(game, settings.playout)
    if not network:
        return playouts
    return NetworkOrPlayouts(make_evaluator(game, network, device, batch=settings.trees * settings.leaves), playouts)
