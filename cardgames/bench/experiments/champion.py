"""What Uno's champion wins at equal time from the papers' agents and the other searches: tables of docs/strength.md.

    python -m cardgames.bench.experiments.champion --rules rlcard --seed 28 --out champion.jsonl

Against one, among three and among four, all others the same agent. Those that come close get more games. A match that the
file holds is not played again, so a run that was stopped begins with the match it was in.
"""

import json
import pathlib

import cardgames
from cardgames.agents.agent import Limit
from cardgames.bench.experiments.arguments import count, parser_of, run
from cardgames.support.errors import InvalidInput

RIVALS = ("mcts-dbm:root=halving,bias=4,particles=200,playout=linear", "ismcts", "ismcts:playout=linear")
"""They come close; the first is the linear search."""
SEARCHES = ("mcts-net:network=actor-critic", "q-tree:network=ddqn", "expectimax", "mcts", "mcts-dbm")
LEARNERS = ("dqn", "ddqn", "ddqn-mcts", "dmc", "nfsp", "sarsa", "afdqn", "candqn", "afcandqn")
FIXED = ("reflex", "rlcard-rule", "human-rule")
AGENTS = (*RIVALS, *SEARCHES, *LEARNERS, *FIXED)
GAMES = {
    "rlcard": ((8_000, 24_000, 24_000), (1_000, 2_001, 4_000)),
    "common": ((2_000, 2_001, 12_000), (600, 600, 1_200)),
    "simplified": ((200, 8_001, 12_000), (200, 900, 1_200)),
}
"""Against one, two and three rivals, and against others."""
INSTEAD = {("simplified", 2, "mcts-net:network=actor-critic"): "mcts-net:network=dqn"}
"""The network of `actor-critic` that hoards has no critic, and so judges nothing."""
AXES = {"rlcard": (), "common": ("turn-limit=3000",), "simplified": ("turn-limit=3000",)}
"""Where players may draw at will some rounds hardly end."""


def matches(rules, agents, games):
    """Yield the other agent, the number of players and of games of each match; `games`, if given, in every one."""
    for agent in agents:
        for players, usual in enumerate(GAMES[rules][agent not in RIVALS], start=2):
            yield INSTEAD.get((rules, players, agent), agent), players, games or usual


def play(match):
    """Return the row of one match: its result as plain data, and by what it is found again. Raises `InvalidInput`."""
    rules, players, agent, games, seed, seconds = match
    game = cardgames.make("uno", players=players, rules=rules, overrides=AXES[rules])
    result = cardgames.play_match(game, ["champion", *[agent] * (players - 1)], games, seed, limit=Limit(time=seconds))
    return {"match": match, **result.to_dict()}


def line(row):
    """Return a row in words."""
    champion, other = row["agents"][:2]
    low, high = champion["ci95"]
    void = f", {row['voids']} void" if row["voids"] else ""
    times = " and ".join(f"{entry.get('choice_ms') or 0:.2f}" for entry in (champion, other))
    return (
        f"{row['match'][0]}, {len(row['agents'])} players, {other['name']}: {100 * champion['win_rate']:.2f} % "
        f"({100 * low:.2f} - {100 * high:.2f}) of {row['games']:,} games{void}; {times} ms a choice"
    )


def held(path):
    """Return the rows of a file by their matches; none where there is no file. Raises `InvalidInput`."""
    if not path.exists():
        return {}
    try:
        return {tuple(row["match"]): row for row in map(json.loads, path.read_text().splitlines())}
    except (ValueError, LookupError, TypeError, OSError):
        raise InvalidInput(f"{path} does not hold rows of this script alone") from None


def keep(path, text):
    """Add to a file, if there is to be one. Raises `InvalidInput` if it cannot be written."""
    if path:
        try:
            with path.open("a") as file:
                file.write(text)
        except OSError as error:
            raise InvalidInput(f"cannot write {path}: {error.strerror}") from None


def main():
    """Print a line for each match."""
    parser = parser_of(__doc__)
    parser.add_argument("--rules", choices=GAMES, default="rlcard")
    parser.add_argument("--against", nargs="+", default=AGENTS, metavar="AGENT", help="all in the tables unless named")
    parser.add_argument("--games", type=count, help="in every match, in place of the usual numbers")
    parser.add_argument("--time", type=float, default=0.002, help="seconds for a decision of whoever searches")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=pathlib.Path, help="the file of the rows, JSON a line; without, none are kept")
    args = parser.parse_args()
    rows = held(args.out) if args.out else {}
    keep(args.out, "")  # what cannot be written to is told before hours are played
    for agent, players, games in matches(args.rules, args.against, args.games):
        match = args.rules, players, agent, games, args.seed, args.time
        if match not in rows:
            rows[match] = play(match)
            keep(args.out, json.dumps(rows[match]) + "\n")
        print(line(rows[match]), flush=True)


if __name__ == "__main__":
    run(main)
