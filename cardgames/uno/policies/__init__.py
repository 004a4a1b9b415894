"""Policies of Uno that need no tree: rule-based ones, the linear policy with its weights, and their agents."""

__all__ = ["linear_policy", "linear_weights", "rule_agents", "rule_policies"]
