"""Matches and round robins on mirrored deals, in worker processes, with intervals; warming up the compiler.

Records of single games are in `cardgames.records`.
"""

__all__ = ["kernel_matches", "match", "participants", "results", "round_robin", "warmup"]
