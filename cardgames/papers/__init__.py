"""Reproduction of five papers, 000 to 004: their tables and figures, compared with the published values.

The command is `cardgames reproduce`. This package also trains the players of the papers, with the settings that each paper
used.
"""

__all__ = [
    "comparison",
    "joint_training",
    "learner_matches",
    "paper_settings",
    "request",
    "theorem31",
    "training_curve",
]
