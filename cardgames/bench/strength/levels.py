"""Play the adjacent levels of a game against each other, and print rows of `docs/data/strength/levels.csv`.

    python -m cardgames.bench.strength.levels uno --rules official common --games 20000 --seed 1
    python -m cardgames.bench.strength.levels doudizhu --games 600 --levels hard champion --seed 1

The win rate in Dou Di Zhu is the mean of both sides: as the landlord against two agents of the weaker level, and as
the two peasants against one. Its interval treats the two sides as independent; as both play the same deals, it is too
wide rather than too narrow.
"""

import csv
import math
import sys
from itertools import pairwise
from typing import Any

import cardgames
from cardgames.bench.arguments import count, parser_of, run

LEVELS = ("easy", "medium", "hard", "champion")
COLUMNS = (
    "game",
    "rules",
    "players",
    "stronger",
    "weaker",
    "win_rate",
    "win_rate_low",
    "win_rate_high",
    "games",
    "seed",
)


def win_rate(agents: list[dict[str, Any]]) -> tuple[float, float, float]:
    """Return the first agent's win rate and its 95 % interval from the agents of a result (`MatchResult.to_dict`).

    With roles it is the mean of the landlord's and the peasants' win rate.
    """
    stronger, weaker = agents[:2]
    if not stronger.get("roles"):
        return stronger["win_rate"], *stronger["ci95"]
    own, other = (agent["roles"][0] for agent in (stronger, weaker))
    mean = (own["win_rate"] + 1 - other["win_rate"]) / 2
    half_widths = [(role["ci95"][1] - role["ci95"][0]) / 2 for role in (own, other)]
    half = math.hypot(*half_widths) / 2
    return mean, mean - half, mean + half


def main() -> None:
    """Parse the arguments and print a row of CSV for each rule set and pair of levels."""
    parser = parser_of(__doc__)
    parser.add_argument("game", choices=("uno", "doudizhu"))
    parser.add_argument("--rules", nargs="+", help="rule sets [default: the game's default]")
    parser.add_argument("--rule", action="append", default=[], metavar="NAME=VALUE", help="change one rule")
    parser.add_argument("--players", type=count, help="number of players [default: 2 for Uno, 3 for Dou Di Zhu]")
    parser.add_argument("--levels", nargs="+", choices=LEVELS, default=LEVELS[:3], help="levels, the weakest first")
    parser.add_argument("--games", type=count, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for rules in args.rules or [None]:
        game = cardgames.make(args.game, args.players, rules, args.rule)
        for weaker, stronger in pairwise(args.levels):
            others = 1 if game.roles else game.num_players - 1
            result = cardgames.play_match(game, [stronger, *[weaker] * others], args.games, args.seed).to_dict()
            rates = [f"{100 * rate:.1f}" for rate in win_rate(result["agents"])]
            names = game.name, game.rules.name, game.num_players, stronger, weaker
            writer.writerow([*names, *rates, result["games"], args.seed])
            sys.stdout.flush()


if __name__ == "__main__":
    run(main)
