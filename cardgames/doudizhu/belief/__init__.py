"""Belief about hidden hands: updates a particle (a possible state) with an observed event and returns its weight.

The particle filter itself is `cardgames.search.particle_filter`.
"""

__all__ = ["action_likelihood", "particle_update"]
