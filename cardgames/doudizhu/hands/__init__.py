"""What a hand is worth and how it splits into moves: decompositions, fewest turns, partitions, hand values."""

__all__ = ["dancing_links", "decomposition", "hand_value", "min_turns", "partition", "shapes"]
