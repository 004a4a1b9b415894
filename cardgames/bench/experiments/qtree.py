"""Measure simulations per second of paper 000's single-player trees with a Q-network 240-64-64-61.

    python -m cardgames.bench.experiments.qtree --players 2 3 4 --threads 1 2

This is the workload of DDQN with MCTS in training: trees of 50 simulations each grow from the true states of a vectorized
environment under `rlcard`, some random moves into a round, with random opponents. Prints the best of several runs. With
several threads each one grows a part of the trees.
"""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import cardgames
from cardgames.bench.arguments import count, parser_of, run
from cardgames.networks.network_file import random_network
from cardgames.search.evaluators import make_evaluator
from cardgames.search.qtree.batched_qtree import BATCH, QForestSettings, grow_trees


def states_of(game, number, moves):
    """Return `number` states of a vectorized environment after `moves` random moves in each of its rounds."""
    env, random = game.vector(number, seed=0), np.random.default_rng(0)
    env.reset()
    for _ in range(moves):
        env.step((random.random(env.action_mask.shape) * env.action_mask).argmax(1))
    return env.states.copy()


def rate(game, growth, states, threads, runs):
    """Grow a single-player tree from each of `states`, split over `threads`; return the simulations per second.

    The result is the best of `runs` runs. `growth` are the trees' settings.
    """
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
    """Parse the arguments, and print the simulations per second by number of players and of threads."""
    parser = parser_of(__doc__)
    parser.add_argument("--players", type=count, nargs="+", default=[2, 3, 4])
    parser.add_argument("--threads", type=count, nargs="+", default=[1, 2])
    parser.add_argument("--trees", type=count, default=4096)
    parser.add_argument("--simulations", type=count, default=50)
    parser.add_argument("--opponents", default="random", help="policy of the other players")
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
