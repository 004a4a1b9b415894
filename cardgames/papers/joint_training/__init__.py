"""Training of many Q-learners at once on one GPU, with their networks stacked in shared tensors.

Only the tables, figures and grid of papers 002 and 003 use this package.
"""

__all__ = ["stack", "stacked_training", "updates"]
