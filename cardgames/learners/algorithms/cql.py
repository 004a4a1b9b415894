"""Combinational Q-learning for Dou Di Zhu (paper 004, section 4): Q of decompositions of a hand, and Q of moves.

A decision has two stages: choose a decomposition of the hand into groups, then play one of these groups. Three networks are
trained: features of a group, Q of a decomposition (from the maximum of each feature over its groups), and Q of a move.
`doudizhu.policies.combination_policy` plays by them.

Differences from the paper: its first network is a convolutional one, pretrained to encode moves, with widths for a GPU; here
all three are perceptrons trained in kernels. Its state is the own hand, the last moves of the other two, and probabilities
of the unseen cards; here it has more of the public history (encoding `group`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game import Game
from cardgames.doudizhu.policies.combination_networks import MAX_DECOMPOSITIONS, combination_network
from cardgames.kernels import rng
from cardgames.kernels.sparse_matmul import LANES
from cardgames.learners.base.learner import Learner
from cardgames.learners.base.settings import Settings, Value, default, linear_schedule, setting
from cardgames.learners.environments.cql_rounds import (
    CombinationPlayer,
    new_decisions,
    new_tables,
    play_until_decision,
)
from cardgames.learners.environments.decomposition_batch import (
    DecompositionBatch,
    argmax_per_case,
    decompose_next,
    encode_cases,
    max_pool,
    max_unpool,
)
from cardgames.learners.memory.random_indices import fill_below
from cardgames.learners.memory.replay_buffer import updates_due
from cardgames.learners.networks.kernel_network import KernelTrainable
from cardgames.learners.networks.losses import Floats, output_loss
from cardgames.learners.networks.optimizers import Adam
from cardgames.learners.networks.trainable_factory import make_trainable
from cardgames.networks.network import Mlp
from cardgames.networks.network_policy import HEADER, network_weights
from cardgames.support.errors import InvalidInput, unknown_name
from cardgames.support.state_dict import Arrays, join_states, substate

_TABLES_SEED, _BATCHES_SEED, _NETWORKS_SEED = range(3)
"""Labels that `rng.derive` combines with the learner's seed, so that each random component has its own seed."""
_NETWORK_NAMES = "groups", "decompositions", "moves"
_NO_WEIGHTS = np.zeros(0, np.float32)
"""Empty weights, passed to the policies of the opponents, which need none."""


@dataclass(frozen=True)
class CqlSettings(Settings):
    """Hyperparameters of paper 004: the table of section 5.1, and section 5.2 (the landlord learns against two `rhcp`).

    The table has batch 8, an update every 4 samples, a memory of 3,000, and 100 decompositions. A decision is two of its
    samples (section 4.2), so the first three are halved here. Its 2,500 steps per epoch are updates in its code; 130 epochs
    (section 5.3) make 650,000 decisions.

    Values missing in the text are from its code: discount, learning rate, first update after 150 samples, copies of the
    networks every 250 updates. Exploration is close to its code, where epsilon falls from 1 to 0.5 and 0.1 in 30 and 60
    epochs, and hardly later. Unlike here, its code also discounts from a decomposition to its move, and has Huber loss.
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {"004": {}}

    hidden: tuple[int, ...] = default(Settings, "hidden", (256,))
    features: int = setting(128, f"features of a group, a multiple of {LANES}", LANES, 4096)
    head_hidden: tuple[int, ...] = setting((128,), "units of the hidden layers of the two Q networks", 1, 65536)
    encoding: str = setting("group", "input of the first network: a position and one group")
    symmetry: str = setting("none", "always none: the encoding has no symmetries", choices=("none",))
    opponents: str = setting("rhcp", "policy at the seats that do not learn")
    seats: str = setting(
        "first",
        "seats that learn: the first (if it is always the landlord's), or all",
        choices=("first", "all"),
    )
    sampled: int = setting(100, "decompositions of a hand to evaluate", 1, MAX_DECOMPOSITIONS)
    rounds: int = default(Settings, "rounds", 1_000_000)
    decisions: int = default(Settings, "decisions", 650_000)
    batch: int = default(Settings, "batch", 4)
    train_every: int = setting(2, "decisions between updates", 1)
    memory: int = setting(1_500, "decisions remembered", 1, 10_000_000)
    memory_init: int = setting(75, "decisions taken and remembered before the first update", 1)
    target_every: int = setting(250, "updates between copies of the networks to the target networks", 1)
    learning_rate: float = default(Settings, "learning_rate", 1e-4)
    discount: float = setting(0.99, "gamma: discount of the value of the seat's next decision", 0, 1)
    epsilon_start: float = setting(
        1.0, "probability of a random decomposition, and of a random move, at the start", 0, 1
    )
    epsilon_end: float = setting(0.1, "the same at the end", 0, 1)
    epsilon_decisions: int = setting(300_000, "decisions over which epsilon falls linearly", 1)
    tables: int = setting(8, "tables played in parallel", 1, 4_096)
    evaluate: str = default(Settings, "evaluate", "rhcp")
    evaluate_every: int = default(Settings, "evaluate_every", 1_000)
    evaluate_games: int = default(Settings, "evaluate_games", 1_000)

    def epsilon(self, decisions: int) -> float:
        """Return epsilon, the probability of a random decomposition or move, after `decisions` decisions."""
        return linear_schedule(self.epsilon_start, self.epsilon_end, decisions / self.epsilon_decisions)


class Networks:
    """Three perceptrons: features of a group, Q of a decomposition, Q of a move; the online or the target networks."""

    def __init__(self, groups: KernelTrainable, decompositions: KernelTrainable, moves: KernelTrainable):
        self.groups, self.decompositions, self.moves = groups, decompositions, moves

    @classmethod
    def random(cls, inputs: int, settings: CqlSettings, seed: int) -> "Networks":
        """Return networks with random weights; `inputs` is the number of inputs of an encoded group."""
        features = settings.features
        sizes = (
            (inputs, *settings.hidden, features),
            (features, *settings.head_hidden, 1),
            (2 * features, *settings.head_hidden, 1),
        )
        networks = []
        for number, layers in enumerate(sizes):
            network = make_trainable(
                layers, Adam(settings.learning_rate), seed=rng.derive(seed, number), device="kernel"
            )
            assert isinstance(network, KernelTrainable)
            networks.append(network)
        return cls(*networks)

    @property
    def by_name(self) -> dict[str, KernelTrainable]:
        """Networks by their names: groups, decompositions, moves."""
        return dict(zip(_NETWORK_NAMES, (self.groups, self.decompositions, self.moves), strict=True))

    def copy(self) -> "Networks":
        """Return networks with the same weights and new optimizers."""
        return Networks(self.groups.copy(), self.decompositions.copy(), self.moves.copy())

    def copy_from(self, other: "Networks") -> None:
        """Replace the weights of all three networks by those of `other`."""
        for name, network in self.by_name.items():
            network.load_tensors(other.by_name[name].tensors())

    def decomposition_values(self, cases: DecompositionBatch) -> Floats:
        """Return the Q of the decomposition in each case ([cases])."""
        _, pooled = self._features_and_pooled(cases)
        return self.decompositions.outputs(pooled)[:, 0]

    def move_values(self, cases: DecompositionBatch) -> Floats:
        """Return the Q of each move in `cases.moves` ([moves])."""
        features, pooled = self._features_and_pooled(cases)
        return self.moves.outputs(np.hstack([features[cases.input_row_of], pooled[cases.case_of]]))[:, 0]

    def _features_and_pooled(self, cases: DecompositionBatch) -> tuple[Floats, Floats]:
        features = np.maximum(self.groups.outputs(cases.inputs), 0)
        return features, max_pool(features, cases.starts, cases.ends)[0]


class Cql(Learner):
    """Learner of combinational Q-learning, with Double DQN targets.

    The target of a decomposition's Q is the Q of the best move in it. The target of a move's Q is the reward plus gamma
    times the Q of the best decomposition at the seat's next decision. The online networks choose the best, the target
    networks give its value. There is no discount between the two stages, which belong to one decision.
    """

    name = "cql"
    settings_class: ClassVar[type[CqlSettings]] = CqlSettings
    settings: CqlSettings
    metric_names = ("error", "target")

    def __init__(self, games: Sequence[Game], settings: CqlSettings, seed: int, device: str = "auto"):
        super().__init__(games, settings, seed, device)
        game = games[0]
        self._check(game, device)
        self.networks = Networks.random(self.inputs, settings, rng.derive(seed, _NETWORKS_SEED))
        self.online = self.networks.groups
        self.target = self.networks.copy()
        self.memory = new_decisions(game, settings.memory)
        self._tables = new_tables(game, settings.tables, rng.derive(seed, _TABLES_SEED))
        self._legal = np.empty(game.max_legal_actions, np.int32)
        self._weights = network_weights(game, self.network())
        self._stream = rng.stream(rng.derive(seed, _BATCHES_SEED))
        self._opponent_policy = game.policies[settings.opponents]
        self._cursor = self._rounds = self._decisions = 0

    def _check(self, game: Game, device: str) -> None:
        settings = self.settings
        if self.encoding not in game.action_encodings:
            raise unknown_name("encoding", self.encoding, game.action_encodings)
        if device not in ("auto", "kernel"):
            raise InvalidInput(f"{self.name} is trained in kernels only: device is auto or kernel, not {device}")
        if settings.features % LANES:
            raise InvalidInput(f"features is a multiple of {LANES}, not {settings.features}")
        if settings.memory_init > settings.memory:
            raise InvalidInput(f"memory_init is at most memory, {settings.memory:,}, not {settings.memory_init:,}")
        if settings.seats == "first" and not game.seats_are_roles:
            raise InvalidInput(
                f"seats=first needs rules in which that seat is always the landlord, not {game.rules.name}: use seats=all"
            )
        if settings.opponents not in game.policies:
            raise unknown_name("opponents", settings.opponents, game.policies)
        if settings.seats == "all" and settings.opponents != type(settings)().opponents:
            raise InvalidInput("opponents need seats=first: with seats=all the learner plays every seat")

    @property
    def rounds(self) -> int:
        """Number of rounds played so far."""
        return self._rounds

    @property
    def decisions(self) -> int:
        """Number of decisions the learner took with more than one legal action."""
        return self._decisions

    def cycle(self) -> None:
        """Play on to the next decision of the learner at every table, and make one update per `train_every` decisions."""
        settings, game = self.settings, self.games[0]
        seats = 1 if settings.seats == "first" else game.num_players
        epsilon, default_policy = settings.epsilon(self._decisions), game.policies[game.default_policy]
        player = CombinationPlayer(self._weights, seats, epsilon, self._opponent_policy, default_policy)
        rounds, decisions, self._cursor = play_until_decision(
            game.kernel_rules, self._tables, player, self._legal, self.memory, np.int64(self._cursor), _NO_WEIGHTS
        )
        self._rounds += int(rounds)
        self._decisions += int(decisions)
        due = updates_due(self._decisions, settings.memory_init, settings.train_every)
        while self.online.steps < due and self._cursor >= settings.memory_init:
            self.update()

    def update(self) -> None:
        """Update the three networks once, from a random batch of the decisions in the memory."""
        settings, memory, rules = self.settings, self.memory, self.games[0].kernel_rules
        rows = np.empty(settings.batch, np.int64)
        fill_below(self._stream, min(self._cursor, settings.memory), rows)
        encoding_id = self.games[0].network_encoding(self.encoding).encoding_id
        after, decompositions = decompose_next(rules, memory, rows, self._weights)
        now = encode_cases(rules, memory.states[rows], memory.groups[rows], encoding_id, self.inputs)
        split_targets = self.target.move_values(now)[
            argmax_per_case(self.networks.move_values(now), now.case_of, len(rows))
        ]
        move_targets = memory.rewards[rows].copy()
        if len(after):
            then = encode_cases(
                rules, memory.states[(rows[after] + 1) % settings.memory], decompositions, encoding_id, self.inputs
            )
            move_targets[after] += np.float32(settings.discount) * self.target.decomposition_values(then)
        self._learn(now, now.indices_of(memory.taken[rows]), split_targets, move_targets)
        self._refresh_policy_weights()
        if self.online.steps % settings.target_every == 0:
            self.target.copy_from(self.networks)

    def _refresh_policy_weights(self) -> None:
        """Copy the weights of the three networks into the weights of the policy that plays at the tables."""
        end = len(self._weights)
        for network in reversed(self.networks.by_name.values()):
            self._weights[end - len(network.weights) : end] = network.weights
            end -= len(network.weights) + HEADER

    def _learn(
        self, now: DecompositionBatch, taken: NDArray[np.int64], split_targets: Floats, move_targets: Floats
    ) -> None:
        """Update the networks once, towards targets of the Q of decompositions and of moves taken.

        `split_targets` are the targets of the decompositions in the cases of `now`, `move_targets` those of the moves
        ([cases] each); `taken` are the indices of the moves taken in `now.moves` ([cases]).
        """
        networks = self.networks
        group_outputs = networks.groups.forward(now.inputs)
        features = np.maximum(group_outputs, 0)
        pooled, argmax = max_pool(features, now.starts, now.ends)
        pairs = np.hstack([features[now.input_row_of[taken]], pooled])
        split_losses, q_gradient = output_loss(networks.decompositions.forward(pooled), split_targets[:, None], 1.0)
        pooled_gradient = networks.decompositions.step_and_backpropagate(q_gradient)
        move_losses, q_gradient = output_loss(networks.moves.forward(pairs), move_targets[:, None], 1.0)
        pairs_gradient = networks.moves.step_and_backpropagate(q_gradient)
        width = self.settings.features
        gradient = np.zeros_like(group_outputs)
        gradient[now.input_row_of[taken]] = pairs_gradient[:, :width]
        max_unpool(pooled_gradient + pairs_gradient[:, width:], argmax, gradient)
        networks.groups.step(gradient)
        self.means.add("error", float(split_losses.sum() + move_losses.sum()), 2 * len(taken))
        self.means.add("target", float(move_targets.sum()), len(taken))

    def network(self) -> Mlp:
        """Return the network of group features, with the Q networks of decompositions and of moves attached."""
        groups, splits, moves = (
            self.inference_network(network, (-1.0, 1.0)) for network in self.networks.by_name.values()
        )
        return combination_network(groups, splits, moves, self.settings.sampled)

    def metrics(self) -> dict[str, float]:
        """Return epsilon, the number of updates, and the means of the metrics since the last evaluation, by name."""
        return {"epsilon": self.settings.epsilon(self._decisions)} | super().metrics()

    def state(self) -> Arrays:
        """Return the learner's whole state as arrays by name, for a checkpoint."""
        networks = {name: network.state() for name, network in self.networks.by_name.items()}
        targets = {f"target-{name}": network.state() for name, network in self.target.by_name.items()}
        counts = np.array([self._cursor, self._rounds, self._decisions])
        learner = {"counts": counts, "stream": np.array([self._stream.rng])}
        arrays = {name: array.view(np.uint8).reshape(-1) for name, array in self._arrays().items()}
        return join_states(**networks, **targets, means=self.means.state(), learner=learner, arrays=arrays)

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the learner from the arrays that `state` returned. Raises `InvalidInput` if they do not fit."""
        for name in _NETWORK_NAMES:
            self.networks.by_name[name].load_state(substate(state, name))
            self.target.by_name[name].load_state(substate(state, f"target-{name}"))
        self._refresh_policy_weights()
        self.means.load_state(substate(state, "means"))
        learner, arrays = substate(state, "learner"), substate(state, "arrays")
        self._cursor, self._rounds, self._decisions = (int(number) for number in learner["counts"])
        self._stream.rng = learner["stream"][0]
        for name, array in self._arrays().items():
            array.view(np.uint8).reshape(-1)[:] = arrays[name]

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the memory and of the tables by name, as a checkpoint stores them."""
        tables = self._tables
        arrays = {f"memory {name}": array for name, array in self.memory._asdict().items()}
        arrays |= {f"decided {name}": array for name, array in tables.pending._asdict().items()}
        return arrays | {"states": tables.states, "streams": tables.streams, "counts": tables.counts}
