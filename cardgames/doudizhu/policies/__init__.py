"""Policies that need no search: `rhcp`, `frugal`, RLCard's rule model, networks, and paper 004's combination of two decisions."""

__all__ = ["combination_policy", "compiled_policies", "policy_dispatch", "rhcp", "rule_agents"]
