"""Monte Carlo tree search with playouts, and its agents.

`mcts` draws determinizations uniformly, `mcts-dbm` from a particle filter. `ismcts` builds one information-set tree.
`cheating-hands` and `cheating-all` see the hidden cards.
"""

__all__ = ["cheating_agents", "forest_search", "mcts_agent", "mcts_settings"]
