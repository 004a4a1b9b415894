"""`search-debug`: reach a position, let an agent think about it, and print what it thought."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardgames.cli.options import GameName, Json, Rule, Rules, Seed, choose_seed, make_game
from cardgames.cli.progress import waiting
from cardgames.core.errors import InvalidInput, unknown

if TYPE_CHECKING:
    from cardgames.core.agents import Agent, Decision
    from cardgames.core.game import Game, State
    from cardgames.core.observation import Observation
    from cardgames.search.report import ForestDetails, Line, Node, SearchReport

PACEMAKER = "reflex"
"""The agent that plays up to `--ply`."""

_BREADTH = 8
"""So many of a node's children are printed."""

_NUMBERS = ("to_move", "direction", "pile", "dealer", "seed")
_TEXTS = ("top", "color", "draw", "discard")


def search_debug(
    game: GameName,
    agent: Annotated[str, typer.Option("--agent", metavar="AGENT", help="Whose thoughts to show.")] = "mcts-dbm",
    seed: Seed = None,
    ply: Annotated[
        int,
        typer.Option(
            "--ply", help=f"Decisions before the position: of {PACEMAKER} agents seeded from --seed, or of the record."
        ),
    ] = 0,
    record: Annotated[
        str | None, typer.Option("--record", metavar="FILE", help="Take the position from a record.")
    ] = None,
    number: Annotated[int, typer.Option("--round", help="Which round of the record, from 0.")] = 0,
    position: Annotated[
        str | None,
        typer.Option(
            "--position",
            metavar="TEXT",
            help="A position: `hands=r9 b2|g1 g2 y5|7 top=r5 to_move=0 direction=1 draw=b1 r9`, "
            "or JSON of state.to_dict().",
        ),
    ] = None,
    players: Annotated[int | None, typer.Option("--players", help="How many play.")] = None,
    rules: Rules = None,
    rule: Rule = None,
    depth: Annotated[int, typer.Option("--depth", help="How deep to show the trees.")] = 2,
    as_json: Json = False,
) -> None:
    """Show what a search thinks in a position.

    Its visits and values for every action, its trees, and what it believes of the other hands.
    """
    from cardgames.core.agents import agent as make_agent

    if record is not None and (position or players or rules or rule or seed is not None):
        raise InvalidInput("--record brings its own game: leave out --position, --players, --rules, --rule and --seed")
    if position is not None and ply:
        raise InvalidInput("--position is where to look already: leave out --ply")
    seed = choose_seed(seed)
    if record is not None:
        state = _from_record(game, record, ply, number)
    elif position is not None:
        state = _from_text(game, position, players, rules, rule, seed)
    else:
        state = _from_seed(make_game(game, players, rules, rule), seed, ply)
    if state.is_terminal():
        raise InvalidInput("the round is over in this position: nobody is to move")
    observation = state.observation()
    decision = _watched(make_agent(agent, state.game, seed), observation)
    report = _shortened(decision.report, depth)
    if as_json:
        print(json.dumps(_plain(state, seed, ply, agent, decision, report)))
    else:
        print("\n".join(_lines(observation, seed, ply, agent, decision, report)))


def _watched(agent: "Agent", observation: "Observation") -> "Decision":
    """Let the agent decide, and show how far its search is; one that can search where the move is forced does so."""
    think = getattr(agent, "search", agent.act)

    def words() -> str:
        report = agent.snapshot() if hasattr(agent, "snapshot") else None
        return f"{report.simulations:,} simulations" if report else f"{agent.name} is thinking"

    with waiting(words):
        decision: Decision = think(observation)
    return decision


def _from_seed(game: "Game", seed: int, ply: int) -> "State":
    """Return the state after `ply` decisions of the pacemaker. Raises `InvalidInput` if the round ends before."""
    from cardgames.core import rng
    from cardgames.core.agents import agent

    if ply < 0:
        raise InvalidInput(f"--ply is a number from 0, not {ply}")
    state = game.new_initial_state(seed)
    seats = [agent(PACEMAKER, game, rng.derive(seed, seat)) for seat in range(game.num_players)]
    for played in range(ply):
        if state.is_terminal():
            raise InvalidInput(
                f"the round of seed {seed} is over after {played} decisions, --ply {ply} is beyond its end"
            )
        state.apply_action(seats[state.current_player()].act(state.observation()).action)
    return state


def _from_record(game: str, path: str, ply: int, number: int) -> "State":
    from cardgames.core.record import state_at

    state = state_at(path, ply, number)
    if state.game.name != game:
        raise InvalidInput(f"{path} is a record of {state.game.name}, not of {game}")
    return state


def _from_text(
    name: str, text: str, players: int | None, rules: str | None, rule: list[str] | None, seed: int
) -> "State":
    """Return the position written as JSON or as `part=value part=value`. Raises `InvalidInput`."""
    if not text.lstrip().startswith("{"):
        parts = _parts(text)
        return make_game(name, players or len(parts["hands"]), rules, rule).position(**{"seed": seed} | parts)
    try:
        data = json.loads(text)
        found = len(data["hands"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidInput("--position is not JSON as state.to_dict() gives it") from None
    return make_game(name, players or found, rules, rule).from_dict(data)


def _parts(text: str) -> dict[str, Any]:
    """Return the arguments of `game.position` written as `part=value part=value`. Raises `InvalidInput`."""
    pieces = re.split(r"(\w+)=", text)
    if pieces[0].strip():
        raise InvalidInput(f"--position is written part=value part=value, not {text!r}")
    parts: dict[str, Any] = {}
    for key, written in zip(pieces[1::2], (piece.strip() for piece in pieces[2::2]), strict=True):
        if key == "hands":
            parts[key] = [_hand(hand.strip()) for hand in written.split("|")]
        elif key in _NUMBERS:
            parts[key] = _number(key, written)
        elif key in _TEXTS:
            parts[key] = written
        else:
            raise unknown("part of a position", key, ("hands", *_TEXTS, *_NUMBERS))
    for key in ("hands", "top"):
        if key not in parts:
            raise InvalidInput(f"--position says nothing of {key}")
    return parts


def _hand(text: str) -> str | int | None:
    """Return a hand's cards, how many random ones it has, or None for a random hand."""
    return int(text) if text.isdecimal() else text or None


def _number(key: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidInput(f"{key} is a number, not {text!r}") from None


def _pruned(node: "Node", depth: int) -> "Node":
    return replace(node, children=tuple(_pruned(child, depth - 1) for child in node.children) if depth > 0 else ())


def _shortened(report: Any, depth: int) -> "SearchReport | None":
    """Return the report with its trees cut off below `depth`, None if the agent wrote none."""
    from cardgames.search.report import SearchReport

    if not isinstance(report, SearchReport):
        return None
    if not 0 <= depth <= 100:
        raise InvalidInput(f"--depth is a number from 0 to 100, not {depth}")
    details = report.details

    def cut() -> "ForestDetails":
        return replace(details, roots=tuple(_pruned(root, depth) for root in details.roots))

    return replace(report, inspect=cut)


def _plain(
    state: "State", seed: int, ply: int, agent: str, decision: "Decision", report: "SearchReport | None"
) -> dict[str, Any]:
    from cardgames.search.report import SearchReport

    game, player = state.game, state.current_player()
    return {
        "game": game.name,
        "rules": {"name": game.rules.name, "hash": game.rules.hash},
        "seed": seed,
        "ply": ply,
        "position": state.to_dict(),
        "observation": state.observation().to_dict(),
        "best": state.action_to_string(decision.action),
        "value": decision.value,
        "policy": {state.action_to_string(action): share for action, share in decision.policy.items()},
        **(report or SearchReport(agent, player, 0, 0.0, ())).to_dict(),
        "agent": agent,
    }


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _lines(
    observation: "Observation", seed: int, ply: int, agent: str, decision: "Decision", report: "SearchReport | None"
) -> Iterator[str]:
    yield f"{observation.game!r}, seed {seed}, ply {ply}"
    yield from _situation(observation)
    yield f"\n{agent} plays {observation.game.action_to_string(decision.action, observation)}"
    if report is None:
        reason = "it is the only legal action" if len(observation.legal_actions) == 1 else "it keeps no report"
        yield f"({reason})"
        return
    yield f"{report.simulations} simulations in {report.seconds * 1000:.1f} ms, value {_percent(decision.value)}\n"
    yield f"{'action':<10} {'visits':>8} {'value':>7} {'+-':>6}"
    for row in report.actions:
        yield f"{row.text:<10} {row.visits:>8} {_percent(row.value):>7} {_percent(row.standard_error):>6}"
    yield from _forest(report)
    yield from _belief(report)


def _situation(observation: "Observation") -> Iterator[str]:
    """Yield what the mover knows: everything but long lists, and the last events of the history."""
    facts = observation.to_dict()
    history = facts.pop("history")
    facts.pop("discard", None)
    for name, value in facts.items():
        yield f"{name + ':':<15}{', '.join(map(str, value)) if isinstance(value, list) else value}"
    yield f"{'history:':<15}{'; '.join(history[-6:])}"


def _forest(report: "SearchReport") -> Iterator[str]:
    if report.best_line is not None:
        yield f"\nbest line: {_principal(report.best_line)}"
    for i, (root, line) in enumerate(zip(report.roots, report.lines, strict=True)):
        yield f"\ntree {i}: {report.nodes[i]} nodes, {root.visits} visits"
        yield f"hands searched: {' | '.join(report.determinizations[i])}"
        yield f"principal line: {_principal(line)}"
        yield from _branches(root.children, "  ")


def _principal(line: "Line") -> str:
    return f"{line.text} (visits {line.visits}, value {_percent(line.value)})"


def _branches(nodes: Sequence["Node"], indent: str) -> Iterator[str]:
    for node in nodes[:_BREADTH]:
        yield f"{indent}{node.text:<6} {node.visits:>6} {_percent(node.value):>7}"
        yield from _branches(node.children, indent + "  ")
    if len(nodes) > _BREADTH:
        yield f"{indent}and {len(nodes) - _BREADTH} more"


def _belief(report: "SearchReport") -> Iterator[str]:
    if not report.belief:
        return
    yield f"\nbelief from {report.particles} particles, effective sample size {report.effective_sample_size:.1f}"
    for seat, expected in report.belief.items():
        # kinds of one colour, and all of one kind of wild, share their first letter
        groups: dict[str, float] = defaultdict(float)
        for kind, number in zip(report.kinds, expected, strict=True):
            groups[kind[0]] += number
        likely = sorted(zip(report.kinds, expected, strict=True), key=lambda pair: -pair[1])[:10]
        yield f"seat {seat}, {sum(expected):.0f} cards: " + "  ".join(f"{g} {n:.2f}" for g, n in groups.items())
        yield "  most likely: " + "  ".join(f"{kind} {number:.2f}" for kind, number in likely)
