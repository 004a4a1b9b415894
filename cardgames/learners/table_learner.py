"""What learners share that decide at tables: the network that learns, its memory, its opponents, its past selves."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from cardgames.learners.collect import Collector
from cardgames.learners.learner import Learner, joined, part_of
from cardgames.learners.networks import Trainable
from cardgames.learners.opponents import Opponents
from cardgames.learners.replay import Replay, State

_PARTS = ("online", "memory", "collector", "opponents")


class TableLearner(Learner):
    """Has a network and a memory before it sits down."""

    online: Trainable
    """The network that learns."""
    memory: Replay

    def sit_down(self, seed: int, *, forced: bool = True) -> None:
        """Deal at every table and play on to the first decisions; see `Collector`."""
        settings = self.settings
        self.opponents = Opponents(self.games, settings.opponents, settings.past_pool)
        if self.opponents.want_past:
            self.opponents.remember(self.network())
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
            forced=forced,
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

    def renew_past(self) -> None:
        """Make the network a past self when it is due."""
        if self.opponents.want_past and self.rounds >= self.opponents.selves * self.settings.past_every:
            self.opponents.remember(self.network())

    def state(self) -> State:
        """Return everything the learner goes on from as plain arrays."""
        return joined(**{name: getattr(self, name).state() for name in _PARTS})

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned. Raises `InvalidInput` if that does not fit."""
        for name in _PARTS:
            getattr(self, name).load_state(part_of(state, name))
