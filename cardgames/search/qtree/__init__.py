"""Single-player tree search guided by a Q-network (paper 000), used by the agent `q-tree` and the learner `ddqn-mcts`."""

__all__ = ["batched_qtree", "qtree_agent"]
