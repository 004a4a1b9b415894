"""Stack of Q-learners ("members") that are trained at once on one GPU: all networks are updated by the same operations.

A single training with RLCard's cadence, an update on a batch of 32 after every decision, leaves a GPU idle. The trainings of
a whole published table or grid together fill it. Each member plays one game at a time, has its own replay buffer, learns
independently, and starts with the same cards and weights as in a training of its own. There are two differences from such a
training. Each decision is followed by one update during the round, while a single training makes all updates of a round when
it is over (both learn from finished rounds only). And only the last `MAX_ROUND_DECISIONS` decisions of a round are stored.
To evaluate a member during the training, copy its network with `Stack.copy_to_learner`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.rng import STREAM, derive
from cardgames.learners.base.value_learner import PLAIN, TABLES_SEED, ValueLearner, ValueSettings
from cardgames.learners.environments.collector import Collector
from cardgames.learners.environments.opponents import Opponents
from cardgames.learners.memory.augmentation import NONE
from cardgames.learners.memory.replay_buffer import Replay, updates_due
from cardgames.papers.joint_training.losses import STACKED
from cardgames.papers.joint_training.replay import Schedule, draw_batches, move_rounds
from cardgames.papers.joint_training.updates import StackedUpdates
from cardgames.support.errors import InvalidInput, unknown_name
from cardgames.support.state_dict import Arrays, join_states, substate

MAX_ROUND_DECISIONS = 128
"""Largest number of decisions of a round that are stored for replay: the last ones of the round.

A tick can send the decisions of at least one such round to the device.
"""
_MEMBER_SETTINGS = (
    "learning_rate",
    "discount",
    "memory_init",
    "target_every",
    "epsilon_start",
    "epsilon_end",
    "epsilon_decisions",
    "epsilon_factor",
    "focus_loss",
    "focus_weight",
    "evaluate",
    "evaluate_every",
    "evaluate_games",
    "keep",
)
"""Names of the settings in which the learners of a stack may differ."""
_FIXED_SETTINGS: Mapping[str, Any] = {
    "optimizer": "adam",
    "network": PLAIN,
    "priority": 0.0,
    "symmetry": NONE,
    "max_norm": float("inf"),
    "tables": 1,
    "decisions": 0,
}
"""Settings that all learners of a stack must have, with the value that they must have."""


class Stack:
    """Joint training of learners ("members") of one algorithm; their seeds and `_MEMBER_SETTINGS` may differ.

    Call `tick` until `finished`, then `copy_to_learner` for each member. The same learners in the same order on the same
    device give the same networks.
    """

    def __init__(self, learners: Sequence[ValueLearner], device: str = "cuda"):
        """Deal the first rounds of all members and move their networks to the device.

        Args:
            learners: Members of the stack.
            device: `cuda`, or `cpu`.

        Raises:
            InvalidInput: The learners cannot be stacked, their replay buffers are too small, or the device is missing.
        """
        check_stackable(learners)
        min_memory = MAX_ROUND_DECISIONS + 2 * len(learners)
        if learners[0].settings.memory < min_memory:
            raise InvalidInput(f"memory is at least {min_memory} in a stack of {len(learners)}")
        first, self.learners, members = learners[0], tuple(learners), len(learners)
        self.rounds = first.settings.rounds
        """Number of rounds that each member plays."""
        self.num_decisions = np.zeros(members, np.int64)
        """[members] number of decisions that each member has stored for replay so far."""
        self.steps = np.zeros(members, np.int64)
        """[members] number of network updates made so far."""
        self._staged = Replay(2 * members * MAX_ROUND_DECISIONS, first.inputs, first.outputs, remarks=1)
        """Staging ring with the decisions of finished rounds of all members, until they are sent to the device.

        The index of its member is stored with each decision. The first `_num_sent` decisions written have been sent.
        """
        self._num_sent = 0
        self._collector = self._new_collector()
        self._updates = StackedUpdates(learners, device, MAX_ROUND_DECISIONS + 2 * members)
        self._schedule = self._new_schedule()
        self._streams: Any = np.zeros(members, STREAM)
        self._streams["rng"] = [learner.memory.stream["rng"] for learner in learners]
        self._epsilons, self._epsilon_rounds = np.zeros(members), np.full(members, -1)
        """[members] probability of a random action, and number of rounds played when that probability was computed."""
        self._rounds_over = -1
        """Number of finished rounds of all members together at the last call of `_update_epsilons`."""
        self._playing = np.arange(members)
        """Indices of the members that have not played all their rounds."""
        self._collector.begin()
        self._update_epsilons()
        self._updates.start(self._collector.observations)

    @property
    def rounds_played(self) -> NDArray[np.int64]:
        """[members] number of rounds that each member has finished so far."""
        tables = self._collector.tables
        rounds_played: NDArray[np.int64] = self.rounds - tables["rounds_left"] - (tables["seat"] >= 0)
        return rounds_played

    @property
    def fraction_done(self) -> float:
        """Fraction of all rounds of the training that is finished, in [0, 1]."""
        return float(self.rounds_played.mean()) / self.rounds

    @property
    def finished(self) -> bool:
        """True if all members have played all their rounds and made all updates that are due."""
        schedule = self._schedule
        over = self._num_sent == self._staged.written and not len(self._playing)
        return over and bool(
            (self.steps >= updates_due(self.num_decisions, schedule.memory_init, schedule.train_every)).all()
        )

    def tick(self) -> None:
        """Play one decision of every member, and update each member that has an update due, with one batch.

        On a GPU the update runs asynchronously; the next call of `tick` waits until it is finished.
        """
        updates = self._updates
        updates.wait()
        self._play()
        tables_to_move, capacity = (self._num_sent, self._staged.written), updates.replay.capacity
        self._num_sent = move_rounds(
            self._staged.columns, *tables_to_move, self.num_decisions, capacity, updates.fresh, updates.fresh_rows
        )
        self._update_epsilons()
        due = draw_batches(self._streams, self.num_decisions, capacity, self._schedule, self.steps, updates.batch)
        updates.launch(self._collector.observations)
        if due:
            updates.renew_targets(np.flatnonzero(updates.moving & (self.steps % self._schedule.target_every == 0)))

    def copy_to_learner(self, member: int) -> None:
        """Copy the current network of a member to its learner. Raises `InvalidInput` if the weights are not finite."""
        self.learners[member].online.load_tensors(self._updates.tensors(member))

    def state(self) -> Arrays:
        """Return the state of the training as arrays, for a checkpoint. Some are views, which the next tick changes."""
        counts = {"kept": self.num_decisions, "steps": self.steps, "taken": np.array([self._num_sent])}
        chances = {"streams": self._streams["rng"], "epsilons": self._epsilons, "reckoned": self._epsilon_rounds}
        staged, collector = self._staged.state(), self._collector.state()
        return join_states(counts=counts | chances, updates=self._updates.state(), staged=staged, collector=collector)

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore a state of the training that `state` returned. Raises `InvalidInput` if it does not fit this stack."""
        counts = substate(state, "counts")
        if counts["kept"].shape != self.num_decisions.shape:
            raise InvalidInput(f"the state has {len(counts['kept'])} members, the stack {len(self.num_decisions)}")
        self.num_decisions[:], self.steps[:], self._num_sent = counts["kept"], counts["steps"], int(counts["taken"][0])
        self._streams["rng"] = counts["streams"]
        self._epsilons[:], self._epsilon_rounds = counts["epsilons"], counts["reckoned"].copy()
        self._updates.load_state(substate(state, "updates"))
        self._staged.load_state(substate(state, "staged"))
        self._collector.load_state(substate(state, "collector"))
        self._rounds_over = -1  # the number may be equal, while the rounds are of other members
        self._update_epsilons()

    def _new_collector(self) -> Collector:
        """Return the collector that plays the rounds of all members, one environment for each, and records decisions."""
        first = self.learners[0]
        settings = first.settings
        opponents = Opponents(first.games, settings.opponents)
        if opponents.includes_past_selves:
            raise InvalidInput("stacked learners cannot play against past selves")
        collector = Collector(
            first.games,
            first.encoding,
            first.outputs,
            opponents,
            self._staged,
            tables=len(self.learners),
            seats=settings.seats,
            reward=settings.reward,
            discount=settings.discount,
            rounds=self.rounds,
            max_decisions=MAX_ROUND_DECISIONS,
        )
        # the seeds of the first table of each learner when it is trained alone
        collector.tables["rng"] = [derive(derive(learner.seed, TABLES_SEED)) for learner in self.learners]
        collector.remarks[:, 0] = np.arange(len(self.learners))
        return collector

    def _new_schedule(self) -> Schedule:
        """Return the learning rates and the update intervals of all members, from their settings."""

        def setting(name: str, default: int = 0) -> NDArray[Any]:
            return np.array([getattr(learner.settings, name, default) for learner in self.learners])

        never = 2**62  # learners without a target network never copy one
        train_every = self.learners[0].settings.train_every
        return Schedule(setting("learning_rate"), setting("memory_init"), train_every, setting("target_every", never))

    def _play(self) -> None:
        """Play one decision of every member that has rounds left, unless the staging ring is more than half full."""
        room = self._staged.written - self._num_sent <= self._staged.capacity // 2
        if room and len(self._playing):
            playing = self._playing
            self._collector.step(
                self._collector.choose(self._updates.q[playing], self._epsilons[playing], playing), playing
            )

    def _update_epsilons(self) -> None:
        """If a round ended since the last call, update the list of members that still play and their exploration rates."""
        over = int(self._collector.tally["rounds"][0])
        if over == self._rounds_over:
            return
        self._rounds_over, self._playing = over, self._collector.tables_to_move()
        rounds_played = self.rounds_played
        for member in np.flatnonzero(rounds_played != self._epsilon_rounds):
            settings: ValueSettings = self.learners[member].settings
            self._epsilons[member] = settings.epsilon(int(self.num_decisions[member]), int(rounds_played[member]))
        self._epsilon_rounds = rounds_played


def check_stackable(learners: Sequence[ValueLearner]) -> None:
    """Check that learners can be trained together in one stack.

    They need the same games and the same algorithm, one of `STACKED`. Their settings must have the values of
    `_FIXED_SETTINGS`, and may differ from each other only in `_MEMBER_SETTINGS`.

    Raises:
        InvalidInput: The learners cannot be stacked.
    """
    if not learners:
        raise InvalidInput("a stack has at least one member")
    first = learners[0]
    if type(first) not in STACKED:
        raise unknown_name("algorithm that is stacked", first.algorithm_name(), (cls.name for cls in STACKED))
    for name, value in _FIXED_SETTINGS.items():
        if getattr(first.settings, name) != value:
            raise InvalidInput(f"stacked learners need {name}={value}, not {getattr(first.settings, name)}")
    if first.settings.seats == "all":
        raise InvalidInput("stacked learners play one seat at a table: seats is first or any, not all")
    shared = stack_key(first)
    for learner in learners[1:]:
        key = stack_key(learner)
        for name in shared:
            if shared[name] != key.get(name):
                raise InvalidInput(f"all members of a stack must have the same {name}")


def stack_key(learner: ValueLearner) -> dict[str, Any]:
    """Return the properties of a learner that must be equal for all learners of a stack: name -> value."""
    shared = {name: value for name, value in learner.settings.to_dict().items() if name not in _MEMBER_SETTINGS}
    games = [(game.num_players, game.rules.hash) for game in learner.games]
    return {"algorithm": learner.name, "games": games, **shared}
