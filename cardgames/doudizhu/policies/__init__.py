"""Dou Di Zhu policies without search: `rhcp`, `frugal`, RLCard's rule model, networks, paper 004's combination policy."""

__all__ = ["combination_networks", "combination_policy", "compiled_policies", "policy_dispatch", "rhcp", "rule_agents"]
