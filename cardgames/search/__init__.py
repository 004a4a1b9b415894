"""Search algorithms for any game of this package, and the parts that they share.

Shared parts: tree nodes, action selection, playouts, leaf evaluators, the particle filter and search reports. The agent
`expectimax` is here too. Three subpackages hold one search each: `mcts` (leaves evaluated by playouts), `network_mcts`
(leaves evaluated by a network in batches) and `qtree` (single-player tree search guided by a Q-network, paper 000). The
subpackage `exact` solves states in which all cards are known.
"""

__all__ = [
    "evaluators",
    "exact",
    "expectimax_agent",
    "mcts",
    "network_evaluator",
    "network_mcts",
    "particle_filter",
    "position_analysis",
    "qtree",
    "report",
    "searcher",
    "torch_evaluator",
]
