"""Training runs, a folder each: configuration, checkpoints, snapshots, evaluation, curves, comparison, TensorBoard."""

__all__ = ["curves", "evaluation", "run", "run_comparison", "run_config", "run_files", "tensorboard", "throughput"]
