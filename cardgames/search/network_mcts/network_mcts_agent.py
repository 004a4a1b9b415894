"""The agent `mcts-net`: Monte Carlo tree search whose leaves a network evaluates in batches."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from cardgames.agents.agent import Decision, Limit
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.search.evaluators import (
    DEVICE_DEFAULT,
    Evaluator,
    NetworkWithPlayoutFallback,
    PlayoutEvaluator,
    make_evaluator,
)
from cardgames.search.network_mcts.batched_search import BatchedSearch, BatchedSettings
from cardgames.search.option_parsing import check_dependent_options, check_network, read_options
from cardgames.search.report import ConvergencePoint, SearchReport, decision_from_report
from cardgames.search.report_builder import convergence_point
from cardgames.search.searcher import Searcher


class _RunningSearch(NamedTuple):
    """A search in progress for one decision, which other threads can stop or read a report of (see `Searcher`)."""

    name: str
    search: BatchedSearch

    def report(self, *, complete: bool, convergence: Sequence[ConvergencePoint] = ()) -> SearchReport:
        return self.search.report(0, self.name, complete=complete, convergence=convergence)

    def snapshot(self) -> SearchReport:
        return self.report(complete=False)

    def stop(self) -> None:
        self.search.stop()


class BatchedAgent(Searcher):
    """Agent that takes the most visited action of a search which evaluates leaves in batches (`BatchedSearch`)."""

    def __init__(self, name: str, game: Game, seed: int, evaluator: Evaluator, settings: BatchedSettings):
        super().__init__(name, game, seed, exact=settings.exact)
        self.settings = settings
        self._evaluator = evaluator

    def _decide(self, observation: Observation, limit: Limit | None, *, track_convergence: bool) -> Decision:
        search = BatchedSearch([observation], self.settings, self._seed, limit)
        running = _RunningSearch(self.name, search)
        convergence: list[ConvergencePoint] = []
        on_progress = (
            (lambda: convergence.append(convergence_point(observation, search.forest(0))))
            if track_convergence
            else None
        )
        with self._exposed(running):
            search.run(self._evaluator, on_progress)
        return decision_from_report(running.report(complete=True, convergence=convergence))


def make_mcts_net(game: Game, seed: int, network: str = "", **options: Any) -> BatchedAgent:
    """Return the agent `mcts-net`.

    Args:
        game: Game to play.
        seed: Seed of the random streams.
        network: Network that evaluates the leaves: a file, or the name of a pretrained network. Playouts evaluate the
            leaves for which the network has no value, and all leaves without a network.
        options: `device` (one of `evaluators.DEVICES`) and fields of `BatchedSettings`, as values or text.

    Raises:
        InvalidInput: If the network does not fit the game, or an option is wrong.
    """
    settings = BatchedSettings(**read_options(BatchedSettings, options))
    check_network(network)
    check_dependent_options(options, network=network, particles=settings.particles)
    device = (DEVICE_DEFAULT | options)["device"]
    return BatchedAgent("mcts-net", game, seed, _evaluator(game, settings, network, device), settings)


def _evaluator(game: Game, settings: BatchedSettings, network: str, device: str) -> Evaluator:
    playouts = PlayoutEvaluator(game, settings.playout)
    if not network:
        return playouts
    return NetworkWithPlayoutFallback(
        make_evaluator(game, network, device, batch=settings.trees * settings.leaves), playouts
    )
