"""Perceptrons inside kernels: evaluation, training steps, files, pretrained networks, and policies that follow a network.

Networks that learners train, with torch or without, are in `cardgames.learners.networks`.
"""

__all__ = ["mlp", "mlp_training", "network", "network_file", "network_policy", "policy_lookup", "pretrained"]
