"""Paper 000's single-player tree on a Q-network: the agent `q-tree`, and the learner `ddqn-mcts` plays by it."""

__all__ = ["qforest", "qtree_agent"]
