"""Dou Di Zhu: cards, states, auction, the course of a round, events, notation, and the `Game` itself.

Moves, hands, policies, belief, encodings and rules have rooms of their own in here.
"""

__all__ = ["cards", "events", "game", "hands", "moves", "notation", "policies", "rules", "state"]
