"""Make the tables of ratings that come with the package: `cardgames/agents/ratings`.

    python -m cardgames.bench.strength.ratings --seed 1 --pairs ratings.jsonl --out cardgames/agents/ratings

Plays a round robin of the built-in agents of each game under its usual rules; agents that see hidden cards are left out. A
pair in which an agent searches plays fewer games. Matches that the file --pairs already has are not played again, so an
interrupted run continues. The decisions of every agent are timed at the end, on one core if the machine is idle.
"""

import itertools
import json
import pathlib
import shlex
import sys
import zlib
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any

import cardgames
from cardgames.agents.agent import is_cheating, is_searcher
from cardgames.agents.agent_factory import available
from cardgames.arena.decision_times import measure_decision_times
from cardgames.arena.ratings import PairScores, check_rated, rating_table
from cardgames.bench.arguments import count, parser_of, run
from cardgames.core.game import Game
from cardgames.core.game_registry import BUILT_IN
from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput, unknown_name

ANCHOR = "random"
PLAYERS = {"uno": 2, "doudizhu": 3}
"""Game -> number of seats. In Dou Di Zhu one of two agents plays alone, then the other."""


def rated_agents(game: Game) -> dict[str, bool]:
    """Return agent name -> whether it searches, for the built-in agents of a game that do not see hidden cards."""
    made = {name: cardgames.agent(name, game) for name in available(game.name)}
    return {name: is_searcher(agent) for name, agent in made.items() if not is_cheating(agent)}


def key_of(game: Game, pair: Sequence[str], games: int, seed: int) -> tuple[str | int, ...]:
    """Return what identifies a match in the file of matches: game, rules, agents, number of games, seed."""
    return game.name, game.rules.hash, *pair, games, seed


def load_matches(path: pathlib.Path | None) -> dict[tuple[str | int, ...], tuple[int, ...]]:
    """Read the file of matches; return a dict key -> numbers of deals by score, empty if there is no file.

    Raises:
        InvalidInput: If the file is not an output of this script.
    """
    if path is None or not path.exists():
        return {}
    try:
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        return {tuple(row["match"]): tuple(row["deal_scores"]) for row in rows}
    except (ValueError, LookupError, TypeError, OSError):
        raise InvalidInput(f"{path} has lines that are not rows of this script") from None


def append(path: pathlib.Path | None, row: dict[str, Any] | None) -> None:
    """Append an object as a line to the file `path`; do nothing without a path. Raises `InvalidInput` on failure."""
    if path is None:
        return
    try:
        with path.open("a") as file:
            file.write("" if row is None else json.dumps(row) + "\n")
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error.strerror}") from None


def play_pairs(game: Game, searches: Mapping[str, bool], args: Namespace) -> list[PairScores]:
    """Play the matches of a game that the file of matches lacks, and return all their results as `PairScores`.

    `searches` maps the names of the agents to whether they search.
    """
    done, pairs = load_matches(args.pairs), []
    for pair in itertools.combinations(searches, 2):
        games = args.search_games if any(searches[name] for name in pair) else args.games
        key = key_of(game, pair, games, args.seed)
        if key not in done:
            seed = rng.derive(args.seed, *(zlib.crc32(name.encode()) for name in pair))
            result = cardgames.play_match(game, list(pair), games, seed, args.jobs)
            done[key] = result.deal_scores
            append(args.pairs, {"match": key, "deal_scores": result.deal_scores, "seconds": result.seconds})
        pairs.append(PairScores(*pair, done[key]))
        won = sum(score * deals for score, deals in enumerate(done[key])) / 2
        text = f"{game.name}: {pair[0]} won {won:g} of {pairs[-1].games} games against {pair[1]}"
        print(text, file=sys.stderr, flush=True)
    return pairs


def command_of(args: Namespace) -> str:
    """Return the command that repeats the measurement, without the names of files."""
    words = ["python", "-m", "cardgames.bench.strength.ratings", "--game", *args.game]
    words += ["--agents", *args.agents] if args.agents else []
    words += ["--games", args.games, "--search-games", args.search_games, "--seed", args.seed]
    return shlex.join(map(str, words))


def main() -> None:
    """Parse the arguments, play the matches, time the agents, and write and print a table for each game."""
    parser = parser_of(__doc__)
    parser.add_argument("--game", choices=BUILT_IN, nargs="+", default=list(BUILT_IN))
    parser.add_argument("--agents", nargs="+", metavar="AGENT", help="rate only these of the agents, and random")
    parser.add_argument("--games", type=count, default=2_000, help="games of a pair of agents that do not search")
    parser.add_argument("--search-games", type=count, default=400, help="games of a pair with an agent that searches")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=count, default=1)
    parser.add_argument("--pairs", type=pathlib.Path, help="JSON Lines file of the matches played, to continue a run")
    parser.add_argument("--out", type=pathlib.Path, help="folder of the tables [default: they are only printed]")
    args = parser.parse_args()
    if args.out is not None and not args.out.is_dir():
        raise InvalidInput(f"--out: there is no folder {args.out}")
    known = {agent for name in args.game for agent in available(name)}
    for agent in args.agents or ():
        if agent not in known:
            raise unknown_name("agent", agent, sorted(known))
    append(args.pairs, None)  # fails now, not after hours of play, if the file cannot be written
    for name in args.game:
        game = cardgames.make(name, players=PLAYERS[name])
        searches = {
            agent: searches
            for agent, searches in rated_agents(game).items()
            if args.agents is None or agent in (*args.agents, ANCHOR)
        }
        check_rated(list(searches), ANCHOR)
        pairs = play_pairs(game, searches, args)
        times = {agent: measure_decision_times(game, agent, args.seed) for agent in searches}
        table = rating_table(game, list(searches), pairs, ANCHOR, args.seed, command_of(args), times)
        if args.out is not None:
            table.write(args.out / f"{name}-{game.rules.name}.json")
        print(f"{table.source()}\n{table.table()}\n", flush=True)


if __name__ == "__main__":
    run(main)
