"""Ways to split a hand into moves (decompositions, fewest turns, recursive partition), and evaluations of a hand's worth."""

__all__ = ["dancing_links", "decomposition", "hand_value", "min_turns", "recursive_partition", "shapes"]
