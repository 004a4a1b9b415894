"""What a game is: rules, verbs, states, observations, events, encodings, policies, vector environments.

The games themselves are in `cardgames.uno` and `cardgames.doudizhu`; networks, agents and searches build on this room.
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
    "observation",
    "ops",
    "policy",
    "position_parts",
    "rules",
    "state",
    "symmetry",
    "vector_env",
]
