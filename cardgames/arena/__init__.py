"""Matches, round robins and ratings of agents, on mirrored deals and in worker processes, with confidence intervals.

`warmup` compiles the kernels of games and agents before a game starts. Game records are in `cardgames.records`.
"""

__all__ = ["decision_times", "kernel_matches", "match", "participants", "ratings", "results", "round_robin", "warmup"]
