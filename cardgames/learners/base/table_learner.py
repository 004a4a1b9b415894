"""Base class of learners that play many rounds in parallel, at tables, and remember decisions in a replay memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import NDArray

from cardgames.learners.base.learner import Learner
from cardgames.learners.base.settings import Settings, setting
from cardgames.learners.environments.collector import REWARDS, Collector
from cardgames.learners.environments.opponents import Opponents
from cardgames.learners.memory.checkpoint_arrays import Arrays, join_states, substate
from cardgames.learners.memory.replay_buffer import Replay
from cardgames.support.errors import InvalidInput

_STATE_PARTS = ("online", "memory", "collector", "opponents", "means")


@dataclass(frozen=True)
class TableSettings(Settings):
    """Settings of learners that play at tables."""

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


class TableLearner(Learner):
    """Learner at tables. Subclasses make `online` and `memory`, then call `start_tables`."""

    settings_class: ClassVar[type[TableSettings]] = TableSettings
    settings: TableSettings
    memory: Replay

    def start_tables(self, seed: int, *, include_forced: bool = True) -> None:
        """Deal at every table and play to the first decisions.

        Args:
            seed: Seed of the tables.
            include_forced: Also remember decisions with a single legal action.

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
        """Number of rounds played."""
        return int(self.collector.tally["rounds"][0])

    @property
    def decisions(self) -> int:
        """Number of decisions of the learner written to the memory."""
        return self.memory.written

    def update_past_selves(self) -> None:
        """Add the network to the past selves if one is due."""
        if self.opponents.includes_past_selves and self.rounds >= self.opponents.selves * self.settings.past_every:
            self.opponents.add_past_self(self.network())

    def state(self) -> Arrays:
        """Return the learner's whole state as plain arrays."""
        return join_states(**{name: getattr(self, name).state() for name in _STATE_PARTS})

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned. Raises `InvalidInput` if that does not fit."""
        for name in _STATE_PARTS:
            getattr(self, name).load_state(substate(state, name))
