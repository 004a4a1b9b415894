"""Uno: cards, rules, kernels, notation."""
