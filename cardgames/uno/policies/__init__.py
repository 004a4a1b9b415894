"""Policies without search: rule-based ones, the linear policy with its weights, and kernels called by address."""

__all__ = ["linear_policy", "linear_weights", "rule_agents", "rule_policies"]
