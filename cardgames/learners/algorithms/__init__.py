"""One file an algorithm, and the registry of them by name."""

__all__ = ["afcandqn", "afdqn", "algorithm_registry", "candqn", "ddqn_mcts", "dqn", "linear_reinforce", "sarsa"]
