"""What an agent is, the registry of built-in agents, and agents made by name.

The searches are in `cardgames.search`, rule-based policies in the rooms of the games.
"""

__all__ = ["agent", "agent_factory", "agent_names", "agent_registry", "option_defaults", "policy_agent"]
