"""Memories of decisions: replay buffer, prioritized replay, reservoir, batch sampling, symmetry augmentation."""

__all__ = [
    "augmentation",
    "batch_sampling",
    "checkpoint_arrays",
    "prioritized_replay",
    "replay_buffer",
    "reservoir_buffer",
]
