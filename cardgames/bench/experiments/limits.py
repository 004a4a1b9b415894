"""Measure how closely a search agent keeps its time limit: wall-clock times of its decisions.

    python -m cardgames.bench.experiments.limits uno --agent champion --times 0.01 0.1

The agent plays rounds against itself. Forced decisions, and decisions made without a search, are not counted.
"""

import time

import numpy as np

import cardgames
from cardgames.bench.arguments import count, parser_of, run, seconds
from cardgames.support.errors import InvalidInput

QUANTILES = (0.5, 0.9, 0.99, 1.0)


def decision_times(game, agent, limit, seed):
    """Play one round with `agent` in every seat, and yield the seconds of each decision that it searched.

    `limit` is the time limit of a decision in seconds.
    """
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        observation, started = state.observation(), time.perf_counter()
        decision = agent.act(observation, cardgames.Limit(time=limit))
        if decision.report is not None:
            yield time.perf_counter() - started
        state.apply_action(decision.action)


def main():
    """Parse the arguments, and print quantiles of the decision times in milliseconds for each time limit."""
    parser = parser_of(__doc__)
    parser.add_argument("game")
    parser.add_argument("--rules")
    parser.add_argument("--players", type=count, help="number of players [default: the game's smallest]")
    parser.add_argument("--agent", default="champion")
    parser.add_argument("--times", type=seconds, nargs="+", default=[0.01, 0.1], help="limits in seconds")
    parser.add_argument("--games", type=count, default=10, help="rounds for each limit")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    game = cardgames.make(args.game, players=args.players, rules=args.rules)
    agent = cardgames.agent(args.agent, game, seed=args.seed)
    if not isinstance(agent, cardgames.Searcher):
        raise InvalidInput(f"{args.agent} is not a search agent: a time limit has no effect on it")
    list(decision_times(game, agent, min(args.times), args.seed))  # compiles
    for limit in args.times:
        rounds = range(args.seed, args.seed + args.games)
        milliseconds = (
            np.array([elapsed for seed in rounds for elapsed in decision_times(game, agent, limit, seed)]) * 1e3
        )
        if not len(milliseconds):
            raise InvalidInput("no decision was searched: raise --games")
        shown = ", ".join(
            f"{'maximum' if q == 1 else f'{q:.0%}'} {ms:.1f}"
            for q, ms in zip(QUANTILES, np.quantile(milliseconds, QUANTILES), strict=True)
        )
        print(f"limit {limit * 1e3:.1f} ms, {len(milliseconds):,} decisions: {shown} ms", flush=True)


if __name__ == "__main__":
    run(main)
