"""Policies that need no search: rule-based ones, the linear one and its weights, and those compiled apart."""

__all__ = ["linear_policy", "linear_weights", "rule_agents", "rule_policies"]
