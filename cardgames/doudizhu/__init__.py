"""Dou Di Zhu: cards, states, dealing, the auction, the course of a round, events, notation, and the `Game` class.

Moves, hands (splits and evaluation), policies, belief, encodings and rules are subpackages.
"""

__all__ = ["cards", "events", "game", "hands", "moves", "notation", "policies", "rules", "state"]
