"""Code shared by the algorithms: learner interface, settings, metrics, value learners, targets, policy gradients."""

__all__ = ["bootstrap_targets", "learner", "metrics", "policy_gradient", "settings", "table_learner", "value_learner"]
