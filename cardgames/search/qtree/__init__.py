"""Paper 000's single-player tree search with a Q-network, used by the agent `q-tree` and the learner `ddqn-mcts`."""

__all__ = ["qforest", "qtree_agent"]
