"""Many trainings of value learners at once, stacked on one device.

Only the grids of papers 002 and 003 need it.
"""

__all__ = ["stack", "stacked_training", "updates"]
