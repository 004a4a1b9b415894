"""The command `arena`: play many games between agents, at one table or as a round robin, also for ratings."""

import json
import math
import os
import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

import cardgames
from cardgames.agents.agent_names import split_agents
from cardgames.cli.options import (
    Agents,
    GameName,
    Json,
    Rule,
    Rules,
    Seed,
    choose_seed,
    make_game,
    number_of_seats,
    refuse_options,
)
from cardgames.cli.progress import show_status
from cardgames.cli.terminal import columns
from cardgames.support.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardgames.agents.agent import Limit
    from cardgames.agents.agent_ratings import RatingTable
    from cardgames.arena.decision_times import DecisionTimes
    from cardgames.arena.results import MatchResult
    from cardgames.core.game import Game

_ANCHOR = "random"
"""Agent whose rating is 0 unless --anchor names another one."""
_ROLE_NOTE = (
    "A role's line counts seats. Peasants win together, and an agent can have a seat on both sides: rates may add up to "
    "more than 100 %."
)


class _Progress:
    """Latest result of a running match or round robin, and its one-line summary for the status line."""

    def __init__(self, games: int, match_length: str):
        """Start without a result.

        Args:
            games: Number of games to play.
            match_length: Text that says when a game of several rounds ends (`_match_length`); empty for single rounds.
        """
        self.latest: MatchResult | None = None
        self.activity = ""
        """Name of the step after the games, such as timing an agent; empty during the games."""
        self._games, self._match_length = games, match_length

    def __call__(self, result: "MatchResult") -> None:
        self.latest = result

    def status(self) -> str:
        """Return the number of games played, the time left and the win rates, in one line."""
        if self.activity:
            return self.activity
        if self.latest is None:
            return f"compiling, and playing the first games{self._match_length}"
        left = self.latest.seconds * max(0, self._games / self.latest.games - 1)
        rates = "  ".join(f"{entry.name} {entry.win_rate:.1%}" for entry in self.latest.agents)
        return f"{self.latest.games:,} of {self._games:,} games{self._match_length}, about {left:.0f} s left: {rates}"


def _print(
    result: "MatchResult", as_json: bool, games_requested: int | None = None, ratings: "RatingTable | None" = None
) -> None:
    """Print a match result as text tables, or as JSON with `as_json`.

    Args:
        result: Result of the match or round robin.
        as_json: Whether to print JSON.
        games_requested: Number of games that were to be played if the match was stopped early, else None.
        ratings: Ratings of the agents, which replace the text tables; None if they are not wanted.
    """
    if as_json:
        stopped = {} if games_requested is None else {"games_requested": games_requested}
        rated = {} if ratings is None else {"anchor": ratings.anchor, "ratings": ratings.to_dict()["agents"]}
        print(json.dumps({"version": cardgames.__version__} | result.to_dict() | rated | stopped), flush=True)
        return
    if games_requested is not None:
        print(f"stopped after {result.games:,} of {games_requested:,} games")
    width = columns() if sys.stdout.isatty() else None
    if ratings is not None:
        print(f"{ratings.source()}\n{ratings.table(width)}\nRatings are Elo points above {ratings.anchor}.", flush=True)
        return
    for pair in result.pairs:
        print(f"{pair.table(width)}\n")
    void = f", {result.voids} void" if result.voids else ""
    print(
        f"{result.game}, {result.rules['name']} rules, seed {result.seed}: {result.games} games{void}, "
        f"{result.steps} decisions in {result.seconds:.1f} s\n{result.table(width)}",
        flush=True,
    )
    if any(entry.roles for entry in result.agents):
        print(_ROLE_NOTE, flush=True)


def _match_length(rules: "Mapping[str, str | int]") -> str:
    """Return a text for the status line that says at which score a match of several rounds ends."""
    paid = "points" if rules.get("payoff") == "points" else "won rounds"
    return f", each to {rules.get('match-score')} {paid} (--rule match-score=N)"


def arena(
    game: GameName,
    agents: Agents,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            help="Number of games, rounded up so that every deal is played from every seat; with --round-robin, per pair.",
        ),
    ] = 1000,
    rules: Rules = None,
    rule: Rule = None,
    seed: Seed = None,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", metavar="N", help="Number of processes. It does not change the result, except with --time."
        ),
    ] = 1,
    match: Annotated[
        bool,
        typer.Option(
            "--match",
            help="Play matches: in each, rounds are played until a seat's winnings reach the rule match-score.",
        ),
    ] = False,
    round_robin: Annotated[
        bool, typer.Option("--round-robin", help="Play every pair of agents instead of all agents at one table.")
    ] = False,
    ratings: Annotated[
        bool,
        typer.Option(
            "--ratings", help="Play every pair of agents, and print ratings in Elo points and the time of a decision."
        ),
    ] = False,
    anchor: Annotated[
        str | None,
        typer.Option(
            "--anchor", metavar="AGENT", help="With --ratings: the agent whose rating is 0. [default: random]"
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="With --ratings: write the ratings to this JSON file.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="SECONDS",
            help="Time per decision of a search agent, instead of its number of simulations.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare agents on mirrored deals.

    Every deal is played once from every seat. Ctrl-C, SIGTERM or SIGHUP stops and prints the games finished so far.
    In Dou Di Zhu, two agents play alone against two copies of the other one in turn. Its results by role count seats;
    peasants win together, so these rates may add up to more than 100 %.
    """
    from cardgames.agents.agent import Limit
    from cardgames.arena.match import play_match
    from cardgames.arena.ratings import check_rated, pair_scores, rating_table
    from cardgames.arena.round_robin import play_round_robin

    if seconds is not None and not 0 < seconds < math.inf:
        raise InvalidInput(f"--time is a number of seconds above 0, not {seconds}")
    limit = None if seconds is None else Limit(time=seconds)
    names, zero = split_agents(agents), anchor or _ANCHOR
    if not ratings:
        refuse_options({"--anchor": anchor, "--out": out}, "needs --ratings")
    elif len(names) > 1:  # the round robin refuses a single agent
        check_rated(names, zero)
    if out is not None:
        _check_writable(out)
    round_robin, seed = round_robin or ratings, choose_seed(seed)
    pairs = len(names) * (len(names) - 1) // 2 if round_robin else 1
    configured_game = make_game(game, number_of_seats(game, 2 if round_robin else len(names)), rules, rule)
    play = play_round_robin if round_robin else play_match
    progress = _Progress(games * pairs, _match_length(configured_game.rules.to_dict()) if match else "")
    options = {"--rules": rules, "--match": match, "--anchor": anchor, "--time": seconds, "--rule": rule}
    command = _rating_command(game, names, games, seed, options)
    table: RatingTable | None = None
    try:
        with show_status(progress.status):
            result = play(configured_game, names, games, seed, jobs, limit, progress, match)
            if ratings:
                times = _decision_times(configured_game, names, seed, limit, progress)
                table = rating_table(configured_game, names, pair_scores(result), zero, seed, command, times)
    except (Exception, KeyboardInterrupt):  # an agent that fails late loses no game finished before
        if progress.latest is not None:
            if ratings:
                table = rating_table(configured_game, names, pair_scores(progress.latest), zero, seed, command, {})
            _print(progress.latest, as_json, games * pairs, table)
        raise
    _print(result, as_json, ratings=table)
    if table is not None and out is not None:
        table.write(out)


def _check_writable(out: str) -> None:
    """Check that a file can be written, before hours of play. Raises `InvalidInput` if not."""
    if os.path.isdir(out) or not os.access(os.path.dirname(out) or ".", os.W_OK):
        raise InvalidInput(f"cannot write {out}: it is a folder, or its folder does not exist or is read-only")


def _decision_times(
    game: "Game", names: Sequence[str], seed: int, limit: "Limit | None", progress: _Progress
) -> "dict[str, DecisionTimes]":
    """Measure and return the decision times of each agent; the status line says which is being timed."""
    from cardgames.arena.decision_times import measure_decision_times

    times = {}
    for name in names:
        progress.activity = f"timing the decisions of {name}"
        times[name] = measure_decision_times(game, name, seed, limit=limit)
    progress.activity = "fitting the ratings"
    return times


def _rating_command(game: str, names: Sequence[str], games: int, seed: int, options: "Mapping[str, object]") -> str:
    """Return the command that repeats a measurement of ratings.

    Of `options`, further options with their values, those that are not set are left out; those with a list are repeated.
    """
    words = ["cardgames", "arena", game, "--ratings", "--agents", ",".join(names), "--games", str(games)]
    words += ["--seed", str(seed)]
    for option, value in options.items():
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [word for each in (value if isinstance(value, list) else [value]) for word in (option, str(each))]
    return shlex.join(words)
