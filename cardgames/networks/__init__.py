"""Small perceptrons inside kernels: evaluation, training steps, files, pretrained ones, and the policy that follows one.

Trainable networks for learners, torch among them, are in `cardgames.learners.networks`.
"""

__all__ = ["mlp", "mlp_training", "network", "network_file", "network_policy", "policy_lookup", "pretrained"]
