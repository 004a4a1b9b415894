"""Registration of Uno's kernels for the functions of `core.ops`: importing this module imports all of them."""

from cardgames.uno import (  # noqa: F401
    certain_win,
    deal,
    exact_play,
    information_set,
    legal,
    outcome,
    turn,
)
from cardgames.uno.belief import action_likelihood, particle_projection, particle_update  # noqa: F401
from cardgames.uno.encodings import encode  # noqa: F401
from cardgames.uno.expectimax import chance_outcomes, hand_evaluation  # noqa: F401
from cardgames.uno.policies import rule_policies  # noqa: F401
