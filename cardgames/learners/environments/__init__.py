"""Environments for learners: rounds played in parallel by compiled kernels, opponents by name, collectors of decisions."""

__all__ = ["action_input_rounds", "collector", "cql_rounds", "decomposition_batch", "learner_env", "opponents"]
