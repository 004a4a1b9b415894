"""Particles over hidden hands: how an observed event updates, repairs and weights a particle.

The particle filter itself is `cardgames.search.particle_filter`.
"""

__all__ = ["action_likelihood", "particle_projection", "particle_update"]
