"""Memories of decisions: replay buffer, prioritized replay, reservoir, batch sampling, symmetry augmentation."""

__all__ = [
    "augmentation",
    "prioritized_replay",
    "random_indices",
    "replay_buffer",
    "reservoir_buffer",
]
