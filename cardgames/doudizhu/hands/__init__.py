"""Evaluation of hands and ways to split them into moves: decompositions, fewest turns, partitions, hand values."""

__all__ = ["dancing_links", "decomposition", "hand_value", "min_turns", "recursive_partition", "shapes"]
