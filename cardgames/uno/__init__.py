"""Uno: cards, states, the course of a turn, events, notation, and the `Game` itself.

Rules, belief, encodings, expectimax and rule-based policies have rooms of their own in here.
"""

__all__ = ["cards", "events", "expectimax", "game", "legal", "policies", "rules", "state", "verbs"]
