"""All moves: their table of ids, types, kickers, generation from a hand, and random sampling."""

__all__ = ["kickers", "move_generation", "move_sampling", "move_table", "move_types"]
