"""`play` and `watch`: a table with a person, or without."""

import math
import sys
from typing import Annotated

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
    refuse_options,
)
from cardgames.cli.session import SessionSetup, session_from_record
from cardgames.support.errors import InvalidInput

_MIN_SPEED = 0.01
"""The least speed: some decisions are shown for a minute and longer then."""


def play(
    game: GameName,
    vs: Annotated[
        str | None,
        typer.Option(
            "--vs", metavar="AGENT", help="Who plays against you, on every other seat (mcts-dbm); or A,B,... for each."
        ),
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", help="How many play, you included (as --vs says; Uno 2, Dou Di Zhu 3).")
    ] = None,
    rules: Rules = None,
    rule: Rule = None,
    seed: Seed = None,
    seat: Annotated[int | None, typer.Option("--seat", help="Your seat, from 0 (0).")] = None,
    plain: Plain = False,
    record: Record = None,
    resume: Annotated[
        str | None,
        typer.Option("--resume", metavar="FILE", help="Go on with what a record holds, and with the record."),
    ] = None,
) -> None:
    """Play against agents."""
    from cardgames.agents.agent import Agent, is_cheating, is_searcher
    from cardgames.tui.text_theme import GAMES

    if resume is None:
        opponents = split_agents("mcts-dbm" if vs is None else vs)
        if players is None and len(opponents) > 1:
            players = len(opponents) + 1
        configured_game, seat = make_game(game, players, rules, rule), seat or 0
        if not 0 <= seat < configured_game.num_players:
            raise InvalidInput(f"--seat is a number from 0 to {configured_game.num_players - 1}, not {seat}")
        session = SessionSetup(
            configured_game, _seat_names(seat, opponents, configured_game.num_players), choose_seed(seed), record
        )
    else:
        fixed_options = {
            "--vs": vs,
            "--players": players,
            "--rules": rules,
            "--rule": rule,
            "--seed": seed,
            "--seat": seat,
        }
        refuse_options(fixed_options, f"has no effect beside --resume: {resume} says who plays what")
        refuse_options({"--record": record}, f"has no effect beside --resume: {resume} goes on")
        session = session_from_record(game, resume)
    plain = plain or game not in GAMES
    table = session.open(plain)

    # yardsticks that see all cards would tell them
    seated = [
        (name, other)
        for name, other in zip(session.names, table.agents, strict=True)
        if name is not None and not is_cheating(other)
    ]

    def make_hinter() -> Agent:
        name, _ = max(seated, key=lambda each: is_searcher(each[1]))  # the first who searches, if one does
        return session.agent(name, table.person or 0)

    hint = make_hinter if seated else None
    if plain:
        from cardgames.tui.line_table import play_plain

        play_plain(table, sys.stdin, sys.stdout, hint)
    else:
        from cardgames.tui.app import run_play

        record_path = table.record
        run_play(table, hint)
        if record_path is not None and table.round:
            print(f"--resume {record_path} goes on")


def _seat_names(seat: int, opponents: list[str], players: int) -> list[str | None]:
    """Return who sits where: None on the person's seat, one agent on all others or each on one. Raises `InvalidInput`."""
    others = opponents * (players - 1) if len(opponents) == 1 else opponents
    if len(others) != players - 1:
        raise InvalidInput(f"--vs names {len(others)} agents, and beside you {players - 1} can play")
    return [*others[:seat], None, *others[seat:]]


def watch(
    game: GameName,
    agents: Agents,
    rules: Rules = None,
    rule: Rule = None,
    seed: Seed = None,
    speed: Annotated[
        float | None, typer.Option("--speed", help="2 is twice as fast. Without it --plain into a file never waits.")
    ] = None,
    plain: Plain = False,
    record: Record = None,
) -> None:
    """Watch agents play, all cards shown."""
    from cardgames.tui.text_theme import GAMES

    if speed is None:
        speed = 1.0 if sys.stdout.isatty() else math.inf
    if not speed >= _MIN_SPEED:
        raise InvalidInput(f"--speed is {_MIN_SPEED} or more, not {speed}")
    names = split_agents(agents)
    plain = plain or game not in GAMES
    table = SessionSetup(make_game(game, len(names), rules, rule), names, choose_seed(seed), record).open(plain)
    if plain:
        from cardgames.tui.line_table import watch_plain

        watch_plain(table, sys.stdout, speed)
    else:
        from cardgames.tui.app import run_watch

        run_watch(table, speed)
