"""Encodings: what a seat sees as arrays for networks, and their symmetry under renamed colors."""

__all__ = ["canonicalize", "encode"]
