"""The commands `rules`, `replay`, `warmup` (compile kernels in advance) and `bench` (speed benchmarks)."""

import json
import time
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardgames.cli.options import GameName, Json, Rule
from cardgames.cli.progress import iterate_with_status
from cardgames.support.errors import InvalidInput

if TYPE_CHECKING:
    from cardgames.core.game import Game
    from cardgames.core.rules import RuleBook, RuleSet
    from cardgames.core.state import State
    from cardgames.records.record_lines import Round, Step


def rules(
    game: GameName,
    preset: Annotated[
        str | None, typer.Argument(metavar="PRESET|FILE.toml", help="Show only this preset or rules file.")
    ] = None,
    rule: Rule = None,
    as_json: Json = False,
) -> None:
    """List all rules of a game, or show one preset.

    --rule changes rules of the preset that is shown, by default of the game's usual one.
    """
    from cardgames.core.game_registry import game_class

    rule_book, default = game_class(game).rule_book, game_class(game).default_rules
    one_preset = preset is not None or rule
    shown = rule_book.parse(default if preset is None else preset, rule or ()) if one_preset else None
    if as_json:
        print(json.dumps(_rules_data(rule_book, shown)))
    elif shown is None:
        _print_axes(rule_book, default)
    else:
        _print_rules(shown)


def _rules_data(rule_book: "RuleBook", shown: "RuleSet | None") -> dict[str, Any]:
    """Return the rule set `shown` as JSON-serializable data.

    If `shown` is None, return all rules of `rule_book` with their possible values, and all presets.
    """
    if shown is not None:
        return {"game": rule_book.game, "rules": shown.name_and_hash(), "axes": shown.to_dict()}
    axes = {
        name: {
            "description": (axis.__doc__ or "").strip(),
            "choices": dict(axis.choices),
            "numbers": None if axis.numbers is None else [axis.numbers[0], axis.numbers[-1]],
        }
        for name, axis in rule_book.axes.items()
    }
    presets = [{"rules": preset.name_and_hash(), "axes": preset.to_dict()} for preset in rule_book.presets.values()]
    return {"game": rule_book.game, "axes": axes, "presets": presets}


def _print_axes(rule_book: "RuleBook", default: str) -> None:
    for name, axis in rule_book.axes.items():
        print(f"{name}: {(axis.__doc__ or '').strip()}")
        if axis.numbers is not None:
            print(f"    a number from {axis.numbers[0]} to {axis.numbers[-1]}")
        for value, words in axis.choices.items():
            print(f"    {value:<16}{words}")
    print("\nPresets and their hashes (rules GAME PRESET shows one, --rules PRESET plays by it):")
    for preset in rule_book.presets.values():
        print(f"    {preset.name:<16}{preset.hash}{'  (default)' * (preset.name == default)}")


def _print_rules(rules: "RuleSet") -> None:
    print(f"{rules.game}, {rules.name} rules, hash {rules.hash}")
    for axis in rules:
        print(f"    {axis}\n        {axis.words}")


def replay(file: Annotated[str, typer.Argument(metavar="FILE", help="Record file.")], as_json: Json = False) -> None:
    """Replay a record action by action.

    The record is checked: an action or event that does not follow from the rules is reported with its line.
    """
    from cardgames.records.record import read
    from cardgames.records.record import replay as play_again

    rounds = read(file)
    if as_json:
        print(
            json.dumps(
                {"rounds": [_round_data(recorded_round, play_again(recorded_round)) for recorded_round in rounds]}
            )
        )
        return
    for number, recorded_round in enumerate(rounds):
        print(f"round {number}: {recorded_round.game!r}, seed {recorded_round.header['seed']}")
        for line in _deal_lines(recorded_round):
            print(f"        {line}")
        state = play_again(recorded_round, _step_printer(recorded_round))
        if recorded_round.returns is None:
            print(f"unfinished after {len(recorded_round.steps)} decisions")
        else:
            print(
                "result: "
                + ", ".join(f"{n} {p:g}" for n, p in zip(_seats(recorded_round), state.returns(), strict=True))
            )


def _seats(recorded_round: "Round") -> list[str]:
    return [f"{seat} {name}" for seat, name in enumerate(recorded_round.names)]


def _deal_lines(recorded_round: "Round") -> list[str]:
    """Return the lines that describe the deal of a recorded round: each seat's hand, then each public event."""
    from cardgames.core.events import PUBLIC

    start = recorded_round.start()
    hands = [
        f"{who}: {hand}" for who, hand in zip(_seats(recorded_round), start.game.hands_of(start.record), strict=True)
    ]
    return hands + [start.game.event_to_string(row) for row in start.history() if row[3] == PUBLIC]


def _step_printer(recorded_round: "Round") -> Callable[["Step", "State"], None]:
    """Return a function that prints a recorded action, with its index in the round, its value and its further events.

    The index is the number that `search-debug --ply` takes to analyze the position before the action.
    """
    from cardgames.tui.shared_wording import value_text

    seats, numbers = _seats(recorded_round), count()

    def show(step: "Step", state: "State") -> None:
        value = "" if step.value is None else f"   (value {value_text(step.value, step.unit)})"
        print(f"{next(numbers):>4}  {seats[step.seat]}: {step.action}{value}")
        for row in step.events[1:]:
            print(f"        {state.game.event_to_string(row)}")

    return show


def _round_data(recorded_round: "Round", last: "State") -> dict[str, Any]:
    head = {
        name: recorded_round.header[name] for name in ("game", "rules_name", "rules_hash", "seed", "players", "deck")
    }
    steps = [
        {"seat": s.seat, "action": s.action, "value": s.value, "unit": s.unit, "visits": s.visits}
        for s in recorded_round.steps
    ]
    return head | {"actions": steps, "finished": last.is_terminal(), "returns": last.returns(), "end": last.to_dict()}


def warmup(game: Annotated[str, typer.Argument(metavar="GAME", help="The game: uno or doudizhu.")] = "uno") -> None:
    """Compile the kernels of a game and its common agents.

    Kernels that are not compiled in advance are compiled on first use, once on every machine.
    """
    from cardgames.agents.agent_factory import available
    from cardgames.core.game_registry import make
    from cardgames.kernels.compile_cache import CACHE_WRITABLE, JIT_ENABLED

    warmed_game = make(game)
    if not JIT_ENABLED:
        raise InvalidInput("NUMBA_DISABLE_JIT is set, so there is nothing to compile")
    start = time.perf_counter()
    agents_of_game = available(game)
    for step, (required_agent, warm) in _WARMUP_STEPS.items():
        if required_agent is not None and required_agent not in agents_of_game:
            continue
        print(f"{step} ...", end="", flush=True)
        before = time.perf_counter()
        warm(warmed_game)
        print(f" {time.perf_counter() - before:.1f} s")
    print(f"ready after {time.perf_counter() - start:.1f} s")
    if not CACHE_WRITABLE:
        raise InvalidInput(
            "the cache folder is not writable, so every process compiles again: set CARDGAMES_CACHE_DIR to another folder"
        )


def _warm_rules(game: "Game") -> None:
    """Compile the kernels of a game's rules by playing a round with `random` agents.

    If the game has no agent `random`, the first legal action is always taken.
    """
    from cardgames.agents.agent_factory import available

    _warm_round(game, "random" if "random" in available(game.name) else "")


def _warm_round(game: "Game", name: str) -> None:
    from cardgames.arena.warmup import play_once

    play_once(game.name, name)


def _warm_arena(game: "Game") -> None:
    from cardgames.arena.match import play_match

    play_match(game, ["random"] * game.num_players, 1)


def _warm_tables(game: "Game") -> None:
    import numpy as np

    if not game.encodings:
        return
    tables = game.vector(num_envs=1)
    _, info = tables.reset()
    tables.step(np.argmax(info["action_mask"], axis=1))


_WARMUP_STEPS: dict[str, tuple[str | None, Callable[["Game"], None]]] = {
    "the rules": (None, _warm_rules),
    "the arena": ("random", _warm_arena),
    "the vector environment": (None, _warm_tables),
    "the search": ("mcts", lambda game: _warm_round(game, "mcts:simulations=20")),
    "the belief": ("mcts-dbm", lambda game: _warm_round(game, "mcts-dbm:simulations=20")),
    "the champion": ("champion", lambda game: _warm_round(game, "champion")),
}
"""Steps of the command `warmup`: name -> (required agent or None, function of the game that compiles the kernels).

A step is skipped if the game has no agent of the required name, as may be the case for games outside this package.
"""


def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Benchmarks to run. [default: all]")] = None,
    list_only: Annotated[bool, typer.Option("--list", help="List the benchmarks without running them.")] = False,
    as_json: Json = False,
) -> None:
    """Run speed benchmarks of games, searches and learners."""
    import cardgames.bench as benchmarks

    if list_only:
        if names:
            raise InvalidInput("--list names all benchmarks: leave out " + " ".join(names))
        print(json.dumps(list(benchmarks.BENCHMARKS)) if as_json else "\n".join(benchmarks.BENCHMARKS))
        return
    rows, measured = benchmarks.run(names or []), []
    try:
        for row in iterate_with_status(rows, lambda: "measuring"):
            measured.append(row)
            if not as_json:
                print(_benchmark_text(row), flush=True)
    finally:  # an interrupt or a failure loses no finished measurement
        if as_json and measured:
            print(json.dumps(measured))


def _benchmark_text(row: dict[str, Any]) -> str:
    peers = "  ".join(f"{peer} {value:,.4g}" for peer, value in row["peers"].items())
    return f"{row['name']:<28}{row['value']:>14,.4g} {row['unit']:<14}{peers}  {row.get('note', '')}".rstrip()
