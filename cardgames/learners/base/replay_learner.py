"""Base class of learners that play rounds in parallel, one per table, and store decisions in a replay memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import NDArray

from cardgames.learners.base.learner import Learner
from cardgames.learners.base.settings import Settings, setting
from cardgames.learners.environments.collector import REWARDS, Collector
from cardgames.learners.environments.opponents import Opponents
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.support.errors import InvalidInput
from cardgames.support.state_dict import Arrays, join_states, substate

_STATE_PARTS = ("online", "memory", "collector", "opponents", "means")


@dataclass(frozen=True)
class ReplaySettings(Settings):
    """Hyperparameters of learners that play rounds in parallel: rewards, number of tables, past selves, replay memory."""

    reward: str = setting(
        "pay-off", "pay-off: as the rules pay; win: 1, -1, and 0 for void; win-only: -1 for void too", choices=REWARDS
    )
    tables: int = setting(1, "tables played in parallel", 1, 1_000_000)
    past_pool: int = setting(10, "number of past selves for opponents=past", 1, 1000)
    past_every: int = setting(
        5_000, "mean number of rounds between new past selves; each learning step adds at most one", 1
    )
    discount: float = setting(0.99, "discount of rewards per decision of the learner", 0, 1)
    memory: int = setting(20_000, "decisions remembered", 1, 100_000_000)
    max_norm: float = setting(float("inf"), "longer gradients are scaled down to this norm", 0, allow_infinite=True)


class ReplayLearner(Learner):
    """Learner that plays many rounds in parallel, one at each table.

    The constructor of a subclass makes `online` (the network) and `memory` (the replay memory), then calls
    `start_tables`.
    """

    settings_class: ClassVar[type[ReplaySettings]] = ReplaySettings
    settings: ReplaySettings
    memory: Replay

    def start_tables(self, seed: int, *, include_forced: bool = True) -> None:
        """Deal a round at every table, and play each round to the first decision of the learner.


        Args:
            seed: Seed of all random numbers at the tables.
            include_forced: Also store decisions with a single legal action in the memory.

        Raises:
            InvalidInput: The settings do not fit together.
        """
        settings = self.settings
        if settings.seats == "all" and settings.opponents != type(settings)().opponents:
            raise InvalidInput("opponents need seats=first or any: with seats=all the learner plays every seat")
        self.opponents = Opponents(self.games, settings.opponents, settings.past_pool)
        if self.opponents.includes_past_selves:
            self.opponents.add_past_self(self.network())
        self.collector = Collector(
            self.games,
            self.encoding,
            self.outputs,
            self.opponents,
            self.memory,
            tables=settings.tables,
            seed=seed,
            seats=settings.seats,
            reward=settings.reward,
            discount=settings.discount,
            include_forced=include_forced,
        )
        self.collector.begin()

    @property
    def rounds(self) -> int:
        """Number of rounds finished so far at all tables."""
        return int(self.collector.tally["rounds"][0])

    @property
    def decisions(self) -> int:
        """Number of decisions of the learner written to the replay memory so far, including overwritten ones."""
        return self.memory.written

    def update_past_selves(self) -> None:
        """Add the present network to the past selves (opponents), if one is due by the setting `past_every`."""
        if self.opponents.includes_past_selves and self.rounds >= self.opponents.selves * self.settings.past_every:
            self.opponents.add_past_self(self.network())

    def state(self) -> Arrays:
        """Return network, replay memory, tables, opponents and metrics as arrays by name, for a checkpoint."""
        return join_states(**{name: getattr(self, name).state() for name in _STATE_PARTS})

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the learner from the arrays that `state` returned. Raises `InvalidInput` if they do not fit."""
        for name in _STATE_PARTS:
            getattr(self, name).load_state(substate(state, name))
