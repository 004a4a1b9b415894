"""Exact solver: the value of a state whose cards are all known, proved by search, for any game of this package.

`solver.solve` is the entry from Python, `state_value.state_value` the one from other kernels; both answer by
`null_window`, a proof that the value of a state reaches a target or misses it, with `transposition_table` and
`solver_memory`. `solver_agent` makes the agent `solver`, which sees all cards and plays exactly.

Games take part by the verbs `state_hash`, `same_side`, `action_priorities`, `wins_at_once` and `fix_chance` of
`core.ops`, all of which have defaults. Not in this package: searches with hidden cards.
"""

__all__ = ["solution", "solver", "solver_agent", "solver_memory", "state_value", "transposition_table"]
