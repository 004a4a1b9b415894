"""Agents of the levels `easy`, `medium` and `hard`; each game says which agent plays a level (`Game.levels`)."""

from cardgames.agents.agent import Agent
from cardgames.agents.agent_factory import agent
from cardgames.core.game import Game


def _make_level(level: str, game: Game, seed: int) -> Agent:
    """Return the agent that plays a level of the game, under the name of the level."""
    opponent = agent(game.levels[level], game, seed)
    opponent.name = level
    return opponent


def make_easy(game: Game, seed: int) -> Agent:
    """Make the agent `easy`: an opponent with a beginner's mistakes."""
    return _make_level("easy", game, seed)


def make_medium(game: Game, seed: int) -> Agent:
    """Make the agent `medium`: an opponent that plays sensibly but misses much."""
    return _make_level("medium", game, seed)


def make_hard(game: Game, seed: int) -> Agent:
    """Make the agent `hard`: an opponent that beats casual players, without a search."""
    return _make_level("hard", game, seed)
