"""The command `agents`: a table of the agents with their ratings, and the options of one agent."""

import json
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardgames.cli.options import Json
from cardgames.cli.terminal import columns
from cardgames.support.errors import unknown_name

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from cardgames.agents.agent_ratings import AgentRating, RatingTable
    from cardgames.agents.agent_registry import AgentSpec

_WIDTH = 79
"""Number of characters of a line of text, so that it fits into a terminal of 80 columns."""
_HEAD = "agent", "rating", "ms", "description"


def agents(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="List only the agents of this game.")] = None,
    name: Annotated[str | None, typer.Argument(metavar="AGENT", help="Show only this agent, with its options.")] = None,
    as_json: Json = False,
) -> None:
    """List the agents, the strongest first, or show one agent with its options.

    Ratings are Elo points above `random`, with half the width of the 95 % interval. The time is the median of decisions with
    a choice, in milliseconds.
    """
    from cardgames.agents.agent_factory import available, plugins
    from cardgames.agents.agent_registry import BUILT_IN
    from cardgames.core.game_registry import BUILT_IN as BUILT_IN_GAMES
    from cardgames.core.game_registry import game_class
    from cardgames.networks.policy_lookup import policy_choices

    games = list(BUILT_IN_GAMES) if game is None else [game]
    policies = [] if game is None else policy_choices(game_class(game))
    points, built_in = plugins(), available(games[0]) if game is not None else {spec.name: spec for spec in BUILT_IN}
    if name is not None and name not in {*built_in, *points}:
        raise unknown_name(f"agent for {game}", name, dict.fromkeys([*built_in, *points]))
    if as_json:
        specs = [spec for spec in (BUILT_IN if game is None else built_in.values()) if name in (None, spec.name)]
        print(json.dumps(_data(specs, game, games, _chosen(points, name), policies)))
    elif name is not None:
        print(_page(game or "", built_in[name]) if name in built_in else f"{name}: {_origin(points[name])}")
    else:
        for each in games:
            print(_listing(each, available(each), points), end="\n\n")
        if policies:
            text = f"Policies (for playout, opponents, prior, belief_policy): {', '.join(policies)}."
            print(textwrap.fill(text, _WIDTH, break_on_hyphens=False), end="\n\n")
        print(
            f"`cardgames agents {game or 'GAME'} AGENT` shows the options of an agent.\n"
            "Options follow the name: mcts-dbm:simulations=1000,trees=8.\nYour own agents: module:factory."
        )


def _chosen(points: "Mapping[str, EntryPoint]", name: str | None) -> "Mapping[str, EntryPoint]":
    return points if name is None else {each: point for each, point in points.items() if each == name}


def _listing(game: str, specs: "Mapping[str, AgentSpec]", points: "Mapping[str, EntryPoint]") -> str:
    """Return the table of the agents of a game, those of other packages last, and where its figures come from."""
    from cardgames.agents.agent_ratings import shipped_ratings
    from cardgames.core.game_registry import make

    table = shipped_ratings(game)
    ratings = table.ratings() if table is not None else {}
    known, unknown = [name for name in ratings if name in specs], [name for name in specs if name not in ratings]
    rows = [_HEAD, *((name, *_figures(ratings.get(name)), specs[name].description) for name in [*known, *unknown])]
    for name, point in points.items():
        hidden = ", hidden by the built-in agent of that name" * (name in specs)
        rows.append((name, "-", "-", f"{_origin(point)}{hidden}"))
    lines = [f"{make(game).title}", *_aligned(rows, columns() if sys.stdout.isatty() else None)]
    return "\n".join(lines + _source(table))


def _origin(point: "EntryPoint") -> str:
    return f"{point.value}, from the package {point.dist.name if point.dist else '?'}"


def _figures(entry: "AgentRating | None") -> tuple[str, str]:
    """Return an agent's rating with half the width of its interval, and its median time in ms; `-` for unknown ones."""
    if entry is None or entry.rating is None or entry.half_width is None:
        return "-", "-"
    error = f" ± {entry.half_width:.0f}" if entry.half_width else ""
    return f"{entry.rating:.0f}{error}", "-" if entry.median_ms is None else f"{entry.median_ms:.2f}"


def _aligned(rows: Sequence[tuple[str, str, str, str]], width: int | None) -> list[str]:
    """Return the lines of the table of agents; a description that does not fit into `width` characters is cut."""
    name_width, rating_width, ms_width = (max(map(len, column)) for column in list(zip(*rows, strict=True))[:3])
    lines = []
    for name, rating, ms, description in rows:
        figures = f"{name:<{name_width}}  {rating:>{rating_width}}  {ms:>{ms_width}}  "
        room = None if width is None else max(20, width - len(figures))
        lines.append(
            figures + (description if room is None else textwrap.shorten(description, room, placeholder=" ..."))
        )
    return lines


def _source(table: "RatingTable | None") -> list[str]:
    """Return the lines that say how the ratings of a table were measured; none without a table."""
    if table is None:
        return []
    return textwrap.wrap(
        f"Rating: Elo points above {table.anchor}, with half the width of the 95 % interval. ms: median time of a decision "
        f"with a choice. Measured: {table.source()}; {table.machine}.",
        _WIDTH,
    )


def _page(game: str, spec: "AgentSpec") -> str:
    """Return the description of one agent, with its rating and its options and their defaults."""
    from cardgames.agents.agent_ratings import shipped_ratings
    from cardgames.agents.option_defaults import default_texts

    table, defaults = shipped_ratings(game), default_texts(spec, [game])
    entry = None if table is None else table.ratings().get(spec.name)
    lines = [f"{spec.name}: {spec.description}"]
    if spec.details:
        lines.append(f"    {spec.details}")
    if table is not None and entry is not None:
        rating, ms = _figures(entry)
        lines.append(f"    rating {rating}, {ms} ms a decision ({table.source()})")
    if spec.options:
        lines.append(f"\nOptions, as in {spec.name}:{next(iter(spec.options))}=VALUE")
    lines += [f"    {option} [default: {defaults[option]}]: {text}" for option, text in spec.options.items()]
    return "\n".join(lines)


def _data(
    specs: "Sequence[AgentSpec]",
    game: str | None,
    games: Sequence[str],
    points: "Mapping[str, EntryPoint]",
    policies: Sequence[str],
) -> dict[str, Any]:
    """Return the agents as JSON-serializable data.

    Args:
        specs: Descriptions of the built-in agents.
        game: Game whose defaults of options are shown; None for all games of each agent.
        games: Games whose ratings are shown.
        points: Agents of other packages.
        policies: Names of the policies of `game`.
    """
    from cardgames.agents.agent_ratings import shipped_ratings

    tables = {each: table for each in games if (table := shipped_ratings(each)) is not None}
    sources = {
        each: {key: value for key, value in table.to_dict().items() if key != "agents"}
        for each, table in tables.items()
    }
    data = [_agent_data(spec, game, tables) for spec in specs]
    plugin_agents = {name: point.value for name, point in points.items()}
    return {"agents": data, "plugins": plugin_agents, "policies": policies, "ratings": sources}


def _agent_data(spec: "AgentSpec", game: str | None, tables: "Mapping[str, RatingTable]") -> dict[str, Any]:
    """Return an agent's description, options with their defaults, and ratings by game, as JSON-serializable data.

    Defaults are those for the game `game`; for None, those for all games of the agent.
    """
    from cardgames.agents.option_defaults import default_texts

    defaults = default_texts(spec, spec.games if game is None else [game])
    options = {option: f"{text} [default: {defaults[option]}]" for option, text in spec.options.items()}
    ratings = {
        each: table.ratings()[spec.name].to_dict()
        for each, table in tables.items()
        if each in spec.games and spec.name in table.ratings()
    }
    data = asdict(spec) | {"options": options, "ratings": ratings}
    del data["settings"], data["defaults"]  # where the code has them
    return data
