"""Records of games as JSON Lines: written during play, read back, checked and replayed.

`docs/reference/records.md` describes the format.
"""

__all__ = ["record", "record_lines", "recorder"]
