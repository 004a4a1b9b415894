"""`train`: let an agent learn, and write its weights to a file."""

from pathlib import Path
from typing import Annotated

import typer

from cardgames.cli.options import GameName, Rule, Rules, make_game
from cardgames.cli.progress import waiting
from cardgames.core.errors import InvalidInput, unknown

ALGORITHMS = ("linear",)


def train(
    game: GameName,
    algorithm: Annotated[str, typer.Argument(metavar="ALGORITHM", help=f"One of {', '.join(ALGORITHMS)}.")],
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Where the weights go; others in it stay.")],
    players: Annotated[int | None, typer.Option("--players", help="How many play.")] = None,
    rules: Rules = None,
    rule: Rule = None,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds of self-play.")] = 1_600_000,
    seed: Annotated[int, typer.Option("--seed", help="Fixes all chance.")] = 0,
) -> None:
    """Let an agent learn by playing against itself, and write what it learned to a file.

    `linear`: REINFORCE for the linear policy; half a minute. Play it with `--vs linear:weights=FILE`.
    """
    if algorithm not in ALGORITHMS:
        raise unknown("algorithm", algorithm, ALGORITHMS)
    table = make_game(game, players, rules, rule)
    from cardgames.learners import linear
    from cardgames.uno.linear_weights import read_weights, table_name, write_weights

    if rounds < linear.BATCHES:
        raise InvalidInput(f"--rounds is a number from {linear.BATCHES}, not {rounds}")
    new = not Path(out).exists()
    tables = {} if new else dict(read_weights(out))
    write_weights(out, tables)  # to know now whether that will be possible
    if new:
        Path(out).unlink()
    share = 0.0

    def note(done: float) -> None:
        nonlocal share
        share = done

    with waiting(lambda: f"{share:.0%} of {rounds:,} rounds"):
        tables[table_name(table)] = linear.train(table, rounds=rounds, seed=seed, progress=note)
    write_weights(out, tables)
    print(f"{out}: {table_name(table)}, {rounds:,} rounds, seed {seed}")
