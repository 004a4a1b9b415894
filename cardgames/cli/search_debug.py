"""The command `search-debug`: analyze a position with one or two agents and show their searches."""

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
    from cardgames.search.position_analysis import Analysis
    from cardgames.tui.position_history import PositionHistory


class _PositionOptions(NamedTuple):
    """Values of --position, --players, --rules and --rule, which describe the game and the position; None if not given."""

    position: str | None
    players: int | None
    rules: str | None
    rule: list[str] | None


def search_debug(
    game: GameName,
    agent: Annotated[str, typer.Option("--agent", metavar="AGENT", help="Agent whose analysis is shown.")] = "mcts-dbm",
    against: Annotated[
        str | None, typer.Option("--against", metavar="AGENT", help="Second agent, to compare with the first.")
    ] = None,
    seed: Seed = None,
    ply: Annotated[
        int,
        typer.Option(
            "--ply",
            metavar="N",
            help="Number of decisions before the position, in the record or, without one, by a rule-based policy.",
        ),
    ] = 0,
    record: Annotated[
        str | None, typer.Option("--record", metavar="FILE", help="Take the position from this record.")
    ] = None,
    round_index: Annotated[
        int | None, typer.Option("--round", metavar="N", help="Round of the record, counted from 0. [default: 0]")
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--position",
            metavar="TEXT",
            help="Analyze this position, e.g. in Uno `hands=r9 b2|g1 g2 y5|7 top=r5 to_move=0 direction=1 draw=b1 r9` "
            "(a number: random cards), in Dou Di Zhu `hands=34567J|88Q|?3 landlord=0 to_move=1 last=3` "
            "(?N: random cards), or the JSON of state.to_dict().",
        ),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            "--players",
            metavar="N",
            help="Number of players. [default: as --position has hands; else 2 for Uno, 3 for Dou Di Zhu]",
        ),
    ] = None,
    rules: Rules = None,
    rule: Rule = None,
    depth: Annotated[
        int, typer.Option("--depth", metavar="N", help="Levels of the search trees to print or export.")
    ] = 2,
    plain: Plain = False,
    as_json: Json = False,
    export: Annotated[
        str | None,
        typer.Option(
            "--export",
            metavar="FILE.json|FILE.svg",
            help="Write the analysis as JSON, or the screen as SVG, to a file.",
        ),
    ] = None,
) -> None:
    """Analyze a position with a search agent.

    Shows the visits and the value of every action, the search trees, and the belief about the hidden hands. In a terminal
    this is a screen on which you can move from position to position; elsewhere, and with --plain, it is text.
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
    all_cards = position_history.all_cards
    _check_agents(names, state, seed, all_cards)
    if export is not None:
        _export(export, position_history, ply, names, seed, depth)
    elif as_json:
        print(json.dumps(_analysis_data(position_history, ply, names, seed, depth)))
    elif plain or not has_terminal():
        print("\n".join(lines([analysis.pruned(depth) for analysis in _analyses(position_history, ply, names, seed)])))
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
    """Raise an error if options of `search-debug` contradict each other or are out of range.

    Args:
        position_options: Options of the game and the position.
        record: Value of --record.
        round_index: Value of --round.
        ply: Value of --ply.
        depth: Value of --depth.
        output_modes: For each of --plain, --json and --export, True if it is given.

    Raises:
        InvalidInput: Options contradict each other or are out of range.
    """
    if record is not None and any(option not in (None, []) for option in position_options):
        raise InvalidInput("--record sets the game: leave out --position, --players, --rules and --rule")
    if record is None and round_index is not None:
        raise InvalidInput("--round chooses a round of a record: it needs --record")
    if output_modes.count(True) > 1:
        raise InvalidInput("--plain, --json and --export exclude each other: choose one")
    if position_options.position is not None and ply:
        raise InvalidInput("--position is analyzed as it is: leave out --ply")
    if not 0 <= depth <= 100:
        raise InvalidInput(f"--depth is a number from 0 to 100, not {depth}")


def _position_history(
    game: str, seed: int | None, record: str | None, round_index: int, position_options: _PositionOptions
) -> tuple["PositionHistory", int]:
    """Return the positions of the round to analyze, and the seed of the agents.

    The round comes from the record if there is one. Otherwise the default policy plays it, from --position or a new deal.

    Raises:
        InvalidInput: The record or the position cannot be read, or does not fit the game.
    """
    from cardgames.tui.position_history import PositionHistory

    if record is not None:
        positions, recorded_seed = position_sources.positions_from_record(game, record, round_index)
        return PositionHistory(positions, all_cards=True), recorded_seed if seed is None else seed
    seed, all_cards = choose_seed(seed), False
    if position_options.position is not None:
        request = position_sources.PositionRequest(game, *position_options)
        start = request.state(seed)
        all_cards = request.is_open()
    else:
        start = make_game(
            game, position_options.players, position_options.rules, position_options.rule
        ).new_initial_state(seed)
    return PositionHistory(position_sources.play_default_policy(start, seed), all_cards=all_cards), seed


def _check_agents(names: Sequence[str], state: "State", seed: int, all_cards: bool) -> None:
    """Raise `InvalidInput` if one of the agents cannot be created, or sees all cards and so cannot be analyzed."""
    for name in names:
        _agent(name, state, seed, all_cards)


def _agent(name: str, state: "State", seed: int, all_cards: bool) -> "Agent":
    from cardgames.search.position_analysis import make_analyzed_agent

    with show_status(lambda: f"creating {name}"):
        return make_analyzed_agent(name, state.game, seed, all_cards=all_cards)


def _analyses(position_history: "PositionHistory", ply: int, names: Sequence[str], seed: int) -> "list[Analysis]":
    """Let the agents `names` search the position after `ply` decisions one by one, and return their analyses.

    A status line shows the progress.
    """
    from cardgames.arena.warmup import is_agent_compiled, mark_agent_compiled
    from cardgames.search.position_analysis import Analysis, think

    analyses: list[Analysis] = []
    state = position_history.at(ply)
    assert state is not None
    for name in names:
        analyzed_agent = _agent(name, state, seed, position_history.all_cards)
        cold = not is_agent_compiled(state.game.name, analyzed_agent)
        activity = "is being compiled (first time only) and is thinking" if cold else "is thinking"

        def status(analyzed_agent: object = analyzed_agent, idle: str = f"{name} {activity}") -> str:
            report = analyzed_agent.snapshot() if hasattr(analyzed_agent, "snapshot") else None
            return f"{report.simulations:,} simulations" if report else idle

        with show_status(status):
            analyses.append(Analysis(name, seed, ply, state, think(analyzed_agent, state)))
        mark_agent_compiled(state.game.name, analyzed_agent)
    return analyses


def _analysis_data(
    position_history: "PositionHistory", ply: int, names: Sequence[str], seed: int, depth: int
) -> dict[str, object]:
    from cardgames.search.position_analysis import comparison

    return comparison(_analyses(position_history, ply, names, seed), depth)


def _export(
    path: str, position_history: "PositionHistory", ply: int, names: Sequence[str], seed: int, depth: int
) -> None:
    """Write the analyses as JSON, or a picture of the analysis screen as SVG, to the file `path`, by its extension.

    Raises:
        InvalidInput: The file cannot be written; this is checked before any search.
    """
    from cardgames.tui.export import check_target, write

    if check_target(path) == ".json":
        text = json.dumps(_analysis_data(position_history, ply, names, seed, depth))
    else:
        from cardgames.tui.debug_app import render_debug_app

        with show_status(lambda: "thinking and drawing"):
            text = render_debug_app(position_history, ply, names, seed, depth)
    write(path, text)
    print(f"wrote {path}")
