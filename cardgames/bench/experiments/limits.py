"""How well a search keeps a limit in time: what its decisions took of the clock.

    python -m cardgames.bench.experiments.limits uno --agent champion --times 0.01 0.1

Rounds of the agent against itself; decisions that were forced, or that no search made, do not count.
"""

import time

import numpy as np

import cardgames
from cardgames.bench.experiments.arguments import count, parser_of, run, seconds
from cardgames.support.errors import InvalidInput

QUANTILES = (0.5, 0.9, 0.99, 1.0)


def taken(game, agent, limit, seed):
    """Yield the seconds that each decision of a search took in one round."""
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        observation, started = state.observation(), time.perf_counter()
        decision = agent.act(observation, cardgames.Limit(time=limit))
        if decision.report is not None:
            yield time.perf_counter() - started
        state.apply_action(decision.action)


def main():
    """Print a line for each limit."""
    parser = parser_of(__doc__)
    parser.add_argument("game")
    parser.add_argument("--rules")
    parser.add_argument("--players", type=count, help="as few as the game seats unless given")
    parser.add_argument("--agent", default="champion")
    parser.add_argument("--times", type=seconds, nargs="+", default=[0.01, 0.1], help="limits in seconds")
    parser.add_argument("--games", type=count, default=10, help="rounds for each limit")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    game = cardgames.make(args.game, players=args.players, rules=args.rules)
    agent = cardgames.agent(args.agent, game, seed=args.seed)
    if not isinstance(agent, cardgames.Searcher):
        raise InvalidInput(f"{args.agent} does not search: it has no use for a limit in time")
    list(taken(game, agent, min(args.times), args.seed))  # compiles
    for limit in args.times:
        rounds = range(args.seed, args.seed + args.games)
        found = np.array([each for seed in rounds for each in taken(game, agent, limit, seed)]) * 1e3
        if not len(found):
            raise InvalidInput("no decision was searched: ask for more --games")
        shown = ", ".join(
            f"{'most' if q == 1 else f'{q:.0%}'} {ms:.1f}"
            for q, ms in zip(QUANTILES, np.quantile(found, QUANTILES), strict=True)
        )
        print(f"limit {limit * 1e3:.1f} ms, {len(found):,} decisions: {shown} ms", flush=True)


if __name__ == "__main__":
    run(main)
