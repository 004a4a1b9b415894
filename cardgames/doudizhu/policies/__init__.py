"""Policies without search: `rhcp`, `frugal`, RLCard's rule model, networks, and the combination policy of paper 004."""

__all__ = ["combination_networks", "combination_policy", "compiled_policies", "policy_dispatch", "rhcp", "rule_agents"]
