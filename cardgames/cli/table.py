"""`play` and `watch`: a table with a person, or without."""

import math
import sys
from typing import TYPE_CHECKING, Annotated

import typer

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
    split_agents,
)
from cardgames.cli.terminal import check_terminal
from cardgames.core.errors import InvalidInput

if TYPE_CHECKING:
    from cardgames.core.game import Game
    from cardgames.tui.table import Table


def _open_table(game: "Game", names: list[str | None], seed: int, record: str | None, plain: bool) -> "Table":
    """Seat the agents named, None for the person. Raises `InvalidInput`."""
    from cardgames.core import rng
    from cardgames.core.agents import agent
    from cardgames.core.recorder import Recorder
    from cardgames.tui.table import Table

    agents = [None if name is None else agent(name, game, rng.derive(seed, s)) for s, name in enumerate(names)]
    if not plain:
        check_terminal()
    recorder = Recorder(record, game, [name or "you" for name in names], seed) if record is not None else None
    print(f"seed {seed}", flush=True)
    return Table(game, agents, seed=seed, recorder=recorder)


def play(
    game: GameName,
    vs: Annotated[
        str, typer.Option("--vs", metavar="AGENT", help="Who plays against you, on every other seat.")
    ] = "mcts-dbm",
    players: Annotated[int | None, typer.Option("--players", help="How many play, you included.")] = None,
    rules: Rules = None,
    rule: Rule = None,
    seed: Seed = None,
    seat: Annotated[int, typer.Option("--seat", help="Your seat, from 0.")] = 0,
    plain: Plain = False,
    record: Record = None,
) -> None:
    """Play against agents."""
    from cardgames.core import rng
    from cardgames.core.agents import agent
    from cardgames.core.decision import Agent
    from cardgames.tui.face import GAMES

    made = make_game(game, players, rules, rule)
    if not 0 <= seat < made.num_players:
        raise InvalidInput(f"--seat is a number from 0 to {made.num_players - 1}, not {seat}")
    seed = choose_seed(seed)
    plain = plain or game not in GAMES
    names = [None if s == seat else vs for s in range(made.num_players)]
    table = _open_table(made, names, seed, record, plain)

    def make_hinter() -> Agent:
        return agent(vs, table.game, rng.derive(seed, seat))

    # a yardstick that sees all cards would tell them
    hint = None if any(hasattr(other, "peek") for other in table.agents) else make_hinter
    if plain:
        from cardgames.tui.plain import play_plain

        play_plain(table, sys.stdin, sys.stdout, hint)
    else:
        from cardgames.tui.app import run_play

        run_play(table, hint)


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
    from cardgames.tui.face import GAMES

    if speed is None:
        speed = 1.0 if sys.stdout.isatty() else math.inf
    if not speed > 0:
        raise InvalidInput(f"--speed is greater than 0, not {speed}")
    names: list[str | None] = [*split_agents(agents)]
    plain = plain or game not in GAMES
    table = _open_table(make_game(game, len(names), rules, rule), names, choose_seed(seed), record, plain)
    if plain:
        from cardgames.tui.plain import watch_plain

        watch_plain(table, sys.stdout, speed)
    else:
        from cardgames.tui.app import run_watch

        run_watch(table, speed)
