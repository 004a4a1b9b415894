"""What a seat sees as arrays: the encodings of the papers, our own, and their symmetry under renamed colors."""

__all__ = ["canonicalize", "encode"]
