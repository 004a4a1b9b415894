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


class PythonOpponents:
    """Decides for agents at a learner's tables.

    They are shown what their seat may see of a round that is played again from its deal, as kernels keep no history. Each
    decision is asked of a new agent, whose seed comes from the table's stream: so nothing but the round itself has to be
    kept for a training to go on the same, and agents that would remember something from decision to decision do not.
    """

    def __init__(self, games: Sequence[Game], names: Mapping[int, str]):
        self._games, self._names = games, names
        self._rounds: dict[int, tuple[int, int, State]] = {}
        """Table -> the seed of its deal, how many actions were taken again, and what they led to."""

    def choose_actions(
        self, tables: NDArray[Any], action_history: NDArray[np.int32], at: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return what the agents do (int64 [n]) whose turn it is at the tables `at`; see `tables.play_on`.

        Raises `InvalidInput` naming an agent that fails, or does what is not legal.
        """
        self._rounds = {t: cached for t, cached in self._rounds.items() if tables["seat"][t] != OVER}
        return np.array([self._choose_action(int(t), tables[t], action_history[t]) for t in at], np.int64)

    def forget(self) -> None:
        """Forget the rounds at the tables, which may have become others."""
        self._rounds.clear()

    def _choose_action(self, t: int, table: Any, action_history: NDArray[np.int32]) -> int:
        state = self._state(t, table, action_history)
        legal = state.legal_actions()
        if len(legal) == 1:
            state.apply_action(legal[0])
            action = legal[0]
        else:
            action = self._ask_agent(table, state)
        self._rounds[t] = int(table["deal_seed"]), int(table["steps"]) + 1, state
        return action

    def _ask_agent(self, table: Any, state: State) -> int:
        name = self._names[int(table["pending_opponent"])]
        player = agent(name, state.game, int(next_word(table)))
        action = decide(player, state).action
        play_decision(player, state, action)
        return action

    def _state(self, t: int, table: Any, action_history: NDArray[np.int32]) -> State:
        deal_from_word, replayed, state = self._rounds.get(t, (None, 0, None))
        if state is None or deal_from_word != int(table["deal_seed"]):
            replayed, state = 0, self._games[int(table["game_index"])].deal_from_word(np.uint64(table["deal_seed"]))
        for action in action_history[replayed : int(table["steps"])]:
            state.apply_action(int(action))
        return state
