"""Encodings of Dou Di Zhu as network inputs: observations (as in RLCard, DouZero, paper 004) and observation-move pairs."""

__all__ = ["encode", "move_encoding"]
