"""Searches that know no game by name: trees, selection, playouts, evaluators, particle filters, reports, expectimax.

Monte Carlo tree search, batched network search and paper 000's Q-tree have rooms of their own in here.
"""

__all__ = [
    "analysis",
    "evaluators",
    "expectimax_agent",
    "mcts",
    "network_evaluator",
    "network_mcts",
    "particle_filter",
    "qtree",
    "report",
    "searcher",
    "settings",
    "torch_evaluator",
]
