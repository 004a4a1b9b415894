"""The game Dou Di Zhu: cards, states, dealing, the auction, playing a round, events, notation, and the class `DouDiZhu`.

Subpackages hold the moves, the partition and evaluation of hands, policies, beliefs over the hidden cards, tensor
encodings and rule variants.
"""

__all__ = ["cards", "events", "game", "hands", "moves", "notation", "policies", "rules", "state"]
