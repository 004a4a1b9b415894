"""What a match seats: agents by name, agents themselves, functions that make them."""

from collections.abc import Callable, Sequence
from typing import TypeGuard

from cardgames.agents.agent import Agent
from cardgames.agents.agent_factory import agent as make_agent
from cardgames.agents.agent_factory import policy_of
from cardgames.core.game import Game, check_is_game
from cardgames.core.policy import Policy
from cardgames.support.errors import InvalidInput

AgentLike = str | Agent | Callable[[Game, int], Agent]
"""An agent's name with its options, an agent (used as it is, never reseeded), or a function of game and seed."""


def agent_of(entry: AgentLike, game: Game, seed: int) -> Agent:
    """Return the agent of an entry. Raises `InvalidInput`."""
    if isinstance(entry, str):
        return make_agent(entry, game, seed)
    if is_made(entry):
        return entry
    if not callable(entry):
        raise InvalidInput(f"an agent is a name, an agent, or a function of game and seed, not {entry!r}")
    made = entry(game, seed)
    if not isinstance(made, Agent):
        raise InvalidInput(f"{entry!r} gives no agent, which has a name and a method act, but {made!r}")
    return made


def is_made(entry: AgentLike) -> TypeGuard[Agent]:
    """Return whether an entry is an agent itself: a class has its agents' attributes too, but it makes them."""
    return isinstance(entry, Agent) and not isinstance(entry, type)


def name_of(entry: AgentLike, agent: Agent) -> str:
    """Return what results call an entry."""
    return entry if isinstance(entry, str) else agent.name


def policies_of(entries: Sequence[AgentLike], agents: Sequence[Agent], game: Game) -> tuple[Policy, ...] | None:
    """Return the agents' policies if all are built-in ones that kernels can play, else None."""
    if not all(isinstance(entry, str) for entry in entries):
        return None
    policies = tuple(policy_of(str(entry), agent, game) for entry, agent in zip(entries, agents, strict=True))
    return policies if all(policies) else None  # type: ignore[return-value]


def check_entries(game: object, agents: object) -> None:
    """Raise `InvalidInput` unless this is a game, and a list of entries."""
    check_is_game(game)
    if isinstance(agents, str | bytes) or not isinstance(agents, Sequence):
        raise InvalidInput(f"agents are a list, one an entry, not {agents!r}")
