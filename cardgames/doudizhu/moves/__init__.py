"""Moves: the table of all moves with their ids, generation of a hand's moves, and random sampling of one of them."""

__all__ = ["kickers", "move_generation", "move_sampling", "move_table", "move_types"]
