"""Many trainings of learners of Q at once on one GPU: their networks stacked, a table for each, an update of all at a time.

RLCard's cadence, an update of 32 after every decision, leaves a GPU idle; the trainings of a table or a grid, side by side,
fill it. Each member plays, remembers and learns for itself, beginning with the cards and weights of its training alone. What
differs: there is one update with each decision, made while the round goes on, where alone all those of a round come when it
is over (what is learned from are the rounds that are over, here too); and of longer rounds no more than the last `MAX_ROUND_DECISIONS`
decisions are remembered. Who wants a member evaluated on the way unloads it and does so.
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
from cardgames.learners.memory.checkpoint_arrays import Arrays, join_states, substate
from cardgames.learners.memory.replay_buffer import Replay, updates_due
from cardgames.papers.stacked.losses import STACKED
from cardgames.papers.stacked.replay import Schedule, draw_batches, move_rounds
from cardgames.papers.stacked.updates import StackedUpdates
from cardgames.support.errors import InvalidInput, unknown_name

MAX_ROUND_DECISIONS = 128
"""Of a longer round, the last so many decisions are remembered: at every tick there is room for one such round."""
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
"""The settings in which members may differ."""
_FIXED_SETTINGS: Mapping[str, Any] = {
    "optimizer": "adam",
    "network": PLAIN,
    "priority": 0.0,
    "symmetry": NONE,
    "max_norm": float("inf"),
    "tables": 1,
    "decisions": 0,
}
"""Settings that have one value for all that is stacked."""


class Stack:
    """Trains `learners` of one algorithm that differ in their seeds and in what `_MEMBER_SETTINGS` names: call `tick` until all is
    `finished`, then `copy_to_learner` gives a learner its network.

    Same seeds, same device, same stack: same networks. Raises `InvalidInput` for learners that cannot be stacked.
    """

    def __init__(self, learners: Sequence[ValueLearner], device: str = "cuda"):
        check_stackable(learners)
        least = MAX_ROUND_DECISIONS + 2 * len(learners)
        if learners[0].settings.memory < least:
            raise InvalidInput(f"a stack of {len(learners)} remembers at least {least} decisions each")
        first, self.learners, members = learners[0], tuple(learners), len(learners)
        self.rounds = first.settings.rounds
        """To be played by each member."""
        self.num_decisions = np.zeros(members, np.int64)
        """[members] the decisions each has remembered."""
        self.steps = np.zeros(members, np.int64)
        """[members] the updates of each."""
        self._staged = Replay(2 * members * MAX_ROUND_DECISIONS, first.inputs, first.outputs, remarks=1)
        """Rounds of all members as they end, each decision with its member as a remark; the first `_num_sent` were sent."""
        self._num_sent = 0
        self._collector = self._new_collector()
        self._updates = StackedUpdates(learners, device, MAX_ROUND_DECISIONS + 2 * members)
        self._schedule = self._new_schedule()
        self._streams: Any = np.zeros(members, STREAM)
        self._streams["rng"] = [learner.memory.stream["rng"] for learner in learners]
        self._epsilons, self._epsilon_rounds = np.zeros(members), np.full(members, -1)
        """[members] the chance of a random action, and the rounds after which it was reckoned."""
        self._rounds_over = -1
        """How many rounds were over when that was looked at last."""
        self._playing = np.arange(members)
        """Who has not finished."""
        self._collector.begin()
        self._update_epsilons()
        self._updates.start(self._collector.observations)

    @property
    def rounds_played(self) -> NDArray[np.int64]:
        """How many rounds each member has finished ([members])."""
        tables = self._collector.tables
        found: NDArray[np.int64] = self.rounds - tables["rounds_left"] - (tables["seat"] >= 0)
        return found

    @property
    def fraction_done(self) -> float:
        """How much of the training is done, in [0, 1]."""
        return float(self.rounds_played.mean()) / self.rounds

    @property
    def finished(self) -> bool:
        """Whether all rounds are played and all updates made."""
        schedule = self._schedule
        over = self._num_sent == self._staged.written and not len(self._playing)
        return over and bool(
            (self.steps >= updates_due(self.num_decisions, schedule.memory_init, schedule.train_every)).all()
        )

    def tick(self) -> None:
        """Play on to the next decision at every table, and have every member learn from one batch if that is due.

        On a GPU it learns while this returns; the next call waits for it.
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
        """Give a learner the network it has come to so far. Raises `InvalidInput` if that has come to be no numbers."""
        self.learners[member].online.load_tensors(self._updates.tensors(member))

    def state(self) -> Arrays:
        """Return everything the stack goes on from as plain arrays, some its own, which the next tick changes."""
        counts = {"kept": self.num_decisions, "steps": self.steps, "taken": np.array([self._num_sent])}
        chances = {"streams": self._streams["rng"], "epsilons": self._epsilons, "reckoned": self._epsilon_rounds}
        staged, collector = self._staged.state(), self._collector.state()
        return join_states(counts=counts | chances, updates=self._updates.state(), staged=staged, collector=collector)

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned. Raises `InvalidInput` if that does not fit."""
        counts = substate(state, "counts")
        if counts["kept"].shape != self.num_decisions.shape:
            raise InvalidInput(f"the state is of {len(counts['kept'])} members, the stack of {len(self.num_decisions)}")
        self.num_decisions[:], self.steps[:], self._num_sent = counts["kept"], counts["steps"], int(counts["taken"][0])
        self._streams["rng"] = counts["streams"]
        self._epsilons[:], self._epsilon_rounds = counts["epsilons"], counts["reckoned"].copy()
        self._updates.load_state(substate(state, "updates"))
        self._staged.load_state(substate(state, "staged"))
        self._collector.load_state(substate(state, "collector"))
        self._rounds_over = -1  # as many rounds may be over, but other members'
        self._update_epsilons()

    def _new_collector(self) -> Collector:
        first = self.learners[0]
        settings = first.settings
        opponents = Opponents(first.games, settings.opponents)
        if opponents.includes_past_selves:
            raise InvalidInput("what is stacked meets no past selves")
        found = Collector(
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
        # the cards that the first table of each learner's own has
        found.tables["rng"] = [derive(derive(learner.seed, TABLES_SEED)) for learner in self.learners]
        found.remarks[:, 0] = np.arange(len(self.learners))
        return found

    def _new_schedule(self) -> Schedule:
        def own(name: str, usual: int = 0) -> NDArray[Any]:
            return np.array([getattr(learner.settings, name, usual) for learner in self.learners])

        never = 2**62  # learners without a target network do not renew it
        train_every = self.learners[0].settings.train_every
        return Schedule(own("learning_rate"), own("memory_init"), train_every, own("target_every", never))

    def _play(self) -> None:
        """Take every member's decision, unless so much waits to be sent that there may be no room for more."""
        room = self._staged.written - self._num_sent <= self._staged.capacity // 2
        if room and len(self._playing):
            at = self._playing
            self._collector.step(self._collector.choose(self._updates.q[at], self._epsilons[at], at), at)

    def _update_epsilons(self) -> None:
        """Where a round is over since, set the chance of a random action, and see who plays on."""
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
    """Raise `InvalidInput` unless the learners can be stacked: of one algorithm, that knows how, at the same game, with
    settings that do not differ but where they may.
    """
    if not learners:
        raise InvalidInput("a stack has at least one member")
    first = learners[0]
    if type(first) not in STACKED:
        raise unknown_name("algorithm that is stacked", first.algorithm_name(), (cls.name for cls in STACKED))
    for name, value in _FIXED_SETTINGS.items():
        if getattr(first.settings, name) != value:
            raise InvalidInput(f"what is stacked has {name}={value}, not {getattr(first.settings, name)}")
    if first.settings.seats == "all":
        raise InvalidInput("what is stacked has one seat at a table: seats is first or any, not all")
    shared = stack_key(first)
    for learner in learners[1:]:
        theirs = stack_key(learner)
        for name in shared:
            if shared[name] != theirs.get(name):
                raise InvalidInput(f"all members of a stack have the same {name}")


def stack_key(learner: ValueLearner) -> dict[str, Any]:
    """Return what is the same for all learners that can be in one stack, by its name."""
    shared = {name: value for name, value in learner.settings.to_dict().items() if name not in _MEMBER_SETTINGS}
    games = [(game.num_players, game.rules.hash) for game in learner.games]
    return {"algorithm": learner.name, "games": games, **shared}
