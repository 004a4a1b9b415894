"""Particles over hidden hands: how an observed event updates, repairs and weighs one.

The filter that carries them is `cardgames.search.particle_filter`.
"""

__all__ = ["action_likelihood", "particle_projection", "particle_update"]
