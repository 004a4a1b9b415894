"""The benchmarks of searches and of the networks they ask."""

import itertools
import statistics
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent_factory import agent
from cardgames.bench.timing import Result, best_time, make_result, peer_figures, time_each
from cardgames.core.game import Game
from cardgames.core.game_registry import make
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import random_network
from cardgames.search.evaluators import make_evaluator
from cardgames.search.network_mcts.batched_search import search_many


def positions(game: Game, games: int, name: str = "reflex") -> Iterator[Any]:
    """Yield the observations with a choice in some rounds between agents of one name."""
    player = agent(name, game, seed=1)
    for number in range(games):
        state = game.new_initial_state(seed=number)
        while not state.is_terminal():
            observation = state.observation()
            if len(observation.legal_actions) > 1:
                yield observation
            state.apply_action(player.act(observation).action)


def mcts_dbm_decision() -> Iterator[Result]:
    """Measure decisions of `mcts-dbm` at the paper's setting, two players, and its simulations."""
    game = make("uno", players=2, rules="rlcard")
    searcher = agent("mcts-dbm", game, seed=0)
    observations = list(positions(game, 20))
    searcher.act(observations[0])
    times, decisions = time_each(searcher.act, observations)
    rates = [decision.report.simulations / decision.report.seconds for decision in decisions]
    note = f"{len(times)} decisions with a choice, 500 simulations each"
    yield make_result("mcts-dbm-decision", statistics.median(times) * 1e3, "ms", {}, note)
    yield make_result(
        "mcts-dbm-simulations", statistics.median(rates), "simulations/s", {}, "the filter's time included"
    )


def search_threads(simulations: int = 20_000) -> Result:
    """Measure how much faster two threads search than one."""
    game = make("uno", players=2, rules="rlcard")
    observation = next(positions(game, 1))
    rates = []
    for threads in (1, 2):
        searcher = agent("mcts", game, seed=0, simulations=simulations, trees=8, threads=threads)
        seconds, _ = best_time(lambda searcher=searcher: searcher.act(observation), 5)  # type: ignore[misc]
        rates.append(simulations / seconds)
    note = f"two threads {rates[1]:,.0f} simulations/s, one {rates[0]:,.0f}"
    return make_result("search-threads", rates[1] / rates[0], "times", {}, note)


def _torch_leaves(game: Game, network: Mlp, inputs: NDArray[np.int8]) -> float | None:
    """Return leaves per second of torch on one core, None if it is not installed."""
    try:
        import torch
    except ImportError:
        return None
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        evaluator = make_evaluator(game, network, "cpu")
        return len(inputs) / best_time(lambda: evaluator.outputs(inputs), 200)[0]
    finally:
        torch.set_num_threads(threads)


def network_leaves(batch: int = 64) -> Iterator[Result]:
    """Measure leaf evaluations of a Q-network 240-64-64-61: the network alone, then with encoding and reading."""
    game = make("uno", players=2, rules="rlcard")
    network = random_network((240, 64, 64, 61), 0, "4x4x15", "uno")
    evaluator = make_evaluator(game, network, "kernel")
    observations = list(itertools.islice(positions(game, 20), batch))
    states, players = np.zeros(batch, game.state_dtype), np.array([observation.player for observation in observations])
    for i, observation in enumerate(observations):
        states[i] = observation.record
    inputs = np.stack([game.encode(observation, network.encoding).ravel() for observation in observations])
    seconds, _ = best_time(lambda: evaluator.outputs(inputs), 500)
    others = peer_figures(torch=_torch_leaves(game, network, inputs))
    yield make_result("network-leaves", batch / seconds, "leaves/s", others, f"240-64-64-61, batches of {batch}")
    seconds, _ = best_time(lambda: evaluator.evaluate(states, players), 500)
    yield make_result(
        "network-values", batch / seconds, "leaves/s", {}, "the same with encoding and the best legal action"
    )


def batched_simulations(count: int = 64) -> Result:
    """Measure the lock-step search with that network, 500 simulations for each of many observations."""
    game = make("uno", players=2, rules="rlcard")
    evaluator = make_evaluator(game, random_network((240, 64, 64, 61), 0, "4x4x15", "uno"), "kernel")
    observations = list(itertools.islice(positions(game, 20), count))
    seconds, decisions = best_time(lambda: search_many(observations, evaluator), 5)
    simulations = sum(decision.report.simulations for decision in decisions)
    note = f"240-64-64-61 in kernels, {count} decisions at once, reports included"
    return make_result("batched-simulations", simulations / seconds, "simulations/s", {}, note)


def expectimax_decision() -> Result:
    """Measure decisions of `expectimax` at the paper's setting at six tables; the slowest table's median counts."""
    medians = {}
    for rules in ("rlcard", "simplified"):
        for players in (2, 3, 4):
            game = make("uno", players=players, rules=rules)
            searcher = agent("expectimax", game, seed=0)
            times, _ = time_each(searcher.act, positions(game, 10))
            medians[f"{rules} {players}"] = statistics.median(times) * 1e3
    note = ", ".join(f"{table} players: {median:.3f}" for table, median in medians.items())
    return make_result("expectimax-decision", max(medians.values()), "ms", {}, note)


def ismcts_decision(simulations: int = 1000) -> Iterator[Result]:
    """Measure decisions of `ismcts` in Dou Di Zhu, with random playouts and with its own."""
    game = make("doudizhu", rules="rlcard")
    observations = list(positions(game, 6, "rlcard-rule"))
    settings: dict[str, dict[str, str]] = {"ismcts-random-decision": {"playout": "random"}, "ismcts-decision": {}}
    for name, options in settings.items():
        searcher = agent("ismcts", game, seed=0, simulations=simulations, **options)
        searcher.act(observations[0])
        times, _ = time_each(searcher.act, observations)
        note = f"{len(times)} decisions with a choice, {simulations} simulations each"
        yield make_result(name, statistics.median(times) * 1e3, "ms", {}, note)


def cql_decision() -> Result:
    """Measure decisions of `cql` in Dou Di Zhu, which splits its hand in a hundred ways."""
    game = make("doudizhu", rules="cql")
    player = agent("cql", game, seed=0)
    observations = list(positions(game, 6, "rlcard-rule"))
    player.act(observations[0])
    times, _ = time_each(player.act, observations)
    note = f"{len(times)} decisions with a choice, its report included"
    return make_result("cql-decision", statistics.median(times) * 1e3, "ms", {}, note)
