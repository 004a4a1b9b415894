"""Trainable perceptrons in compiled kernels or torch, their losses and optimizers."""

__all__ = ["kernel_network", "losses", "optimizers", "trainable", "trainable_factory"]
