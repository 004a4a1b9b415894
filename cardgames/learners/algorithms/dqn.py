"""Deep Q-learning (DQN, Mnih et al. 2015) and Double DQN (van Hasselt et al. 2016), with settings of papers 000 to 003."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game import Game
from cardgames.learners.base.bootstrap_targets import bootstrap_targets, greedy_actions
from cardgames.learners.base.settings import Value, setting
from cardgames.learners.base.value_learner import ValueLearner, ValueSettings
from cardgames.learners.memory.replay_buffer import Batch
from cardgames.support.state_dict import Arrays, join_states, substate


@dataclass(frozen=True)
class DqnSettings(ValueSettings):
    """Hyperparameters of DQN and Double DQN, by default those of paper 000, section IV (its DQN is a Double DQN).

    They are: network 240-64-64-61, batch 32, learning rate 0.00005, discount 0.99, one learner against random players,
    1,000 test games every 1,000 episodes. The number of episodes is not given.
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "000": {},
        # sections 3.4.1 (270-512-512-60, so no output for drawing) and 4.0.1: 25,000 updates, one per two moves; here some
        # 24,950 are made, as there are none before the memory holds `memory_init`
        "001": {
            "hidden": (512, 512),
            "encoding": "54x5",
            "outputs": 60,
            "memory": 10_000,
            "train_every": 2,
            "learning_rate": 1e-4,
            "discount": 1.0,
            "epsilon_start": 0.1,
            "epsilon_end": 0.1,
            "decisions": 50_000,
        },
        # the text gives no sizes: 240-512-512 and an evaluation every 2,000 rounds are from its code, the rest from RLCard
        "002": {"hidden": (512, 512), "evaluate_every": 2_000},
        # sections 5.1 (420-512-512), 5.2 (epsilon falls without limit) and 6.2: 350,000 iterations, which are rounds here,
        # though tournaments of 100 games in 5.3; memory, batches, target network and Adam are RLCard's, 5.3 has plain SGD
        "003": {
            "hidden": (512, 512),
            "encoding": "cheating-7x4x15",
            "learning_rate": 1e-4,
            "discount": 0.95,
            "epsilon_factor": 0.95,
            "epsilon_end": 0.0,
            "rounds": 350_000,
        },
    }

    target_every: int = setting(1_000, "updates between copies of the network to the target network", 1)


class Dqn(ValueLearner):
    """DQN learner: the target is the reward plus the discounted greatest Q of the next state by a target network."""

    name = "dqn"
    settings_class = DqnSettings
    settings: DqnSettings

    def __init__(self, games: Sequence[Game], settings: DqnSettings, seed: int, device: str = "auto"):
        super().__init__(games, settings, seed, device)
        self.target = self.online.copy()

    def targets(self, batch: Batch) -> NDArray[np.float32]:
        """Return r + discount * max Q'(s', a') ([n]), with Q' of the target network and a' legal."""
        values = self.values(self.target, batch.next_observations)
        return bootstrap_targets(batch, values, greedy_actions(values, batch.next_legal), self.settings.discount)

    def after_update(self) -> None:
        """Copy the weights of the online network to the target network every `target_every` updates."""
        if self.online.steps % self.settings.target_every == 0:
            self.target.load_tensors(self.online.tensors())

    def state(self) -> Arrays:
        """Return the learner's whole state as arrays by name, for a checkpoint."""
        return super().state() | join_states(target=self.target.tensors())

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the learner from the arrays that `state` returned. Raises `InvalidInput` if they do not fit."""
        super().load_state(state)
        self.target.load_tensors(substate(state, "target"))


class DoubleDqn(Dqn):
    """Double DQN learner: the online network chooses the next action, the target network gives its value.

    Paper 000, equations 1 and 2.
    """

    name = "ddqn"

    def targets(self, batch: Batch) -> NDArray[np.float32]:
        """Return r + discount * Q'(s', argmax Q(s', a')) ([n]), with Q' of the target network and a' legal."""
        actions = greedy_actions(self.values(self.online, batch.next_observations), batch.next_legal)
        values = self.values(self.target, batch.next_observations)
        return bootstrap_targets(batch, values, actions, self.settings.discount)
