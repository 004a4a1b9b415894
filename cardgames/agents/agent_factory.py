"""`agent`: makes an agent by name: a built-in one, one of another package's entry points, or any `module:factory`."""

import functools
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from cardgames.agents.agent import Agent, describe_failure
from cardgames.agents.agent_registry import BUILT_IN, AgentSpec
from cardgames.core.game import Game, check_is_game
from cardgames.core.game_definition import GameDefinition
from cardgames.core.game_registry import load
from cardgames.core.kernel_policy import Policy
from cardgames.kernels.rng import check_seed, derive
from cardgames.support.errors import InvalidInput, check_value, unknown_name


def split_name(text: str) -> tuple[str, dict[str, str]]:
    """Split an agent as text, `name:option=value,option=value`, into its name and its options.

    Raises:
        InvalidInput: If the options are malformed, or one is given twice.
    """
    before_equals, equals, _ = text.partition("=")
    if not equals:
        return text, {}  # a bare name, or module:factory
    name = before_equals.rpartition(":")[0]
    if not name:
        raise _malformed_options(text)
    options: dict[str, str] = {}
    for part in text.removeprefix(f"{name}:").split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise _malformed_options(text)
        if key in options:
            raise InvalidInput(f"option {key} is given twice in {text}")
        options[key] = value
    return name, options


def policy_of(name: str, agent: Agent, game: Game) -> Policy | None:
    """Return the policy that kernels can play in place of an agent; None if there is none.

    Args:
        name: Name by which the agent was made; only built-in agents follow a policy exactly.
        agent: The agent, whose attribute `policy` is the result if it has one.
        game: Game that the agent plays.
    """
    policy = getattr(agent, "policy", None)
    return policy if split_name(name)[0] in available(game.name) and isinstance(policy, Policy) else None


def _malformed_options(text: str) -> InvalidInput:
    return InvalidInput(f"an agent's options are written name:option=value,option=value, not {text!r}")


def available(game: str) -> dict[str, AgentSpec]:
    """Return the descriptions of the built-in agents for a game (given by name): agent name -> `AgentSpec`."""
    return {spec.name: spec for spec in BUILT_IN if game in spec.games}


@functools.cache
def plugins() -> dict[str, EntryPoint]:
    """Return the agents that other packages register: agent name -> entry point (group `cardgames.agents`).

    A built-in agent of the same name has precedence.

    The result is cached, since reading the entry points takes milliseconds.
    """
    return {point.name: point for point in entry_points(group="cardgames.agents")}


def _factory_of(name: str, game: Game) -> str:
    """Return where the factory of an agent of this name is, as `module:attribute`.

    Raises:
        InvalidInput: If there is no such agent.
    """
    built_in = available(game.name)
    if name in built_in:
        return built_in[name].factory
    plugin_agents = plugins()
    if ":" in name:
        if name.partition(":")[0] in {*built_in, *plugin_agents}:
            raise _malformed_options(name)
        return name
    if name in plugin_agents:
        return f"{plugin_agents[name].module}:{plugin_agents[name].attr}"
    raise unknown_name(f"agent for {game.name}", name, dict.fromkeys([*built_in, *plugin_agents]))


def agent_seed(seed: int, seat: int = 0) -> int:
    """Return the seed for the agent on a seat in rounds that are dealt from `seed`.

    It is unrelated to the seeds of the deals, since an agent that knows one of those could compute the hidden cards.
    """
    return derive(seed, seat, 1)


def agent(name: str, game: GameDefinition, seed: int = 0, **options: Any) -> Agent:
    """Make an agent: `agent("mcts-dbm", game, seed=0, simulations=500)` or `agent("mcts-dbm:simulations=500", game)`.

    Args:
        name: Name of a built-in agent or of an entry point of the group `cardgames.agents`, or `module:factory`; options
            may follow it.
        game: Game to play.
        seed: Seed of the agent's random draws.
        options: Further options of the agent, as values or text.

    Raises:
        InvalidInput: If there is no such agent, or an option is unknown or out of range.
    """
    game = check_is_game(game)
    check_value("an agent", name, "a name", isinstance(name, str))
    seed = check_seed(seed)
    base, written = split_name(name)
    factory: Callable[..., Agent] = load(_factory_of(base, game))
    spec = available(game.name).get(base)
    if duplicates := written.keys() & options.keys():
        raise InvalidInput(f"option {min(duplicates)} is given twice: in {name} and as an argument")
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


def _make(factory: Callable[..., Agent], name: str, game: Game, seed: int, options: dict[str, Any]) -> Agent:
    """Call an agent's factory, check its result and return the agent.

    Raises:
        InvalidInput: If the factory raises an exception, or returns something that is not an agent.
    """
    try:
        result = factory(game, seed, **options)
    except (InvalidInput, KeyboardInterrupt):
        raise
    except (Exception, SystemExit) as error:
        raise InvalidInput(f"agent {name} could not be made: {describe_failure(error)}") from error
    if not isinstance(result, Agent):
        missing = " and ".join(part for part in ("name", "act") if not hasattr(result, part))
        raise InvalidInput(f"{name} did not return an agent: the object has no {missing or 'name and act'}")
    return result
