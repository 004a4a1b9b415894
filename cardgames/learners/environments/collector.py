"""Collector of a learner's decisions: it plays rounds in parallel and writes the decisions to a replay memory.

Each round in progress has a table. One call of a kernel plays every table to the learner's next decision; opponents
that are policies move inside the kernel.
"""

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
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.support.errors import InvalidInput, unknown_name
from cardgames.support.state_dict import Arrays

SEATINGS = {"first": FIRST, "any": ANY, "all": ALL}
"""Choices of the setting `seats`, the seats that the learner plays.

They are the first seat, as in RLCard's examples; one drawn for each round; or all seats (self-play).
"""
PAY_OFF, WIN, WIN_ONLY = "pay-off", "win", "win-only"
REWARDS = {PAY_OFF: 0.0, WIN: 0.0, WIN_ONLY: -1.0}
"""Choices of the setting `reward` -> reward of a void round (one without a winner).

`pay-off`: the pay-off by the game's rules, for void rounds too. `win`: 1 for a win, -1 for a loss, 0 for a void round.
`win-only`: -1 for a void round too, so that the learner does not learn to stall.
"""
MAX_SEAT_DECISIONS = 512
"""Maximum number of decisions recorded per seat and round; of a longer round the last ones are recorded."""
MAX_RECORDED_ACTIONS = 1024
"""Maximum number of actions recorded per round for opponents that are agents.

After that many actions, the default policy decides in place of the agents.
"""


class Collector:
    """Rounds in parallel, one per table, in which a learner plays opponents; its decisions go to a replay memory.

    A round's decisions are written when it ends. If no legal action of a position has a network output, the game's
    default policy decides, and nothing is written. Opponents that are agents decide one by one in Python
    (`PythonOpponents`). Each table has its own random stream. With a canonical encoding, observations and actions here
    are those of the canonicalized position.

    Call `begin` once; then alternate `choose` (or any choice of legal actions for `observations` and `legal`) and
    `step`.
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
        """Set up the tables, without dealing.

        Args:
            games: Games that differ in their number of players; each round is one of them, drawn uniformly.
            encoding: Encoding of the observations.
            outputs: Number of outputs of the network.
            opponents: Opponents at the seats that the learner does not play.
            memory: Replay that receives the decisions.
            tables: Number of tables.
            seed: Seed of all random numbers at the tables.
            seats: One of `SEATINGS`.
            reward: One of `REWARDS`.
            discount: Discount of the returns in the memory, per decision.
            rounds: Rounds per table; -1: no limit.
            include_forced: Also write decisions with a single legal action.
            max_decisions: Decisions written per seat and round: the last ones of a longer round.

        Raises:
            InvalidInput: An argument is out of range, or the memory has other sizes.
        """
        game = games[0]
        network_encoding = game.encoding(encoding)
        encoding_id, inputs = network_encoding.encoding_id, network_encoding.inputs
        for option, value, allowed in (("seats", seats, SEATINGS), ("reward", reward, REWARDS)):
            if value not in allowed:
                raise unknown_name(option, value, allowed)
        if tables < 1:
            raise InvalidInput(f"tables is at least 1, not {tables}")
        widths, words = (memory.observations.shape[1], memory.legal.shape[1]), num_words(outputs)
        if widths != (inputs, words):
            raise InvalidInput(
                f"the memory's rows have {widths[0]} inputs and {widths[1]} words, not {inputs} and {words}"
            )
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
        """Full states of the rounds ([tables])."""
        self.tables = np.zeros(tables, TABLE)
        """Records of the tables: random stream, seats and counters, not cards ([tables] `learner_env.TABLE`)."""
        self.tables["rng"] = rng.streams(seed, tables)["rng"]
        self.tables["seat"], self.tables["pending_opponent"], self.tables["rounds_left"] = NEW, NO_OPPONENT, rounds
        self.action_history = np.zeros((tables, MAX_RECORDED_ACTIONS if opponents.agents else 0), np.int32)
        """Actions of the round in progress ([tables, actions]), for opponents that are agents; else [tables, 0]."""
        self.observations = np.zeros((tables, inputs), np.int8)
        """Encoded observation at each table of the learner's seat to move ([tables, inputs])."""
        self.legal = np.zeros((tables, words), np.uint64)
        """Bit masks of the learner's legal actions that have a network output ([tables, words], `kernels.masks`)."""
        remarks = memory.remarks.shape[1]
        self.remarks = np.zeros((tables, remarks), np.float32)
        """Extra values to store with the next decisions ([tables, remarks]); the learner writes them before `step`."""
        self._view = View(self.observations, self.legal, self.remarks)
        self._decisions = Decisions(
            np.zeros((tables, slots, max_decisions, inputs), np.int8),
            np.zeros((tables, slots, max_decisions, words), np.uint64),
            np.zeros((tables, slots, max_decisions), np.int64),
            np.zeros((tables, slots, max_decisions, remarks), np.float32),
        )
        self.tally: Any = np.zeros(1, TALLY)
        """Counts and sums over all finished rounds ([1] `learner_env.TALLY`)."""
        self._counts = Counts(self.tally[0], np.zeros(MAX_SEATS))
        self._legal_buffer = np.zeros(game.max_legal_actions, np.int32)
        self._all = np.arange(tables)
        self._actions = np.zeros(tables, np.int64)
        self._epsilons = np.zeros(tables)

    @classmethod
    def for_one_round(
        cls, game: Game, encoding: str, outputs: int, opponents: str, *, tables: int, seed: int, seats: str
    ) -> "Collector":
        """Return a collector whose tables play one round each, for an evaluation; it stores no decisions.


        Args:
            game: Game to play.
            encoding: Encoding of the observations.
            outputs: Number of outputs of the network.
            opponents: Mixture of opponents (`opponents.parse_mixture`).
            tables: Number of tables, and so of rounds.
            seed: Seed of all random numbers at the tables.
            seats: One of `SEATINGS`.

        Raises:
            InvalidInput: An argument is invalid.
        """
        inputs = game.encoding(encoding).inputs
        unused_memory = Replay(1, inputs, outputs)
        mixture = Opponents([game], opponents)
        return cls([game], encoding, outputs, mixture, unused_memory, tables=tables, seed=seed, seats=seats, rounds=1)

    def begin(self) -> None:
        """Deal a round at every table, and play each to the first decision of the learner."""
        self.step(self._actions)

    def tables_to_move(self) -> NDArray[np.int64]:
        """Return the indices of the tables where a decision of the learner is pending.

        These are all tables, unless the number of rounds is limited.
        """
        return np.flatnonzero(self.tables["seat"] != OVER)

    def choose(
        self, q: NDArray[np.float32], epsilon: float | NDArray[np.float64] = 0.0, at: NDArray[np.int64] | None = None
    ) -> NDArray[np.int64]:
        """Return an epsilon-greedy legal action for each of the tables `at`; the next call overwrites the returned array.


        Args:
            q: Values of the actions at these tables ([n, outputs] float32).
            epsilon: Probability of a random legal action: one for all tables `at`, or one for each of them ([n]).
            at: Indices of the tables; None: all.
        """
        at = self._all if at is None else at
        actions = self._actions[: len(at)]
        probabilities = self._epsilons[: len(at)]
        probabilities[:] = epsilon
        kernels.choose_all(q, self.legal, self.tables, at, probabilities, actions)
        return actions

    def step(self, actions: NDArray[np.int64], at: NDArray[np.int64] | None = None) -> None:
        """Take legal `actions` ([n] int64) at the tables `at` (None: all), and play on to the learner's next decisions."""
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
        """Return the state of all tables, without the replay memory, as arrays by name, for a checkpoint."""
        num_decided = self.tables["decisions"]
        slots, max_decisions = self._decisions.actions.shape[1:]
        num_stored = min(int(num_decided.max()), max_decisions)
        num_decided = num_decided[:, :slots] if slots > 1 else num_decided.max(axis=1, keepdims=True)
        # rows behind the running round's decisions are left over from earlier rounds: they are no part of the state
        stale = np.arange(num_stored) >= num_decided[:, :, None]
        action_history = self.action_history[:, : int(self.tables["steps"].max())].copy()
        action_history[np.arange(action_history.shape[1]) >= self.tables["steps"][:, None]] = 0
        running = {
            f"decided {name}": array[:, :, :num_stored].copy() for name, array in self._decisions._asdict().items()
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
        """Restore the tables from the arrays that `state` returned. Raises `InvalidInput` if they do not fit."""
        parts: tuple[tuple[str, NDArray[Any]], ...]
        parts = ("states", self.states), ("tables", self.tables), ("tally", self.tally)
        for name, array in parts:
            if state[name].size != array.nbytes:
                raise InvalidInput("the checkpoint's tables differ in number or game")
            array.view(np.uint8).reshape(-1)[:] = state[name]
        self.observations[:], self.legal[:] = state["observations"], state["legal"]
        self.action_history[:, : state["told"].shape[1]] = state["told"]
        num_stored = state["decided actions"].shape[2]
        for name, rows in self._decisions._asdict().items():
            rows[:, :, :num_stored] = state[f"decided {name}"]
        self._python_opponents.forget()


def _bytes(records: NDArray[Any]) -> NDArray[np.uint8]:
    return records.view(np.uint8).reshape(-1)
