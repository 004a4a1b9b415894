"""The game of Uno: cards, state, turns, events, notation, and `game.Uno`, the `Game` that callers use.

The rooms in here hold the rules, the particle update, the encodings for networks, paper 001's expectimax and the
policies.
"""

__all__ = ["cards", "events", "expectimax", "game", "legal", "policies", "register_verbs", "rules", "state"]
