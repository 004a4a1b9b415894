"""Matches and round robins between agents, on mirrored deals and in worker processes, with confidence intervals.

`warmup` compiles the kernels of games and agents before a game starts. Game records are in `cardgames.records`.
"""

__all__ = ["kernel_matches", "match", "participants", "results", "round_robin", "warmup"]
