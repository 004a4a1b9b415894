"""Searches that see the hidden cards: the agents `cheating-hands` and `cheating-all`.

Comparing these agents with `mcts` measures how much it costs a search not to know the hidden cards.
"""

import time
from abc import abstractmethod
from typing import Any

import numpy as np

from cardgames.agents.agent import Decision, Limit, check_act_arguments
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.kernels import rng
from cardgames.search.mcts.mcts_agent import SearchAgent
from cardgames.search.mcts.mcts_settings import MctsSettings
from cardgames.search.searcher import Searcher
from cardgames.support.errors import InvalidInput


class TrueStateSearcher(Searcher):
    """Mixin for a search that needs the full state: its method `peek` takes a state, `act` and `search` raise an error.

    List this mixin before the search class among the bases, so that its `act` and `search` come first.
    """

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Raise `InvalidInput`: an observation is not enough for this agent."""
        raise InvalidInput(f"{self.name} sees all cards: it needs the state, which it gets in matches and at the table")

    def search(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Raise `InvalidInput`: an observation is not enough for this agent."""
        return self.act(observation, limit)

    def peek(self, state: State, limit: Limit | None = None) -> Decision:
        """Search from the true state and return the decision; if only one action is legal, return it without a search."""
        if not isinstance(state, State):
            raise InvalidInput(f"{self.name} takes a State, not {type(state).__name__}")
        observation = state.observation()
        check_act_arguments(self._game, observation, limit)
        self._stopped = False
        return self._settled(observation) or self._search_state(state, observation, limit)

    @abstractmethod
    def _search_state(self, state: State, observation: Observation, limit: Limit | None) -> Decision:
        """Search from `state` and return the decision; `observation` is the view of the seat to move."""


class CheatingAgent(TrueStateSearcher, SearchAgent):
    """The search of the agent `mcts`, started from the true state instead of from determinizations."""

    def _search_state(self, state: State, observation: Observation, limit: Limit | None) -> Decision:
        roots = np.zeros(self.settings.num_determinizations, state.game.state_dtype)
        roots[:] = state.record
        stream = rng.decision_stream(self._seed, observation.to_bytes())
        return self._search_from(roots, None, observation, limit, stream, time.perf_counter())


def make_cheating_hands(game: Game, seed: int, **options: Any) -> CheatingAgent:
    """Return the agent `cheating-hands`, which knows all hands but not the order of the draw pile.

    Every simulation shuffles the draw pile again, except cards whose place a set-up position prescribes.
    """
    return CheatingAgent("cheating-hands", game, seed, MctsSettings.parse(options), filtered=False)


def make_cheating_all(game: Game, seed: int, **options: Any) -> CheatingAgent:
    """Return the agent `cheating-all`, which knows all hands and the order of the draw pile."""
    settings = MctsSettings.parse({"chance": "fixed", **options})
    return CheatingAgent("cheating-all", game, seed, settings, filtered=False)
