"""Particles of a particle filter over hidden hands: kernels that update, repair and weight one particle by an event.

A particle is a state with one guess of the hidden cards. The filter itself is `cardgames.search.particle_filter`.
"""

__all__ = ["action_likelihood", "particle_projection", "particle_update"]
