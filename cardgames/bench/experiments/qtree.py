"""Simulations a second of single-player trees (paper 000), each new state predicted by a Q-network 240-64-64-61.

    python -m cardgames.bench.experiments.qtree --players 2 3 4 --threads 1 2

Trees grow from the true states of a vectorised environment under `rlcard`, some random moves into a round, 50 simulations
each, the others playing randomly: what DDQN with MCTS asks for while it trains. Prints the best of several runs; of
several threads each grows a part of the trees.
"""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import cardgames
from cardgames.bench.experiments.arguments import count, parser_of, run
from cardgames.networks.network_file import random_network
from cardgames.search.evaluators import make_evaluator
from cardgames.search.qtree.qforest import BATCH, QForestSettings, grow_trees


def states_of(game, number, moves):
    """Return so many states, `moves` random moves into their rounds."""
    env, random = game.vector(number, seed=0), np.random.default_rng(0)
    env.reset()
    for _ in range(moves):
        env.step((random.random(env.action_mask.shape) * env.action_mask).argmax(1))
    return env.states.copy()


def rate(game, growth, states, threads, runs):
    """Return simulations a second."""
    evaluator = make_evaluator(game, random_network((240, 64, 64, 61), 0, "4x4x15", "uno", reward=(-1, 1)), "kernel")
    seeds = np.arange(len(states), dtype=np.uint64)
    parts = np.array_split(np.arange(len(states)), threads)

    def run(part):
        grow_trees(game, states[part], evaluator, growth, seeds[part])

    run(parts[0][:BATCH])
    times = []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(runs):
            started = time.perf_counter()
            list(pool.map(run, parts))
            times.append(time.perf_counter() - started)
    return growth.simulations * len(states) / min(times)


def main():
    """Print the table."""
    parser = parser_of(__doc__)
    parser.add_argument("--players", type=count, nargs="+", default=[2, 3, 4])
    parser.add_argument("--threads", type=count, nargs="+", default=[1, 2])
    parser.add_argument("--trees", type=count, default=4096)
    parser.add_argument("--simulations", type=count, default=50)
    parser.add_argument("--opponents", default="random", help="policy of the others")
    parser.add_argument("--runs", type=count, default=5)
    options = parser.parse_args()
    growth = QForestSettings(simulations=options.simulations, opponents=options.opponents)
    print("players  threads  simulations/s")
    for players in options.players:
        game = cardgames.make("uno", players=players, rules="rlcard")
        states = states_of(game, options.trees, 17)
        for threads in options.threads:
            print(f"{players:7}  {threads:7}  {rate(game, growth, states, threads, options.runs):13,.0f}")


if __name__ == "__main__":
    run(main)
