"""Open-loop Monte Carlo tree search: the agents `mcts`, `mcts-dbm`, `ismcts` and the ones that see all cards."""

__all__ = ["cheating_agents", "forest", "mcts_agent", "simulation"]
