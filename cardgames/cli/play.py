"""The commands `play` (a person against agents) and `watch` (agents only)."""

import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cardgames.agents.agent_names import split_agents
from cardgames.cli.options import (
    Agents,
    GameName,
    Plain,
    Record,
    Rule,
    Rules,
    Seed,
    choose_seed,
    make_game,
    number_of_seats,
    refuse_options,
)
from cardgames.cli.position import PositionRequest
from cardgames.cli.session import SessionSetup, session_from_record
from cardgames.support.errors import InvalidInput

if TYPE_CHECKING:
    from cardgames.agents.agent import Agent

_MIN_SPEED = 0.01
"""Lowest playback speed that `watch` accepts, as a factor; some decisions then stay visible for a minute or longer."""


def play(
    game: GameName,
    vs: Annotated[
        str | None,
        typer.Option(
            "--vs",
            metavar="AGENT[,AGENT...]",
            help="Opponents: one agent for all other seats, or one for each. [default: mcts-dbm]",
        ),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            "--players",
            metavar="N",
            help="Number of players, including you. [default: as --vs lists; else 2 for Uno, 3 for Dou Di Zhu]",
        ),
    ] = None,
    rules: Rules = None,
    rule: Rule = None,
    seed: Seed = None,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="N", help="Your seat, counted from 0. [default: 0]")
    ] = None,
    plain: Plain = False,
    record: Record = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--position",
            metavar="TEXT",
            help="Begin every round at this position, written as for `search-debug`.",
        ),
    ] = None,
    open_hands: Annotated[bool, typer.Option("--open", help="Show all hands, as in an endgame puzzle.")] = False,
    resume: Annotated[
        str | None,
        typer.Option("--resume", metavar="FILE", help="Continue the session in this record and append to it."),
    ] = None,
) -> None:
    """Play against agents."""
    from cardgames.core.game import check_is_game
    from cardgames.tui.line_mode import GAMES

    if resume is None:
        opponents = split_agents("mcts-dbm" if vs is None else vs)
        if players is None and len(opponents) > 1:
            players = len(opponents) + 1
        seed, start = choose_seed(seed), None
        if position is not None:
            start = PositionRequest(game, position, players, rules, rule).state(seed)
            if start.is_terminal():
                raise InvalidInput("the round is over in this position: no player is to move")
        configured_game = make_game(game, players, rules, rule) if start is None else check_is_game(start.game)
        seat = seat or 0
        if not 0 <= seat < configured_game.num_players:
            raise InvalidInput(f"--seat is a number from 0 to {configured_game.num_players - 1}, not {seat}")
        names = _seat_names(seat, opponents, configured_game.num_players)
        session = SessionSetup(configured_game, names, seed, record, start=start, open_hands=open_hands)
    else:
        fixed_options = {
            "--vs": vs,
            "--players": players,
            "--rules": rules,
            "--rule": rule,
            "--seed": seed,
            "--seat": seat,
            "--position": position,
            "--open": open_hands,
        }
        refuse_options(fixed_options, f"cannot be used with --resume: {resume} sets it")
        refuse_options({"--record": record}, f"cannot be used with --resume: new rounds are appended to {resume}")
        session = session_from_record(game, resume)
    plain = plain or game not in GAMES
    table = session.open(plain)

    hinter = _hinter(game, session.names, table.agents)
    hint = None if hinter is None else lambda: session.agent(hinter, table.person or 0)
    if plain:
        from cardgames.tui.line_table import play_plain

        play_plain(table, sys.stdin, sys.stdout, hint)
    else:
        from cardgames.tui.table_app import run_play

        record_path = table.record
        run_play(table, hint)
        if record_path is not None and table.round:
            print(f"Resume with --resume {record_path}.")


def _hinter(game: str, names: Sequence[str | None], agents: "Sequence[Agent | None]") -> str | None:
    """Return the name of the agent that gives hints: the game's champion, whoever one plays against.

    For a game without a built-in champion it is the first opponent that does not see hidden cards; None if all do.
    """
    from cardgames.agents.agent import is_cheating
    from cardgames.agents.agent_factory import available

    if "champion" in available(game):
        return "champion"
    return next((n for n, a in zip(names, agents, strict=True) if n is not None and not is_cheating(a)), None)


def _seat_names(seat: int, opponents: list[str], players: int) -> list[str | None]:
    """Return the agent name of each seat, with None for the person's seat `seat`.

    The agents `opponents` take the other seats in order; a single opponent takes all of them.

    Raises:
        InvalidInput: The number of opponents is neither 1 nor `players` - 1.
    """
    others = opponents * (players - 1) if len(opponents) == 1 else opponents
    if len(others) != players - 1:
        raise InvalidInput(f"--vs names {len(others)} agents, but there are {players - 1} other seats")
    return [*others[:seat], None, *others[seat:]]


def watch(
    game: GameName,
    agents: Agents,
    rules: Rules = None,
    rule: Rule = None,
    seed: Seed = None,
    speed: Annotated[
        float | None,
        typer.Option(
            "--speed",
            metavar="FACTOR",
            help="Playback speed; 2 is twice as fast. [default: 1 in a terminal, else without pauses]",
        ),
    ] = None,
    plain: Plain = False,
    record: Record = None,
) -> None:
    """Watch agents play with all cards visible.

    In Dou Di Zhu, two agents play as in the arena: the first one alone, on seat 0, against two copies of the second one.
    """
    from cardgames.tui.line_mode import GAMES

    if speed is None:
        speed = 1.0 if sys.stdout.isatty() else math.inf
    if not speed >= _MIN_SPEED:
        raise InvalidInput(f"--speed is {_MIN_SPEED} or more, not {speed}")
    names = split_agents(agents)
    plain = plain or game not in GAMES
    configured_game = make_game(game, number_of_seats(game, len(names)), rules, rule)
    seats = [names[participant] for participant in configured_game.seatings(len(names))[0]]
    table = SessionSetup(configured_game, seats, choose_seed(seed), record).open(plain)
    if plain:
        from cardgames.tui.line_table import watch_plain

        watch_plain(table, sys.stdout, speed)
    else:
        from cardgames.tui.table_app import run_watch

        run_watch(table, speed)
