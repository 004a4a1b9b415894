"""The command `arena`: play many games between agents, at one table or as a round robin."""

import json
import math
import sys
from typing import TYPE_CHECKING, Annotated

import typer

import cardgames
from cardgames.agents.agent_names import split_agents
from cardgames.cli.options import Agents, GameName, Json, Rule, Rules, Seed, choose_seed, make_game
from cardgames.cli.progress import show_status
from cardgames.cli.terminal import columns
from cardgames.support.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardgames.arena.results import MatchResult


class _Progress:
    """Latest result of a running match or round robin, and its one-line summary for the status line."""

    def __init__(self, games: int, match_length: str):
        """Start without a result.

        Args:
            games: Number of games to play.
            match_length: Text that says when a game of several rounds ends (`_match_length`); empty for single rounds.
        """
        self.latest: MatchResult | None = None
        self._games, self._match_length = games, match_length

    def __call__(self, result: "MatchResult") -> None:
        self.latest = result

    def status(self) -> str:
        """Return the number of games played, the time left and the win rates, in one line."""
        if self.latest is None:
            return f"compiling, and playing the first games{self._match_length}"
        left = self.latest.seconds * max(0, self._games / self.latest.games - 1)
        rates = "  ".join(f"{entry.name} {entry.win_rate:.1%}" for entry in self.latest.agents)
        return f"{self.latest.games:,} of {self._games:,} games{self._match_length}, about {left:.0f} s left: {rates}"


def _print(result: "MatchResult", as_json: bool, games_requested: int | None = None) -> None:
    """Print a match result as text tables, or as JSON with `as_json`.

    `games_requested` is the number of games that were to be played if the match was stopped early, else None.
    """
    if as_json:
        stopped = {} if games_requested is None else {"games_requested": games_requested}
        print(json.dumps({"version": cardgames.__version__} | result.to_dict() | stopped), flush=True)
        return
    if games_requested is not None:
        print(f"stopped after {result.games:,} of {games_requested:,} games")
    width = columns() if sys.stdout.isatty() else None
    for pair in result.pairs:
        print(f"{pair.table(width)}\n")
    void = f", {result.voids} void" if result.voids else ""
    print(
        f"{result.game}, {result.rules['name']} rules, seed {result.seed}: {result.games} games{void}, "
        f"{result.steps} decisions in {result.seconds:.1f} s\n{result.table(width)}",
        flush=True,
    )


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
    """
    from cardgames.agents.agent import Limit
    from cardgames.arena.match import play_match
    from cardgames.arena.round_robin import play_round_robin
    from cardgames.core.game_registry import game_class

    if seconds is not None and not 0 < seconds < math.inf:
        raise InvalidInput(f"--time is a number of seconds above 0, not {seconds}")
    limit = None if seconds is None else Limit(time=seconds)
    names = split_agents(agents)
    pairs = len(names) * (len(names) - 1) // 2 if round_robin else 1
    players = 2 if round_robin else len(names)
    game_type = game_class(game)
    if game_type.min_players == game_type.max_players:
        players = game_type.min_players  # a game for a fixed number of players checks the number of agents itself
    configured_game = make_game(game, players, rules, rule)
    play = play_round_robin if round_robin else play_match
    progress = _Progress(games * pairs, _match_length(configured_game.rules.to_dict()) if match else "")
    try:
        with show_status(progress.status):
            result = play(configured_game, names, games, choose_seed(seed), jobs, limit, progress, match)
    except (Exception, KeyboardInterrupt):  # an agent that fails late loses no game finished before
        if progress.latest is not None:
            _print(progress.latest, as_json, games_requested=games * pairs)
        raise
    _print(result, as_json)
