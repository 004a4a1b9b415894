"""What a seat sees as arrays: the encodings of RLCard, DouZero and paper 004, and those of single moves."""

__all__ = ["encode", "move_encoding"]
