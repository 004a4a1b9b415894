"""Tree search whose leaves a network evaluates in batches: the agent `mcts-net`."""

__all__ = ["batched_search", "network_mcts_agent"]
