"""Network inputs for Uno: what a seat sees as arrays, and their symmetry under permuted colors."""

__all__ = ["canonicalize", "encode"]
