"""Registration of all verbs of Dou Di Zhu (`core.ops`): importing this module imports every kernel that implements one."""

from cardgames.doudizhu import (  # noqa: F401
    deal,
    information_set,
    legal,
    outcome,
    turn,
)
from cardgames.doudizhu.belief import action_likelihood, particle_update  # noqa: F401
from cardgames.doudizhu.encodings import encode, move_encoding  # noqa: F401
from cardgames.doudizhu.policies import policy_dispatch  # noqa: F401
