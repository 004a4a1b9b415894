"""`search-debug`: reach a position, let an agent or two think about it, and show what they thought."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardgames.cli import position as position_sources
from cardgames.cli.options import GameName, Json, Plain, Rule, Rules, Seed, choose_seed, make_game
from cardgames.cli.progress import show_status
from cardgames.cli.search_debug_text import lines
from cardgames.cli.terminal import check_terminal, has_terminal
from cardgames.support.errors import InvalidInput

if TYPE_CHECKING:
    from cardgames.agents.agent import Agent
    from cardgames.core.state import State
    from cardgames.search.analysis import Analysis
    from cardgames.tui.position_history import PositionHistory


class _PositionOptions(NamedTuple):
    """What options of these names say of the game and the position; None: nothing."""

    position: str | None
    players: int | None
    rules: str | None
    rule: list[str] | None


def search_debug(
    game: GameName,
    agent: Annotated[str, typer.Option("--agent", metavar="AGENT", help="Whose thoughts to show.")] = "mcts-dbm",
    against: Annotated[
        str | None, typer.Option("--against", metavar="AGENT", help="Another agent, to be compared with.")
    ] = None,
    seed: Seed = None,
    ply: Annotated[
        int,
        typer.Option(
            "--ply",
            help="Decisions before the position: of the game's rule-based agents seeded from --seed, or of the record.",
        ),
    ] = 0,
    record: Annotated[
        str | None, typer.Option("--record", metavar="FILE", help="Take the position from a record.")
    ] = None,
    round_index: Annotated[
        int | None, typer.Option("--round", help="Which round of the record, from 0; the first by default.")
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--position",
            metavar="TEXT",
            help="A position: `hands=r9 b2|g1 g2 y5|7 top=r5 to_move=0 direction=1 draw=b1 r9`, for Dou Di Zhu "
            "`hands=34567J|88Q|?3 landlord=0 to_move=1 last=3`, or JSON of state.to_dict().",
        ),
    ] = None,
    players: Annotated[int | None, typer.Option("--players", help="How many play (Uno 2, Dou Di Zhu 3).")] = None,
    rules: Rules = None,
    rule: Rule = None,
    depth: Annotated[int, typer.Option("--depth", help="How deep to print or export the trees.")] = 2,
    plain: Plain = False,
    as_json: Json = False,
    export: Annotated[
        str | None, typer.Option("--export", metavar="FILE.json|FILE.svg", help="Write to a file instead.")
    ] = None,
) -> None:
    """Show what a search thinks in a position.

    Its visits and values for every action, its trees, and what it believes of the other hands: on a screen with which
    one goes from position to position, or as text where there is no terminal.
    """
    position_options = _PositionOptions(position, players, rules, rule)
    _check(position_options, record, round_index, ply, depth, [plain, as_json, export is not None])
    position_history, seed = _position_history(game, seed, record, round_index or 0, position_options)
    with show_status(lambda: "reaching the position"):
        state = position_sources.position_at_ply(
            position_history,
            ply,
            f"the round of seed {seed}" if record is None else f"round {round_index or 0} of {record}",
        )
    names = [agent] if against is None else [agent, against]
    _check_agents(names, state, seed)
    if export is not None:
        _export(export, position_history, ply, names, seed, depth)
    elif as_json:
        print(json.dumps(_analysis_data(state, ply, names, seed, depth)))
    elif plain or not has_terminal():
        print("\n".join(lines([analysis.pruned(depth) for analysis in _analyses(state, ply, names, seed)])))
    else:
        check_terminal()
        from cardgames.tui.debug_app import run_debug_app

        run_debug_app(position_history, ply, names, seed, depth)


def _check(
    position_options: _PositionOptions,
    record: str | None,
    round_index: int | None,
    ply: int,
    depth: int,
    output_modes: Sequence[bool],
) -> None:
    """Raise `InvalidInput` for options that contradict each other or are out of range; `output_modes` are those of showing it."""
    if record is not None and any(option not in (None, []) for option in position_options):
        raise InvalidInput("--record brings its own game: leave out --position, --players, --rules and --rule")
    if record is None and round_index is not None:
        raise InvalidInput("--round is a round of a record: it needs --record")
    if output_modes.count(True) > 1:
        raise InvalidInput("--plain, --json and --export are three ways to show the same: choose one")
    if position_options.position is not None and ply:
        raise InvalidInput("--position is where to look already: leave out --ply")
    if not 0 <= depth <= 100:
        raise InvalidInput(f"--depth is a number from 0 to 100, not {depth}")


def _position_history(
    game: str, seed: int | None, record: str | None, round_index: int, position_options: _PositionOptions
) -> tuple["PositionHistory", int]:
    """Return the round to look into, and the seed of its agents. Raises `InvalidInput`."""
    from cardgames.tui.position_history import PositionHistory

    if record is not None:
        positions, recorded_seed = position_sources.positions_from_record(game, record, round_index)
        return PositionHistory(positions), recorded_seed if seed is None else seed
    seed = choose_seed(seed)
    if position_options.position is not None:
        start = position_sources.parse_position(
            game,
            position_options.position,
            position_options.players,
            position_options.rules,
            position_options.rule,
            seed,
        )
    else:
        start = make_game(
            game, position_options.players, position_options.rules, position_options.rule
        ).new_initial_state(seed)
    return PositionHistory(position_sources.play_default_policy(start, seed)), seed


def _check_agents(names: Sequence[str], state: "State", seed: int) -> None:
    """Raise `InvalidInput` for an agent that cannot be made, or looked at."""
    for name in names:
        _agent(name, state, seed)


def _agent(name: str, state: "State", seed: int) -> "Agent":
    from cardgames.search.analysis import make_analyzed_agent

    with show_status(lambda: f"making {name}"):
        return make_analyzed_agent(name, state.game, seed)


def _analyses(state: "State", ply: int, names: Sequence[str], seed: int) -> "list[Analysis]":
    """Let the agents think, one after the other, and show how far they are."""
    from cardgames.arena.warmup import is_agent_compiled, mark_agent_compiled
    from cardgames.search.analysis import Analysis, think

    analyses = []
    for name in names:
        analyzed_agent = _agent(name, state, seed)
        cold = not is_agent_compiled(state.game.name, analyzed_agent)
        activity = "is compiled (first time only), and thinks" if cold else "is thinking"

        def status(analyzed_agent: object = analyzed_agent, idle: str = f"{name} {activity}") -> str:
            report = analyzed_agent.snapshot() if hasattr(analyzed_agent, "snapshot") else None
            return f"{report.simulations:,} simulations" if report else idle

        with show_status(status):
            analyses.append(Analysis(name, seed, ply, state, think(analyzed_agent, state.observation())))
        mark_agent_compiled(state.game.name, analyzed_agent)
    return analyses


def _analysis_data(state: "State", ply: int, names: Sequence[str], seed: int, depth: int) -> dict[str, object]:
    from cardgames.search.analysis import comparison

    return comparison(_analyses(state, ply, names, seed), depth)


def _export(
    path: str, position_history: "PositionHistory", ply: int, names: Sequence[str], seed: int, depth: int
) -> None:
    """Write the thoughts as JSON or the screen as SVG. Raises `InvalidInput` before any thinking if it cannot."""
    from cardgames.tui.export import check_target, write

    if check_target(path) == ".json":
        state = position_history.at(ply)
        assert state is not None
        text = json.dumps(_analysis_data(state, ply, names, seed, depth))
    else:
        from cardgames.tui.debug_app import render_debug_app

        with show_status(lambda: "thinking and drawing"):
            text = render_debug_app(position_history, ply, names, seed, depth)
    write(path, text)
    print(f"wrote {path}")
