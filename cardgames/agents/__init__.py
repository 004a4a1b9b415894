"""The interface of agents, the list of built-in agents, their ratings, and the factory that makes an agent by its name.

Search agents are in `cardgames.search`, agents that play a rule-based policy in the packages of the games.
"""

__all__ = [
    "agent",
    "agent_factory",
    "agent_names",
    "agent_ratings",
    "agent_registry",
    "option_defaults",
    "policy_agent",
]
