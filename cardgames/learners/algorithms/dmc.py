"""Deep Monte Carlo (paper 000, II-C): the target of Q is the discounted return of the round, without bootstrapping."""

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
    """Hyperparameters of deep Monte Carlo in paper 000, section IV, whose learners share network and hyperparameters.

    So this learner explores as DQN, uses Adam, and has an update with batch 32 after every decision: each decision is
    used 32 times on average. RLCard's own DMC has epsilon 0.01 (`epsilon_start`, `epsilon_end`), RMSprop (`optimizer`),
    and uses each decision once (`train_every=32`), which section II-C also allows and which wins more
    (docs/research/strength.md).
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {"000": {}}


class Dmc(ValueLearner):
    """Deep Monte Carlo learner: the target of Q is the discounted sum of rewards to the end of the round."""

    name = "dmc"
    settings_class = DmcSettings

    def targets(self, batch: Batch) -> NDArray[np.float32]:
        """Return the target of Q for each decision: the discounted sum of rewards to the end of its round ([n])."""
        return batch.returns
