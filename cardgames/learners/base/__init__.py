"""Base classes and helpers of the learning algorithms: learner interface, settings, metrics, targets, policy gradients."""

__all__ = ["bootstrap_targets", "learner", "metrics", "policy_gradient", "replay_learner", "settings", "value_learner"]
