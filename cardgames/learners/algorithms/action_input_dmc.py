"""Deep Monte Carlo with an action-input network, for games with too many actions for one output each.

Method: Zha et al., "DouZero: Mastering DouDizhu with Self-Play Deep Reinforcement Learning", 2021. DouZero has one network
per role, with an LSTM over the last actions; here a single perceptron has the role among its inputs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game import Game
from cardgames.kernels import rng
from cardgames.learners.base.learner import Learner
from cardgames.learners.base.settings import Settings, default, setting
from cardgames.learners.environments.action_input_rounds import (
    NetworkPlayer,
    new_choice_batch,
    new_decision_buffer,
    new_tables,
    play_rounds,
)
from cardgames.learners.memory.random_indices import minibatches
from cardgames.learners.networks.losses import output_loss
from cardgames.learners.networks.optimizers import Adam
from cardgames.learners.networks.trainable_factory import make_trainable
from cardgames.networks.network import Mlp
from cardgames.support.errors import unknown_name
from cardgames.support.state_dict import Arrays, join_states, substate

_TABLES_SEED, _ORDER_SEED, _NETWORK_SEED = range(3)
"""Labels that `rng.derive` combines with the learner's seed, so that each random component has its own seed."""
_MAX_MEAN_DECISIONS = 162
"""Size of the decision buffer, in decisions per round played.

162 is for 54 cards of Dou Di Zhu played one by one, with two passes after each.
"""


@dataclass(frozen=True)
class ChoiceDmcSettings(Settings):
    """Hyperparameters of deep Monte Carlo with an action-input network.

    They are this project's own: none of the papers 000 to 004 has this algorithm. DouZero has epsilon 0.01 and layers
    of 512 units.
    """

    hidden: tuple[int, ...] = default(Settings, "hidden", (256, 256, 128))
    encoding: str = setting("choice", "input of the network: a position and one legal action")
    symmetry: str = setting("none", "always none: the encoding has no symmetries", choices=("none",))
    opponents: str = setting("itself", "always itself: the learner plays all seats", choices=("itself",))
    seats: str = setting("all", "always all: it learns from every seat", choices=("all",))
    rounds: int = default(Settings, "rounds", 1_000_000)
    batch: int = default(Settings, "batch", 256)
    learning_rate: float = default(Settings, "learning_rate", 1e-3)
    evaluate: str = default(Settings, "evaluate", "random+frugal")
    evaluate_every: int = default(Settings, "evaluate_every", 50_000)
    evaluate_games: int = default(Settings, "evaluate_games", 10_000)
    epsilon: float = setting(0.02, "probability of a random action", 0, 1)
    tables: int = setting(512, "rounds played in parallel before the network learns from them", 1, 4_096)
    passes: int = setting(1, "passes over the decisions of these rounds", 1, 1_000)


class ChoiceDmc(Learner):
    """Deep Monte Carlo in self-play: the target of Q is the round's outcome, 1 if the seat's side won, -1 if it lost."""

    name = "dmc"
    settings_class: ClassVar[type[ChoiceDmcSettings]] = ChoiceDmcSettings
    settings: ChoiceDmcSettings
    metric_names = ("error",)

    def __init__(self, games: Sequence[Game], settings: ChoiceDmcSettings, seed: int, device: str = "auto"):
        super().__init__(games, settings, seed, device)
        if self.encoding not in games[0].action_encodings:
            raise unknown_name("encoding", self.encoding, games[0].action_encodings)
        game = self.games[0]
        self.online = make_trainable(
            (self.inputs, *settings.hidden, 1),
            Adam(settings.learning_rate),
            seed=rng.derive(seed, _NETWORK_SEED),
            device=device,
            batch=settings.batch,
        )
        self._order = rng.derive(seed, _ORDER_SEED)
        self._tables = new_tables(game, settings.tables, rng.derive(seed, _TABLES_SEED))
        self._choice_batch = new_choice_batch(game, self.inputs)
        self._decision_buffer = new_decision_buffer(settings.tables * _MAX_MEAN_DECISIONS, self.inputs)
        self._cycles = self._rounds = self._decisions = 0

    @property
    def rounds(self) -> int:
        """Number of rounds played so far."""
        return self._rounds

    @property
    def decisions(self) -> int:
        """Number of decisions with more than one legal action at all seats so far."""
        return self._decisions

    def cycle(self) -> None:
        """Play one round at every table, then learn from all their decisions; the learning rate falls linearly to 0."""
        settings, game = self.settings, self.games[0]
        self.anneal_learning_rate()
        rows = play_rounds(
            game.kernel_rules, game.num_players, self._tables, self._player(), self._choice_batch, self._decision_buffer
        )
        self._rounds += settings.tables
        self._decisions += int(rows)
        random = np.random.default_rng(rng.derive(self._order, self._cycles))
        self._cycles += 1
        for batch_rows in minibatches(random, int(rows), settings.batch, settings.passes):
            self._update(batch_rows)

    def _player(self) -> NetworkPlayer:
        game, network = self.games[0], self.network()
        encoding, default_policy = game.network_encoding(self.encoding).encoding_id, game.policies[game.default_policy]
        sizes, activations = network.kernel_sizes, network.kernel_activations
        return NetworkPlayer(encoding, sizes, activations, network.weights, self.settings.epsilon, default_policy)

    def _update(self, batch_rows: NDArray[np.int64]) -> None:
        targets = self._decision_buffer.outcomes[batch_rows][:, None]
        losses, gradient = output_loss(self.online.forward(self._decision_buffer.inputs[batch_rows]), targets, 1.0)
        self.online.step(gradient)
        self.means.add("error", float(losses.sum()), len(losses))

    def network(self) -> Mlp:
        """Return the network of Q values in the form that agents play by and files store."""
        return self.inference_network(self.online, reward=(-1.0, 1.0))

    def state(self) -> Arrays:
        """Return the learner's whole state as arrays by name, for a checkpoint."""
        counts = np.array([self._cycles, self._rounds, self._decisions])
        learner = {"streams": self._tables.streams["rng"], "counts": counts}
        return join_states(online=self.online.state(), means=self.means.state(), learner=learner)

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the learner from the arrays that `state` returned. Raises `InvalidInput` if they do not fit."""
        self.online.load_state(substate(state, "online"))
        self.means.load_state(substate(state, "means"))
        learner = substate(state, "learner")
        self._tables.streams["rng"] = learner["streams"]
        self._cycles, self._rounds, self._decisions = (int(number) for number in learner["counts"])
