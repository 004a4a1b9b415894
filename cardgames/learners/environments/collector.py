"""Collecting what a learner decides: many tables at once, the others' turns played inside the kernel wherever it can."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game import Game
from cardgames.kernels import rng
from cardgames.kernels.masks import num_words
from cardgames.learners.environments import learner_env as kernels
from cardgames.learners.environments.learner_env import (
    ALL,
    ANY,
    FIRST,
    MAX_SEATS,
    NEW,
    NO_OPPONENT,
    OVER,
    TABLE,
    TALLY,
    Counts,
    Decisions,
    Options,
    View,
)
from cardgames.learners.environments.opponents import Opponents
from cardgames.learners.environments.python_opponents import PythonOpponents
from cardgames.learners.memory.checkpoint_arrays import Arrays
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.support.errors import InvalidInput, unknown_name

SEATINGS = {"first": FIRST, "any": ANY, "all": ALL}
"""Which seats a learner has: the first, as RLCard's examples have it; one drawn for every round; all, in self-play."""
PAY_OFF, WIN, WIN_ONLY = "pay-off", "win", "win-only"
REWARDS = {PAY_OFF: 0.0, WIN: 0.0, WIN_ONLY: -1.0}
"""What a round pays a learner: what the rules say; 1 for a win, -1 for a loss and 0 for a void round; or -1 for that too,
so that nobody learns to stall. Each with what it pays for a void round, where the rules do not say.
"""
MAX_SEAT_DECISIONS = 512
"""Of a longer round, the last so many decisions of a seat are remembered."""
MAX_RECORDED_ACTIONS = 1024
"""Of a longer round, agents among the others decide so many actions; the pacemaker decides for them later on."""


class Collector:
    """Tables at which a learner decides and the others follow policies; what it decided is written to a memory.

    `games` differ in their number of players; each round is one of them, drawn evenly. Every decision of the learner is
    written (unless not `include_forced`: those with a choice), a whole round at once, when it ends. A void round ends with what
    the rules pay for it. A decision in which the network has no output for any legal action is taken by the game's
    pacemaker and not remembered. Agents among the opponents are asked one by one (`PythonOpponents`). All chance at a table comes
    from that table's own stream.
    Under a canonical encoding all that is told and taken here goes by its names.
    """

    def __init__(
        self,
        games: Sequence[Game],
        encoding: str,
        outputs: int,
        opponents: Opponents,
        memory: Replay,
        *,
        tables: int = 1,
        seed: int = 0,
        seats: str = "first",
        reward: str = PAY_OFF,
        discount: float = 1.0,
        rounds: int = -1,
        include_forced: bool = True,
        max_decisions: int = MAX_SEAT_DECISIONS,
    ):
        """`outputs` are those of the network. `memory` takes the decisions, their returns at this `discount`. At each of the
        `tables` so many `rounds` are played; -1: without end. Of a longer round the last `max_decisions` decisions of a seat are
        remembered. Raises `InvalidInput`.
        """
        game = games[0]
        known = game.encoding(encoding)
        encoding_id, inputs = known.encoding_id, known.inputs
        for what, value, allowed in (("seats", seats, SEATINGS), ("reward", reward, REWARDS)):
            if value not in allowed:
                raise unknown_name(what, value, allowed)
        if tables < 1:
            raise InvalidInput(f"tables is at least 1, not {tables}")
        kept, words = (memory.observations.shape[1], memory.legal.shape[1]), num_words(outputs)
        if kept != (inputs, words):
            raise InvalidInput(f"the memory's rows have {kept[0]} inputs and {kept[1]} words, not {inputs} and {words}")
        self.opponents, self.memory = opponents, memory
        self._rules = np.array([game.kernel_rules for game in games], game.kernel_rules.dtype)
        self._players = np.array([game.num_players for game in games])
        self._python_opponents = PythonOpponents(games, opponents.agents)
        self._options = Options(
            encoding_id, outputs, SEATINGS[seats], reward != PAY_OFF, REWARDS[reward], float(discount), include_forced
        )
        slots = int(self._players.max()) if seats == "all" else 1
        max_decisions = min(max_decisions, memory.capacity)
        self.states = np.zeros(tables, game.state_dtype)
        """[tables] the rounds, hidden cards and all."""
        self.tables = np.zeros(tables, TABLE)
        """[tables] (`tables.TABLE`)"""
        self.tables["rng"] = rng.streams(seed, tables)["rng"]
        self.tables["seat"], self.tables["pending_opponent"], self.tables["rounds_left"] = NEW, NO_OPPONENT, rounds
        self.action_history = np.zeros((tables, MAX_RECORDED_ACTIONS if opponents.agents else 0), np.int32)
        """[tables, actions] all that was done in the running round, for agents among the others."""
        self.observations = np.zeros((tables, inputs), np.int8)
        """[tables, inputs] what the learner's seat that is to move sees."""
        self.legal = np.zeros((tables, words), np.uint64)
        """[tables, words] what it can do (`kernels.masks`), as far as the network has outputs."""
        remarks = memory.remarks.shape[1]
        self.remarks = np.zeros((tables, remarks), np.float32)
        """[tables, remarks] what is to be remembered beside the decisions that come next."""
        self._view = View(self.observations, self.legal, self.remarks)
        self._decisions = Decisions(
            np.zeros((tables, slots, max_decisions, inputs), np.int8),
            np.zeros((tables, slots, max_decisions, words), np.uint64),
            np.zeros((tables, slots, max_decisions), np.int64),
            np.zeros((tables, slots, max_decisions, remarks), np.float32),
        )
        self.tally: Any = np.zeros(1, TALLY)
        """[1] what was counted so far (`tables.TALLY`)."""
        self._counts = Counts(self.tally[0], np.zeros(MAX_SEATS))
        self._legal_buffer = np.zeros(game.max_legal_actions, np.int32)
        self._all = np.arange(tables)
        self._actions = np.zeros(tables, np.int64)
        self._epsilons = np.zeros(tables)

    @classmethod
    def for_one_round(
        cls, game: Game, encoding: str, outputs: int, opponents: str, *, tables: int, seed: int, seats: str
    ) -> "Collector":
        """Return tables that play one round each, to see how well somebody plays: nothing of it is to be remembered.

        Raises `InvalidInput`.
        """
        inputs = game.encoding(encoding).inputs
        unused_memory = Replay(1, inputs, outputs)
        mixture = Opponents([game], opponents)
        return cls([game], encoding, outputs, mixture, unused_memory, tables=tables, seed=seed, seats=seats, rounds=1)

    def begin(self) -> None:
        """Deal everywhere and play on to the learner's first decisions."""
        self.step(self._actions)

    def tables_to_move(self) -> NDArray[np.int64]:
        """Return the tables at which the learner is to decide: all, unless the number of rounds is limited."""
        return np.flatnonzero(self.tables["seat"] != OVER)

    def choose(
        self, q: NDArray[np.float32], epsilon: float | NDArray[np.float64] = 0.0, at: NDArray[np.int64] | None = None
    ) -> NDArray[np.int64]:
        """Return an action for each of the tables `at` (default: all): of `q` (float32 [n, outputs]) the greatest legal
        one, or with chance `epsilon`, of all or of each, any legal one. The array is overwritten by the next call.
        """
        at = self._all if at is None else at
        actions = self._actions[: len(at)]
        probabilities = self._epsilons[: len(at)]
        probabilities[:] = epsilon
        kernels.choose_all(q, self.legal, self.tables, at, probabilities, actions)
        return actions

    def step(self, actions: NDArray[np.int64], at: NDArray[np.int64] | None = None) -> None:
        """Take legal actions (int64 [n]) at the tables `at` (default: all) and play these on to the next decisions."""
        self._play_until_decision(actions, self._all if at is None else at)
        while self.opponents.agents and len(pending := np.flatnonzero(self.tables["pending_opponent"] != NO_OPPONENT)):
            self._play_until_decision(
                self._python_opponents.choose_actions(self.tables, self.action_history, pending), pending
            )

    def _play_until_decision(self, actions: NDArray[np.int64], at: NDArray[np.int64]) -> None:
        kernels.play_until_decision(
            actions,
            at,
            self._rules,
            self._players,
            self.states,
            self.tables,
            self.action_history,
            self._view,
            self._decisions,
            (self.memory.columns, self.memory.cursor),
            self.opponents.others(),
            self._options,
            self._counts,
            self._legal_buffer,
        )

    def state(self) -> Arrays:
        """Return everything but the memory as plain arrays."""
        num_decided = self.tables["decisions"]
        slots, max_decisions = self._decisions.actions.shape[1:]
        num_kept = min(int(num_decided.max()), max_decisions)
        num_decided = num_decided[:, :slots] if slots > 1 else num_decided.max(axis=1, keepdims=True)
        # what earlier rounds left behind the running ones is no part of the state
        stale = np.arange(num_kept) >= num_decided[:, :, None]
        action_history = self.action_history[:, : int(self.tables["steps"].max())].copy()
        action_history[np.arange(action_history.shape[1]) >= self.tables["steps"][:, None]] = 0
        running = {
            f"decided {name}": array[:, :, :num_kept].copy() for name, array in self._decisions._asdict().items()
        }
        for array in running.values():
            array[stale] = 0
        return {
            "states": _bytes(self.states),
            "tables": _bytes(self.tables),
            "tally": _bytes(self.tally),
            "observations": self.observations,
            "legal": self.legal,
            "told": action_history,
            **running,
        }

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned. Raises `InvalidInput` if that does not fit."""
        parts: tuple[tuple[str, NDArray[Any]], ...]
        parts = ("states", self.states), ("tables", self.tables), ("tally", self.tally)
        for name, array in parts:
            if state[name].size != array.nbytes:
                raise InvalidInput("the tables kept are not of this number or game")
            array.view(np.uint8).reshape(-1)[:] = state[name]
        self.observations[:], self.legal[:] = state["observations"], state["legal"]
        self.action_history[:, : state["told"].shape[1]] = state["told"]
        num_kept = state["decided actions"].shape[2]
        for name, rows in self._decisions._asdict().items():
            rows[:, :, :num_kept] = state[f"decided {name}"]
        self._python_opponents.forget()


def _bytes(records: NDArray[Any]) -> NDArray[np.uint8]:
    return records.view(np.uint8).reshape(-1)
