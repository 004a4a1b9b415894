"""Definition of a game: its rules, verbs, states, observations, events, encodings, policies and vector environments.

Start with `ops`, which lists the verbs: the functions, such as `apply_action`, that every game implements as kernels.
The classes `game.Game` and `state.State` wrap the verbs for Python. `game_registry.make` creates a game,
`conformance.check_game` tests a new one.

The games themselves are in `cardgames.uno` and `cardgames.doudizhu`. Networks, agents and searches build on this
package.
"""

__all__ = [
    "capabilities",
    "conformance",
    "encoding",
    "epsilon_mixture",
    "events",
    "expectimax",
    "game",
    "game_definition",
    "game_registry",
    "kernel_policy",
    "observation",
    "ops",
    "position_parts",
    "rules",
    "state",
    "symmetry",
    "vector_env",
]
