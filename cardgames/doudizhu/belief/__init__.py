"""Belief about the hidden hands in Dou Di Zhu: particle updates with observed events, and likelihoods of actions.

The particle filter itself is `cardgames.search.particle_filter`.
"""

__all__ = ["action_likelihood", "particle_update"]
