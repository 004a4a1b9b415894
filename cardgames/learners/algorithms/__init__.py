"""Learning algorithms, one per file, and the registry that finds them by name."""

__all__ = ["afcandqn", "afdqn", "algorithm_registry", "candqn", "ddqn_mcts", "dqn", "linear_reinforce", "sarsa"]
