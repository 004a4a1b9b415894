"""The layer under every game: rules as values, states as records, verbs, agents, matches, records of games."""
