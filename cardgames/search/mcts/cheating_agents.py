"""Searches that see what no seat may know: yardsticks for how much hidden cards are worth."""

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
from cardgames.search.searcher import Searcher
from cardgames.search.settings import MctsSettings
from cardgames.support.errors import InvalidInput


class TrueStateSearcher(Searcher):
    """A search that has to be shown the state, by a method `peek`; it stands in front of the class of the search."""

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Refuse: an observation is not enough. Raises `InvalidInput`."""
        raise InvalidInput(f"{self.name} sees all cards: it plays where it is shown them, in the arena and at a table")

    def search(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Refuse as `act` does. Raises `InvalidInput`."""
        return self.act(observation, limit)

    def peek(self, state: State, limit: Limit | None = None) -> Decision:
        """Search from the true state and decide; a forced move is answered at once, without a search."""
        if not isinstance(state, State):
            raise InvalidInput(f"{self.name} looks at a state, not at {type(state).__name__}")
        observation = state.observation()
        check_act_arguments(self._game, observation, limit)
        self._stopped = False
        return self._forced(observation) or self._search_state(state, observation, limit)

    @abstractmethod
    def _search_state(self, state: State, observation: Observation, limit: Limit | None) -> Decision:
        """Search from `state`, of which `observation` is what its mover sees, and decide."""


class CheatingAgent(TrueStateSearcher, SearchAgent):
    """The search `mcts` on the true cards."""

    def _search_state(self, state: State, observation: Observation, limit: Limit | None) -> Decision:
        roots = np.zeros(self.settings.num_determinizations, state.game.state_dtype)
        roots[:] = state.record
        stream = rng.decision_stream(self._seed, observation.to_bytes())
        return self._search_from(roots, None, observation, limit, stream, time.perf_counter())


def make_cheating_hands(game: Game, seed: int, **options: Any) -> CheatingAgent:
    """Return the agent `cheating-hands`: the hands are the true ones, the cards to come are shuffled anew (but
    for those whose order a position fixed).
    """
    return CheatingAgent("cheating-hands", game, seed, MctsSettings.parse(options), filtered=False)


def make_cheating_all(game: Game, seed: int, **options: Any) -> CheatingAgent:
    """Return the agent `cheating-all`: it knows the order of the pile as well."""
    settings = MctsSettings.parse({"chance": "fixed", **options})
    return CheatingAgent("cheating-all", game, seed, settings, filtered=False)
