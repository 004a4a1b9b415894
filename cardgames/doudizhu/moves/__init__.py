"""Moves of Dou Di Zhu: the table of all moves with their ids, generation of a hand's moves, sampling of a random move."""

__all__ = ["kickers", "move_forms", "move_generation", "move_sampling", "move_table"]
