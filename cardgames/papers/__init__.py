"""The five papers repeated: each table and figure beside what comes out here.

The command is `cardgames reproduce`.
"""

__all__ = ["comparison", "competition", "paper_settings", "request", "stacked", "theorem31", "training_curve"]
