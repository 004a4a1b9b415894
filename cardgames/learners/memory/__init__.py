"""What learners remember: replay buffers, prioritized replay, reservoirs, batches, augmentation by symmetry."""

__all__ = [
    "augmentation",
    "batch_sampling",
    "checkpoint_arrays",
    "prioritized_replay",
    "replay_buffer",
    "reservoir_buffer",
]
