"""Deep Monte Carlo: learning what rounds really paid (paper 000, II-C)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.learners.base.settings import Value
from cardgames.learners.base.value_learner import ValueLearner, ValueSettings
from cardgames.learners.memory.replay_buffer import Batch


@dataclass(frozen=True)
class DmcSettings(ValueSettings):
    """Paper 000, section IV: all its learners share network and hyperparameters, so this one explores as DQN does, follows
    Adam, and has an update of 32 after every decision, so that each is learned from 32 times on the mean.

    RLCard's own DMC explores with chance 0.01 (`epsilon_start`, `epsilon_end`), follows RMSprop (`optimizer`) and learns
    from each decision once, as section II-C can be read too: `train_every=32`, with which it wins more (docs/strength.md).
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {"000": {}}


class Dmc(ValueLearner):
    """Q of what was done becomes the discounted reward at the end of its round."""

    name = "dmc"
    settings_class = DmcSettings

    def targets(self, batch: Batch) -> NDArray[np.float32]:
        """Return the discounted sum of rewards to the end of the round."""
        return batch.returns
