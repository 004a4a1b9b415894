"""The agents that can be made by name: built in, of entry points, of anybody's module."""

import functools
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from cardgames.agents.agent import Agent, describe_failure
from cardgames.agents.agent_registry import BUILT_IN, AgentSpec
from cardgames.core.game import Game, check_is_game
from cardgames.core.game_definition import GameDefinition
from cardgames.core.game_registry import load
from cardgames.core.policy import Policy
from cardgames.kernels.rng import check_seed, derive
from cardgames.support.errors import InvalidInput, check_value, unknown_name


def split_name(text: str) -> tuple[str, dict[str, str]]:
    """Return the name and the options of `name:option=value,option=value`. Raises `InvalidInput`."""
    before, equals, _ = text.partition("=")
    if not equals:
        return text, {}  # a bare name, or module:factory
    name = before.rpartition(":")[0]
    if not name:
        raise _malformed_options(text)
    options: dict[str, str] = {}
    for part in text.removeprefix(f"{name}:").split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise _malformed_options(text)
        if key in options:
            raise InvalidInput(f"an option is given once, but {text} says {key} twice")
        options[key] = value
    return name, options


def policy_of(name: str, agent: Agent, game: Game) -> Policy | None:
    """Return the policy that a built-in agent, made by this name, follows: kernels can play it; None for any other agent."""
    policy = getattr(agent, "policy", None)
    return policy if split_name(name)[0] in available(game.name) and isinstance(policy, Policy) else None


def _malformed_options(text: str) -> InvalidInput:
    return InvalidInput(f"an agent's options are written name:option=value,option=value, not {text!r}")


def available(game: str) -> dict[str, AgentSpec]:
    """Return the agents of `game` that can be made by name."""
    return {spec.name: spec for spec in BUILT_IN if game in spec.games}


@functools.cache
def plugins() -> dict[str, EntryPoint]:
    """Return the agents of other packages by name; a built-in one goes before its namesake. To look takes milliseconds."""
    return {point.name: point for point in entry_points(group="cardgames.agents")}


def _factory_of(name: str, game: Game) -> str:
    """Return where an agent's factory is, as `module:attribute`. Raises `InvalidInput`."""
    built_in = available(game.name)
    if name in built_in:
        return built_in[name].factory
    others = plugins()
    if ":" in name:
        if name.partition(":")[0] in {*built_in, *others}:
            raise _malformed_options(name)
        return name
    if name in others:
        return f"{others[name].module}:{others[name].attr}"
    raise unknown_name(f"agent for {game.name}", name, dict.fromkeys([*built_in, *others]))


def agent_seed(seed: int, seat: int = 0) -> int:
    """Return the seed of the agent on a seat where rounds are dealt from `seed`: not that of a deal, whose cards it could
    deal again.
    """
    return derive(seed, seat, 1)


def agent(name: str, game: GameDefinition, seed: int = 0, **options: Any) -> Agent:
    """Make an agent: `agent("mcts-dbm", game, seed=0, simulations=500)` or `agent("mcts-dbm:simulations=500", game)`.

    `name` is a built-in agent, an entry point of the group `cardgames.agents`, or `module:factory`. Raises
    `InvalidInput`.
    """
    game = check_is_game(game)
    check_value("an agent", name, "a name", isinstance(name, str))
    seed = check_seed(seed)
    base, written = split_name(name)
    factory: Callable[..., Agent] = load(_factory_of(base, game))
    spec = available(game.name).get(base)
    if duplicates := written.keys() & options.keys():
        raise InvalidInput(f"an option is given once, but {min(duplicates)} stands in {name} and beside it")
    merged = {**written, **options}
    if spec is not None:
        for option, value in merged.items():
            if not spec.options:
                raise InvalidInput(f"{base} has no options: leave out {option}")
            if option not in spec.options:
                raise unknown_name(f"option of {base}", option, spec.options)
            if isinstance(value, str | list | tuple | dict) and not value:
                raise InvalidInput(f"option {option} of {base} is empty: leave it out, or give it a value")
        if any(f":{option}=" in value for option in spec.options for value in written.values()):
            raise _malformed_options(name)
    return _make(factory, base, game, seed, merged)


def make_champion(game: Game, seed: int) -> Agent:
    """Return the agent `champion`: the one the game names as its strongest."""
    strongest = agent(game.champion, game, seed)
    strongest.name = "champion"
    return strongest


def _make(factory: Callable[..., Agent], name: str, game: Game, seed: int, options: dict[str, Any]) -> Agent:
    """Call an agent's factory; what goes wrong in a stranger's is told in one line."""
    try:
        result = factory(game, seed, **options)
    except (InvalidInput, KeyboardInterrupt):
        raise
    except (Exception, SystemExit) as error:
        raise InvalidInput(f"agent {name} could not be made: {describe_failure(error)}") from error
    if not isinstance(result, Agent):
        missing = " and ".join(part for part in ("name", "act") if not hasattr(result, part))
        raise InvalidInput(f"{name} made no agent: what it returned has no {missing or 'name and act'}")
    return result
