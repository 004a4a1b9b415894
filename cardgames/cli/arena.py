"""`arena`: matches and round robins between agents."""

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
    """Keeps the result so far."""

    def __init__(self, games: int, match_length: str):
        """`match_length` says how long a game is, if it is longer than a round."""
        self.latest: MatchResult | None = None
        self._games, self._match_length = games, match_length

    def __call__(self, result: "MatchResult") -> None:
        self.latest = result

    def status(self) -> str:
        """Return how far the games are, in one line."""
        if self.latest is None:
            return f"compiling, and playing the first games{self._match_length}"
        left = self.latest.seconds * max(0, self._games / self.latest.games - 1)
        rates = "  ".join(f"{entry.name} {entry.win_rate:.1%}" for entry in self.latest.agents)
        return f"{self.latest.games:,} of {self._games:,} games{self._match_length}, about {left:.0f} s left: {rates}"


def _print(result: "MatchResult", as_json: bool, games_requested: int | None = None) -> None:
    """Print a result; of a match that was stopped, how many games had been `games_requested` for."""
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
    """Return how long a match over rounds is."""
    paid = "points" if rules.get("payoff") == "points" else "won rounds"
    return f", each to {rules.get('match-score')} {paid} (--rule match-score=N)"


def arena(
    game: GameName,
    agents: Agents,
    games: Annotated[
        int, typer.Option("--games", help="How many, rounded up to whole rotations; a pair in a round robin.")
    ] = 1000,
    rules: Rules = None,
    rule: Rule = None,
    seed: Seed = None,
    jobs: Annotated[
        int, typer.Option("--jobs", help="Processes that share the work; the result is the same, except with --time.")
    ] = 1,
    match: Annotated[
        bool,
        typer.Option(
            "--match", help="A game is a match: rounds until the winners' pay-offs reach the rule match-score."
        ),
    ] = False,
    round_robin: Annotated[
        bool, typer.Option("--round-robin", help="Every pair of the agents plays, two at a table.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time", help="Seconds for a decision, in place of an agent's own simulations=, for agents that heed it."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Let agents play each other on mirrored deals.

    Every deal is played once from every seat. Ctrl-C, SIGTERM or SIGHUP prints what was finished.
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
        players = game_type.min_players  # such a game says itself how many agents it seats
    configured_game = make_game(game, players, rules, rule)
    play = play_round_robin if round_robin else play_match
    progress = _Progress(games * pairs, _match_length(configured_game.rules.to_dict()) if match else "")
    try:
        with show_status(progress.status):
            result = play(configured_game, names, games, choose_seed(seed), jobs, limit, progress, match)
    except (Exception, KeyboardInterrupt):  # an agent's fault in the last game loses none before
        if progress.latest is not None:
            _print(progress.latest, as_json, games_requested=games * pairs)
        raise
    _print(result, as_json)
