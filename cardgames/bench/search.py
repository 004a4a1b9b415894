"""Benchmarks of search agents (times of decisions, simulations per second) and of networks as leaf evaluators."""

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
    """Yield each observation with more than one legal action in `games` rounds in which the agent `name` plays all seats."""
    player = agent(name, game, seed=1)
    for number in range(games):
        state = game.new_initial_state(seed=number)
        while not state.is_terminal():
            observation = state.observation()
            if len(observation.legal_actions) > 1:
                yield observation
            state.apply_action(player.act(observation).action)


def mcts_dbm_decision() -> Iterator[Result]:
    """Measure the median milliseconds of a decision and the simulations per second of `mcts-dbm` in two-player Uno.

    The search has the setting of paper 001.
    """
    game = make("uno", players=2, rules="rlcard")
    searcher = agent("mcts-dbm:setting=paper", game, seed=0)
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
    """Measure the speedup of the search `mcts` in two-player Uno by two threads instead of one."""
    game = make("uno", players=2, rules="rlcard")
    observation = next(positions(game, 1))
    rates = []
    for threads in (1, 2):
        searcher = agent("mcts:setting=paper", game, seed=0, simulations=simulations, trees=8, threads=threads)
        seconds, _ = best_time(lambda searcher=searcher: searcher.act(observation), 5)  # type: ignore[misc]
        rates.append(simulations / seconds)
    note = f"two threads {rates[1]:,.0f} simulations/s, one {rates[0]:,.0f}"
    return make_result("search-threads", rates[1] / rates[0], "times", {}, note)


def _torch_leaves(game: Game, network: Mlp, inputs: NDArray[np.int8]) -> float | None:
    """Return the leaves per second that torch evaluates with a network on one core; None if torch is not installed.

    `inputs` [batch, inputs] is one batch of encoded states.
    """
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
    """Measure leaf evaluations per second by a Q-network 240-64-64-61 in batches.

    First the network alone is measured, then with encoding of the states and the maximum of Q over the legal actions.
    """
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
    """Measure simulations per second of the search that evaluates leaves of many observations in one batch.

    It makes 500 simulations for each of `count` observations, with a network 240-64-64-61.
    """
    game = make("uno", players=2, rules="rlcard")
    evaluator = make_evaluator(game, random_network((240, 64, 64, 61), 0, "4x4x15", "uno"), "kernel")
    observations = list(itertools.islice(positions(game, 20), count))
    seconds, decisions = best_time(lambda: search_many(observations, evaluator), 5)
    simulations = sum(decision.report.simulations for decision in decisions)
    note = f"240-64-64-61 in kernels, {count} decisions at once, reports included"
    return make_result("batched-simulations", simulations / seconds, "simulations/s", {}, note)


def expectimax_decision() -> Result:
    """Measure the median milliseconds of a decision of `expectimax` with the paper's settings in Uno.

    The result is the largest of six medians: those for two rule presets, each with 2, 3 and 4 players.
    """
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
    """Measure the median milliseconds of a decision of `ismcts` in Dou Di Zhu.

    Two variants are measured: random playouts, and the default rollout policy.
    """
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
    """Measure the median milliseconds of a decision of `cql` in Dou Di Zhu, which samples 100 decompositions of its hand."""
    game = make("doudizhu", rules="cql")
    player = agent("cql", game, seed=0)
    observations = list(positions(game, 6, "rlcard-rule"))
    player.act(observations[0])
    times, _ = time_each(player.act, observations)
    note = f"{len(times)} decisions with a choice, its report included"
    return make_result("cql-decision", statistics.median(times) * 1e3, "ms", {}, note)
