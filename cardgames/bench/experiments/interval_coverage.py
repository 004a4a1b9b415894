"""Measure the coverage of the arena's 95 % confidence intervals.

    python -m cardgames.bench.experiments.interval_coverage doudizhu --rules openspiel --agents frugal,rlcard-rule

Plays many matches of the same agents, each on its own deals, and counts how often the first agent's interval contains its
true value. The result of a match a hundred times as long serves as the true value.
"""

import cardgames
from cardgames.agents.agent_names import split_agents
from cardgames.bench.arguments import count, parser_of, run
from cardgames.core.game_registry import game_class
from cardgames.support.intervals import wilson


def main() -> None:
    """Parse the arguments, play the matches, and print how often the intervals of win rate and mean return are right."""
    parser = parser_of(__doc__)
    parser.add_argument("game")
    parser.add_argument("--rules")
    parser.add_argument("--agents", required=True, help="one agent per seat, separated by commas")
    parser.add_argument("--games", type=count, default=600, help="games of each match")
    parser.add_argument("--matches", type=count, default=400)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    agents, game_type = split_agents(args.agents), game_class(args.game)
    # some games seat two agents on three seats
    players = min(max(len(agents), game_type.min_players), game_type.max_players)
    game = cardgames.make(args.game, players=players, rules=args.rules)
    truth = cardgames.play_match(game, agents, games=100 * args.games, seed=args.seed).agents[0]
    rates = returns = 0
    for number in range(args.matches):
        result = cardgames.play_match(game, agents, games=args.games, seed=args.seed + 1 + number).agents[0]
        rates += result.ci95[0] <= truth.win_rate <= result.ci95[1]
        returns += result.return_ci95[0] <= truth.mean_return <= result.return_ci95[1]
    for name, hits in (("win rate", rates), ("mean return", returns)):
        low, high = wilson(hits, args.matches)
        print(f"{name}: {hits / args.matches:.1%} ({low:.1%} - {high:.1%}) of {args.matches} intervals contain it")


if __name__ == "__main__":
    run(main)
