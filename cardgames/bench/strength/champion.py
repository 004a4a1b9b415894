"""Play Uno's `champion` against the papers' agents and the other searches at equal time: `docs/research/strength.md`.

    python -m cardgames.bench.strength.champion --rules rlcard --seed 28 --out champion.jsonl

Matches have two, three and four players; all seats except the champion's have the same agent. The strongest opponents get
more games. Matches that the output file already has are not played again, so an interrupted run continues with the match in
which it was stopped.
"""

import json
import pathlib

import cardgames
from cardgames.agents.agent import Limit
from cardgames.bench.arguments import count, parser_of, run
from cardgames.support.errors import InvalidInput

RIVALS = ("mcts-dbm:setting=paper,root=halving,bias=4,particles=200,playout=linear", "ismcts", "ismcts:playout=linear")
"""Strongest opponents; the first one is a search with linear playouts."""
SEARCHES = (
    "mcts-net:network=actor-critic",
    "q-tree:network=ddqn",
    "expectimax",
    "mcts:setting=paper",
    "mcts-dbm:setting=paper",
)
LEARNERS = ("dqn", "ddqn", "ddqn-mcts", "dmc", "nfsp", "sarsa", "afdqn", "candqn", "afcandqn")
FIXED = ("reflex", "rlcard-rule", "human-rule")
AGENTS = (*RIVALS, *SEARCHES, *LEARNERS, *FIXED)
GAMES = {
    "rlcard": ((8_000, 24_000, 24_000), (1_000, 2_001, 4_000)),
    "common": ((2_000, 2_001, 12_000), (600, 600, 1_200)),
    "simplified": ((200, 8_001, 12_000), (200, 900, 1_200)),
}
"""Preset -> numbers of games with 2, 3 and 4 players, against `RIVALS` and against the other agents."""
INSTEAD = {("simplified", 2, "mcts-net:network=actor-critic"): "mcts-net:network=dqn"}
"""(Preset, number of players, agent) -> agent that plays in its place.

The `actor-critic` network for the preset `simplified` with two players has no critic, so it cannot evaluate leaves.
"""
AXES = {"rlcard": (), "common": ("turn-limit=3000",), "simplified": ("turn-limit=3000",)}
"""Preset -> rule overrides: a turn limit where players may draw although they can play, which makes rounds very long."""


def matches(rules, agents, games):
    """Yield (opponent, number of players, number of games) of each match; `games`, unless None, replaces `GAMES`."""
    for agent in agents:
        for players, usual in enumerate(GAMES[rules][agent not in RIVALS], start=2):
            yield INSTEAD.get((rules, players, agent), agent), players, games or usual


def play(match):
    """Play one match of the champion and return its result as a dict; the key `match` holds the argument.

    `match` is (preset, number of players, opponent, games, seed, seconds per decision).

    Raises:
        InvalidInput: If the agent does not exist.
    """
    rules, players, agent, games, seed, seconds = match
    game = cardgames.make("uno", players=players, rules=rules, overrides=AXES[rules])
    result = cardgames.play_match(game, ["champion", *[agent] * (players - 1)], games, seed, limit=Limit(time=seconds))
    return {"match": match, **result.to_dict()}


def line(row):
    """Return a line of text with the champion's win rate, its 95 % interval and both agents' times, from a match result."""
    champion, other = row["agents"][:2]
    low, high = champion["ci95"]
    void = f", {row['voids']} void" if row["voids"] else ""
    times = " and ".join(f"{entry.get('choice_ms') or 0:.2f}" for entry in (champion, other))
    return (
        f"{row['match'][0]}, {len(row['agents'])} players, {other['name']}: {100 * champion['win_rate']:.2f} % "
        f"({100 * low:.2f} - {100 * high:.2f}) of {row['games']:,} games{void}; {times} ms a choice"
    )


def load_rows(path):
    """Read an output file; return a dict match -> result of the match, empty if there is no file.

    Raises:
        InvalidInput: If the file is not an output of this script.
    """
    if not path.exists():
        return {}
    try:
        return {tuple(row["match"]): row for row in map(json.loads, path.read_text().splitlines())}
    except (ValueError, LookupError, TypeError, OSError):
        raise InvalidInput(f"{path} has lines that are not rows of this script") from None


def append(path, text):
    """Append `text` to the file `path`; do nothing if `path` is None. Raises `InvalidInput` if it cannot be written."""
    if path:
        try:
            with path.open("a") as file:
                file.write(text)
        except OSError as error:
            raise InvalidInput(f"cannot write {path}: {error.strerror}") from None


def main():
    """Parse the arguments, play the matches that the output file lacks, and print a line for each match."""
    parser = parser_of(__doc__)
    parser.add_argument("--rules", choices=GAMES, default="rlcard")
    parser.add_argument(
        "--against", nargs="+", default=AGENTS, metavar="AGENT", help="opponents [default: all of the tables]"
    )
    parser.add_argument("--games", type=count, help="games of every match [default: as in the tables]")
    parser.add_argument("--time", type=float, default=0.002, help="seconds per decision of agents that search")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=pathlib.Path, help="JSON Lines file to which results are appended")
    args = parser.parse_args()
    rows = load_rows(args.out) if args.out else {}
    append(args.out, "")  # fails now, not after hours of play, if the file cannot be written
    for agent, players, games in matches(args.rules, args.against, args.games):
        match = args.rules, players, agent, games, args.seed, args.time
        if match not in rows:
            rows[match] = play(match)
            append(args.out, json.dumps(rows[match]) + "\n")
        print(line(rows[match]), flush=True)


if __name__ == "__main__":
    run(main)
