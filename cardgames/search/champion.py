"""The agent `champion`: the strongest agent known for a game and its rules."""

from cardgames.agents.agent import Agent, Decision, Limit, check_act_arguments
from cardgames.agents.agent_factory import agent
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.search.proven_moves import Prover
from cardgames.search.searcher import Searcher


class ProofsFirst:
    """Agent that plays proven actions, and leaves all other decisions to an agent that does not search."""

    def __init__(self, name: str, game: Game, player: Agent):
        self.name, self._game, self._player = name, game, player
        self._prover = Prover(game)

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Return a decision for an action that is proven or known to be best, else the decision of the player."""
        check_act_arguments(self._game, observation, limit)
        return self._prover.decision(self.name, observation) or self._player.act(observation, limit)


def make_champion(game: Game, seed: int) -> Agent:
    """Make the agent `champion`: the strongest agent known for the game and its rules (`Game.champion`)."""
    strongest = agent(game.champion, game, seed)
    strongest.name = "champion"
    return strongest if isinstance(strongest, Searcher) else ProofsFirst("champion", game, strongest)
