"""The command `solve`: the exact value of a position in which all cards are known."""

import json
import math
from typing import TYPE_CHECKING, Annotated

import typer

from cardgames.cli import position as position_sources
from cardgames.cli.options import GameName, Json, Rule, Rules
from cardgames.cli.progress import show_status
from cardgames.support.errors import InvalidInput, unknown_name

if TYPE_CHECKING:
    from cardgames.core.state import State
    from cardgames.search.exact.solution import Solution

_CAUSES = {
    "nodes": "the limit of nodes was reached",
    "time": "the time was up",
    "interrupted": "interrupted",
    "unknown cards": "the rest depends on cards of a reshuffled pile, or on endless lines",
}
"""Cause of the end of an incomplete search -> its words."""


def solve(
    game: GameName,
    position: Annotated[
        str | None,
        typer.Option(
            "--position",
            metavar="TEXT",
            help="Position with all cards: in Dou Di Zhu e.g. `hands=34567J|88Q|3 landlord=0 to_move=1 last=3`, in Uno "
            "`hands=r9 b2|g1 top=r5 draw=b1 r9 pile=2` (the whole draw pile; pile=0: none), or JSON of state.to_dict().",
        ),
    ] = None,
    record: Annotated[
        str | None, typer.Option("--record", metavar="FILE", help="Take the position from this record.")
    ] = None,
    ply: Annotated[
        int, typer.Option("--ply", metavar="N", help="Number of decisions before the position in the record.")
    ] = 0,
    round_index: Annotated[
        int | None, typer.Option("--round", metavar="N", help="Round of the record, counted from 0. [default: 0]")
    ] = None,
    objective: Annotated[
        str, typer.Option("--objective", metavar="win|payoff", help="What is solved for: who wins, or the payoff.")
    ] = "win",
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", help="Number of players. [default: as --position has hands]")
    ] = None,
    rules: Rules = None,
    rule: Rule = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", metavar="N", help="Maximum number of nodes. [default: no limit]")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--time", metavar="SECONDS", help="Maximum time. [default: no limit]")
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve a position in which all cards are known.

    Prints its value for the player to move, every first move that wins (or pays most), and a principal line. After
    Ctrl-C, or at a limit, it prints what is known.
    """
    from cardgames.core.game import check_is_game
    from cardgames.search.exact.solver import Solver

    request = position_sources.PositionRequest(game, position, players, rules, rule)
    if seconds is not None and not 0 < seconds < math.inf:
        raise InvalidInput(f"--time is a number of seconds above 0, not {seconds}")
    if nodes is not None and nodes < 1:
        raise InvalidInput(f"--nodes is a number from 1, not {nodes}")
    if objective not in ("win", "payoff"):
        raise unknown_name("objective", objective, ("win", "payoff"))
    state = _state(request, record, ply, round_index)
    solver = Solver(check_is_game(state.game))
    with show_status(lambda: f"{solver.nodes:,} nodes"):
        solution = solver.solve(state, objective, max_nodes=nodes, seconds=seconds)
    print(json.dumps(solution.to_dict()) if as_json else "\n".join(_lines(solution)))


def _state(request: position_sources.PositionRequest, record: str | None, ply: int, round_index: int | None) -> "State":
    """Return the position to solve. Raises `InvalidInput` if the options name none, or one that is not open."""
    if record is None:
        if request.position is None:
            raise InvalidInput("solve needs a position: give --position, or --record and --ply")
        if ply or round_index is not None:
            raise InvalidInput("--ply and --round choose a position of a record: they need --record")
        state = request.open_state()
        if state.is_terminal():
            raise InvalidInput("the round is over in this position: no player is to move")
        return state
    if any(option not in (None, []) for option in request[1:]):
        raise InvalidInput("--record sets the game: leave out --position, --players, --rules and --rule")
    from cardgames.tui.position_history import PositionHistory

    positions, _ = position_sources.positions_from_record(request.game, record, round_index or 0)
    return position_sources.position_at_ply(PositionHistory(positions), ply, f"round {round_index or 0} of {record}")


def _lines(solution: "Solution") -> list[str]:
    """Return the solution as lines of text."""
    state = solution.state
    value = _words(solution)
    lines = [f"{state.game!r}, seat {solution.player} to move", f"value: {value}"]
    name = "winning moves" if solution.objective == "win" else "best moves"
    moves = ", ".join(state.action_to_string(action) for action in solution.winning)
    known = "" if solution.complete else " (so far)"
    lines.append(f"{name}{known}: {moves or 'none'}")
    if solution.line:
        lines.append(f"principal line: {'  '.join(solution.line_texts())}")
    lines.append(f"{solution.nodes:,} nodes in {solution.seconds:.3f} s")
    if not solution.complete:
        losing = [state.action_to_string(action) for action in solution.losing]
        if losing:
            lines.append(f"losing moves (so far): {', '.join(losing)}")
        lines.append(f"incomplete: {_CAUSES[solution.stopped]}")
    return lines


def _words(solution: "Solution") -> str:
    """Return the value in words."""
    if solution.value is None:
        finite = math.isfinite(solution.lower) or math.isfinite(solution.upper)
        between = f", from {solution.lower:g} to {solution.upper:g} {solution.unit}" if finite else ""
        return f"unknown{between if solution.objective == 'payoff' else ''}"
    if solution.objective == "payoff":
        return f"{solution.value:+g} {solution.unit}"
    return {1.0: "win", 0.0: "loss"}.get(solution.value, f"{solution.value:g} (void round)")
