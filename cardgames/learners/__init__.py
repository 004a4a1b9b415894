"""Learning algorithms, their networks, memories, environments and runs, and agents that play what was learned.

What exists only to repeat a paper is in `cardgames.papers`.
"""

__all__ = ["algorithms", "base", "environments", "learned_agents", "memory", "networks", "runs"]
