"""Reproduction of five papers, 000 to 004: their tables and figures, compared with the published values.

The command is `cardgames reproduce`. This package also holds the settings of the papers' players, and it trains them.
"""

__all__ = ["comparison", "competition", "paper_settings", "request", "stacked", "theorem31", "training_curve"]
