"""How often the arena's 95 % intervals hold the truth, which a match a hundred times as long is taken for.

    python -m cardgames.bench.experiments.coverage doudizhu --rules openspiel --agents frugal,rlcard-rule

Many matches of the same agents, each on deals of its own; counted is in how many of them the first agent's interval
holds what it came to in the long match.
"""

import cardgames
from cardgames.agents.agent_names import split_agents
from cardgames.bench.experiments.arguments import count, parser_of, run
from cardgames.core.game_registry import game_class
from cardgames.support.intervals import wilson


def main() -> None:
    """Play, count, and print the two shares."""
    parser = parser_of(__doc__)
    parser.add_argument("game")
    parser.add_argument("--rules")
    parser.add_argument("--agents", required=True, help="one a seat, separated by commas")
    parser.add_argument("--games", type=count, default=600, help="of each match")
    parser.add_argument("--matches", type=count, default=400)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    agents, known = split_agents(given.agents), game_class(given.game)
    players = min(max(len(agents), known.min_players), known.max_players)  # some games seat two agents on three seats
    game = cardgames.make(given.game, players=players, rules=given.rules)
    truth = cardgames.play_match(game, agents, games=100 * given.games, seed=given.seed).agents[0]
    rates = returns = 0
    for number in range(given.matches):
        found = cardgames.play_match(game, agents, games=given.games, seed=given.seed + 1 + number).agents[0]
        rates += found.ci95[0] <= truth.win_rate <= found.ci95[1]
        returns += found.return_ci95[0] <= truth.mean_return <= found.return_ci95[1]
    for what, held in (("win rate", rates), ("mean return", returns)):
        low, high = wilson(held, given.matches)
        print(f"{what}: {held / given.matches:.1%} ({low:.1%} - {high:.1%}) of {given.matches} intervals hold it")


if __name__ == "__main__":
    run(main)
