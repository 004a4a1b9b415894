"""Imports every module whose kernels implement an operation of `core.ops` for Dou Di Zhu.

Importing a module registers its kernels, so importing this one makes all operations available.
"""

from cardgames.doudizhu import (  # noqa: F401
    deal,
    exact_play,
    information_set,
    legal,
    outcome,
    turn,
)
from cardgames.doudizhu.belief import action_likelihood, particle_update  # noqa: F401
from cardgames.doudizhu.encodings import encode, move_encoding  # noqa: F401
from cardgames.doudizhu.policies import policy_dispatch  # noqa: F401
