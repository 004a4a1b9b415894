"""Monte Carlo tree search with playouts.

The agents `mcts`, `mcts-dbm` and `ismcts`, and two that see all cards: `cheating-hands` and `cheating-all`.
"""

__all__ = ["cheating_agents", "forest_search", "mcts_agent", "mcts_settings"]
