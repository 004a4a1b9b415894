"""What a match seats: agents by name, agents themselves, functions that make them."""

from collections.abc import Callable, Sequence
from typing import TypeGuard

from cardgames.agents.agent import Agent
from cardgames.agents.agent_factory import agent as make_agent
from cardgames.agents.agent_factory import policy_of
from cardgames.core.game import Game, check_is_game
from cardgames.core.policy import Policy
from cardgames.support.errors import InvalidInput

Participant = str | Agent | Callable[[Game, int], Agent]
"""An agent's name with its options, an agent (used as it is, never reseeded), or a function of game and seed."""


def make_participant(participant: Participant, game: Game, seed: int) -> Agent:
    """Return the agent of an entry. Raises `InvalidInput`."""
    if isinstance(participant, str):
        return make_agent(participant, game, seed)
    if is_agent_instance(participant):
        return participant
    if not callable(participant):
        raise InvalidInput(f"an agent is a name, an agent, or a function of game and seed, not {participant!r}")
    made = participant(game, seed)
    if not isinstance(made, Agent):
        raise InvalidInput(f"{participant!r} gives no agent, which has a name and a method act, but {made!r}")
    return made


def is_agent_instance(participant: Participant) -> TypeGuard[Agent]:
    """Return whether an entry is an agent itself: a class has its agents' attributes too, but it makes them."""
    return isinstance(participant, Agent) and not isinstance(participant, type)


def participant_name(participant: Participant, agent: Agent) -> str:
    """Return what results call an entry."""
    return participant if isinstance(participant, str) else agent.name


def kernel_policies(
    participants: Sequence[Participant], agents: Sequence[Agent], game: Game
) -> tuple[Policy, ...] | None:
    """Return the agents' policies if all are built-in ones that kernels can play, else None."""
    if not all(isinstance(participant, str) for participant in participants):
        return None
    policies = tuple(
        policy_of(str(participant), agent, game) for participant, agent in zip(participants, agents, strict=True)
    )
    return policies if all(policies) else None  # type: ignore[return-value]


def check_participants(game: object, agents: object) -> None:
    """Raise `InvalidInput` unless this is a game, and a list of entries."""
    check_is_game(game)
    if isinstance(agents, str | bytes) or not isinstance(agents, Sequence):
        raise InvalidInput(f"agents are a list, one an entry, not {agents!r}")
