"""Trainable perceptrons in compiled kernels or torch, their losses and optimizers."""

__all__ = ["kernel_network", "losses", "network_factory", "optimizers", "trainable"]
