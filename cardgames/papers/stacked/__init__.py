"""Training of many value learners at once on one GPU, with their networks stacked in shared tensors.

Only the tables and grids of papers 002 and 003 use it.
"""

__all__ = ["stack", "stacked_training", "updates"]
