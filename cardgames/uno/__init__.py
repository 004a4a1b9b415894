"""The game of Uno: cards, state, turns, events, text notation, and the class `game.Uno` that callers use.

Its subpackages hold the rules, the particle updates for hidden hands (`belief`), the network inputs (`encodings`),
paper 001's search (`expectimax`) and the rule-based and linear policies (`policies`).
"""

__all__ = ["cards", "events", "expectimax", "game", "kernel_registration", "legal", "policies", "rules", "state"]
