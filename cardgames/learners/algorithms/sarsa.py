"""Deep SARSA (paper 003): on-policy learning, with the Q of the next action actually taken as target."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.learners.base.bootstrap_targets import bootstrap_targets
from cardgames.learners.base.settings import Value, default
from cardgames.learners.base.value_learner import ValueLearner, ValueSettings
from cardgames.learners.memory.replay_buffer import Batch


@dataclass(frozen=True)
class SarsaSettings(ValueSettings):
    """Hyperparameters of paper 003, sections 5.1 (two hidden layers of 512), 5.2, 6.1 and 6.2.

    Learning rate 0.0001, discount 0.95, epsilon multiplied by 0.95 after every tournament of 100 games without limit,
    125,000 iterations. An iteration is such a tournament in section 5.3; but 12,500,000 games would be too many for a
    training of this size, so iterations are rounds here.

    By default the network observes no hidden cards; the paper's encoding, which has the other hands, comes with
    `--paper 003`. The paper describes plain gradient descent on each tournament's decisions; memory, batches and Adam here
    are those of RLCard's DQN.
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {"003": {"encoding": "cheating-7x4x15"}}

    hidden: tuple[int, ...] = default(ValueSettings, "hidden", (512, 512))
    learning_rate: float = default(ValueSettings, "learning_rate", 1e-4)
    discount: float = default(ValueSettings, "discount", 0.95)
    epsilon_factor: float = default(ValueSettings, "epsilon_factor", 0.95)
    epsilon_end: float = default(ValueSettings, "epsilon_end", 0.0)
    rounds: int = default(ValueSettings, "rounds", 125_000)


class Sarsa(ValueLearner):
    """SARSA learner: the target is the reward plus the discounted Q of the next action taken."""

    name = "sarsa"
    settings_class = SarsaSettings

    def targets(self, batch: Batch) -> NDArray[np.float32]:
        """Return r + discount * Q(s', a') ([n]), with a' the next action taken (section 5.4)."""
        values = self.values(self.online, batch.next_observations)
        return bootstrap_targets(batch, values, batch.next_actions, self.settings.discount)
