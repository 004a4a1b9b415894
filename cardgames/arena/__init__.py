"""Matches and round robins between agents, on mirrored deals and in worker processes, with confidence intervals.

`warmup` compiles kernels ahead of a game. Records of single rounds are in `cardgames.records`.
"""

__all__ = ["kernel_matches", "match", "participants", "results", "round_robin", "warmup"]
