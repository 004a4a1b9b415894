"""Opponents that are no policies: agents of any kind, which no kernel can ask."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent import decide, play_decision
from cardgames.agents.agent_factory import agent
from cardgames.core.game import Game
from cardgames.core.state import State
from cardgames.kernels.rng import next_word
from cardgames.learners.environments.learner_env import OVER


class Guests:
    """Decides for agents at a learner's tables.

    They are shown what their seat may see of a round that is played again from its deal, as kernels keep no history. Each
    decision is asked of a new agent, whose seed comes from the table's stream: so nothing but the round itself has to be
    kept for a training to go on the same, and agents that would remember something from decision to decision do not.
    """

    def __init__(self, games: Sequence[Game], names: Mapping[int, str]):
        self._games, self._names = games, names
        self._rounds: dict[int, tuple[int, int, State]] = {}
        """Table -> the seed of its deal, how many actions were taken again, and what they led to."""

    def answers(self, tables: NDArray[Any], told: NDArray[np.int32], at: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what the agents do (int64 [n]) whose turn it is at the tables `at`; see `tables.play_on`.

        Raises `InvalidInput` naming an agent that fails, or does what is not legal.
        """
        self._rounds = {t: found for t, found in self._rounds.items() if tables["seat"][t] != OVER}
        return np.array([self._answer(int(t), tables[t], told[t]) for t in at], np.int64)

    def forget(self) -> None:
        """Forget the rounds at the tables, which may have become others."""
        self._rounds.clear()

    def _answer(self, t: int, table: Any, told: NDArray[np.int32]) -> int:
        state = self._state(t, table, told)
        legal = state.legal_actions()
        if len(legal) == 1:
            state.apply_action(legal[0])
            action = legal[0]
        else:
            action = self._decided(table, state)
        self._rounds[t] = int(table["dealt"]), int(table["steps"]) + 1, state
        return action

    def _decided(self, table: Any, state: State) -> int:
        name = self._names[int(table["guest"])]
        asked = agent(name, state.game, int(next_word(table)))
        action = decide(asked, state).action
        play_decision(asked, state, action)
        return action

    def _state(self, t: int, table: Any, told: NDArray[np.int32]) -> State:
        deal_from_word, taken, state = self._rounds.get(t, (None, 0, None))
        if state is None or deal_from_word != int(table["dealt"]):
            taken, state = 0, self._games[int(table["kind"])].deal_from_word(np.uint64(table["dealt"]))
        for action in told[taken : int(table["steps"])]:
            state.apply_action(int(action))
        return state
