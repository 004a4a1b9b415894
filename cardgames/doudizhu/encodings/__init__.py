"""Encodings of observations as arrays, as in RLCard, DouZero and paper 004, and encodings of single moves."""

__all__ = ["encode", "move_encoding"]
