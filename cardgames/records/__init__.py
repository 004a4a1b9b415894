"""Records of games as JSON Lines: writing them as the game goes, reading, checking and replaying them.

The format is documented in `docs/`.
"""

__all__ = ["record", "record_lines", "recorder"]
