"""Participants of matches: names of agents, agent objects, and functions that make agents."""

from collections.abc import Callable, Sequence
from typing import TypeGuard

from cardgames.agents.agent import Agent
from cardgames.agents.agent_factory import agent as make_agent
from cardgames.agents.agent_factory import policy_of
from cardgames.core.game import Game, check_is_game
from cardgames.core.kernel_policy import Policy
from cardgames.support.errors import InvalidInput

Participant = str | Agent | Callable[[Game, int], Agent]
"""Participant of a match: an agent's name with options, an agent object, or a function of game and seed that makes one.

An agent object is used as it is, without a new seed.
"""


def make_participant(participant: Participant, game: Game, seed: int) -> Agent:
    """Return an agent for a participant: made from its name or by its function with `seed`, or the agent object itself.

    Raises:
        InvalidInput: If there is no agent of that name, or the function does not return an agent.
    """
    if isinstance(participant, str):
        return make_agent(participant, game, seed)
    if is_agent_instance(participant):
        return participant
    if not callable(participant):
        raise InvalidInput(f"an agent is a name, an agent, or a function of game and seed, not {participant!r}")
    agent = participant(game, seed)
    if not isinstance(agent, Agent):
        raise InvalidInput(f"{participant!r} returned {agent!r}, not an agent, which has a name and a method act")
    return agent


def is_agent_instance(participant: Participant) -> TypeGuard[Agent]:
    """Return whether a participant is an agent object.

    False for a class of agents: it has the same attributes, but is a function that makes agents.
    """
    return isinstance(participant, Agent) and not isinstance(participant, type)


def participant_name(participant: Participant, agent: Agent) -> str:
    """Return the name of a participant in results: as requested if it is a name, otherwise that of its `agent`."""
    return participant if isinstance(participant, str) else agent.name


def kernel_policies(
    participants: Sequence[Participant], agents: Sequence[Agent], game: Game
) -> tuple[Policy, ...] | None:
    """Return the policies of all agents if each is requested by name and only follows a policy that kernels can play.

    Otherwise, for example if one agent searches, return None.
    """
    if not all(isinstance(participant, str) for participant in participants):
        return None
    policies = tuple(
        policy_of(str(participant), agent, game) for participant, agent in zip(participants, agents, strict=True)
    )
    return policies if all(policies) else None  # type: ignore[return-value]


def check_participants(game: object, agents: object) -> None:
    """Raise `InvalidInput` unless `game` is a game and `agents` a sequence, not a text."""
    check_is_game(game)
    if isinstance(agents, str | bytes) or not isinstance(agents, Sequence):
        raise InvalidInput(f"agents is a list of participants, not {agents!r}")
