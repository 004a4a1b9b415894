"""Reinforcement learning: algorithms, trainable networks, replay memories, environments, training runs, learned agents.

Trainings that only reproduce a paper are in `cardgames.papers`.
"""

__all__ = ["algorithms", "base", "environments", "learned_agents", "memory", "networks", "runs"]
