"""What learners share that decide at tables: the network that learns, its memory, its opponents, its past selves."""

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

_PARTS = ("online", "memory", "collector", "opponents", "means")


@dataclass(frozen=True)
class TableSettings(Settings):
    """What learners that play are told besides."""

    reward: str = setting(
        "pay-off", "what the rules pay; win: 1, -1 and 0 for void; win-only: -1 for void too", choices=REWARDS
    )
    tables: int = setting(1, "tables played at once", 1, 1_000_000)
    past_pool: int = setting(10, "how many past selves there are among opponents=past", 1, 1000)
    past_every: int = setting(
        5_000, "rounds between past selves, in the mean; one at most is added whenever it learns", 1
    )
    discount: float = setting(0.99, "of a reward, for each of the learner's decisions before it", 0, 1)
    memory: int = setting(20_000, "decisions remembered", 1, 100_000_000)
    max_norm: float = setting(float("inf"), "a longer gradient is scaled down to this length", 0, allow_infinite=True)


class TableLearner(Learner):
    """Has a network and a memory before it sits down."""

    settings_class: ClassVar[type[TableSettings]] = TableSettings
    settings: TableSettings
    memory: Replay

    def start_tables(self, seed: int, *, include_forced: bool = True) -> None:
        """Deal at every table and play on to the first decisions; see `Collector`. Raises `InvalidInput`."""
        settings = self.settings
        if settings.seats == "all" and settings.opponents != type(settings)().opponents:
            raise InvalidInput("opponents are met with seats=first or any: with seats=all the learner plays every seat")
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
        """How many rounds were played."""
        return int(self.collector.tally["rounds"][0])

    @property
    def decisions(self) -> int:
        """How many of the learner's decisions in them were remembered."""
        return self.memory.written

    def update_past_selves(self) -> None:
        """Make the network a past self when it is due."""
        if self.opponents.includes_past_selves and self.rounds >= self.opponents.selves * self.settings.past_every:
            self.opponents.add_past_self(self.network())

    def state(self) -> Arrays:
        """Return everything the learner goes on from as plain arrays."""
        return join_states(**{name: getattr(self, name).state() for name in _PARTS})

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned. Raises `InvalidInput` if that does not fit."""
        for name in _PARTS:
            getattr(self, name).load_state(substate(state, name))
