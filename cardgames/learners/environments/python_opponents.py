"""Opponents that are arbitrary agents, such as searches: they decide in Python, outside the kernels."""

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
    """Opponents of a learner that are agents and decide in Python.

    Kernels store no history, so each round is replayed from its deal and recorded actions to make the agent's
    observation. Every decision is made by a new agent with a seed from the table's random stream. So a checkpoint needs
    only the round itself; but agents cannot remember anything between decisions.
    """

    def __init__(self, games: Sequence[Game], names: Mapping[int, str]):
        self._games, self._names = games, names
        self._rounds: dict[int, tuple[int, int, State]] = {}
        """Index of a table -> seed of its deal, number of actions replayed, and resulting state (a cache)."""

    def choose_actions(
        self, tables: NDArray[Any], action_history: NDArray[np.int32], at: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the action that the agent to move chooses at each of the tables `at` ([n] int64).


        Args:
            tables: Records of all tables (`learner_env.TABLE`).
            action_history: Recorded actions of the rounds in progress ([tables, actions]).
            at: Indices of the tables ([n]).

        Raises:
            InvalidInput: An agent fails, or its action is illegal; the message names the agent.
        """
        self._rounds = {t: cached for t, cached in self._rounds.items() if tables["seat"][t] != OVER}
        return np.array([self._choose_action(int(t), tables[t], action_history[t]) for t in at], np.int64)

    def forget(self) -> None:
        """Drop the cache of replayed rounds, after the tables were loaded from a checkpoint."""
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
