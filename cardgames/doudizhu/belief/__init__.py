"""Particles over hidden hands: how an observed event updates and weighs one.

The filter that carries them is `cardgames.search.particle_filter`.
"""

__all__ = ["action_likelihood", "particle_update"]
