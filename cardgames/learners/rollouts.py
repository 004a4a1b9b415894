"""What every legal action of a decision is worth, by playing the round out from there with a policy.

Positions come from rounds between policies. Rollouts start from the true state, hidden cards and all: among positions
that look alike to their mover these are dealt as chance deals them, so that a network fitted to what came out learns
the mean over what is hidden, and never sees it. All actions of a position share the chance of each rollout (common
random numbers), which leaves the differences between them (Lagoudakis, Parr 2003; Tesauro, Galperin 1996).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import rng
from cardgames.core.game import Game
from cardgames.core.network import Mlp
from cardgames.core.policy import check_fingerprint, fingerprint, side_by_side
from cardgames.learners.arrays import Arrays, joined, part_of
from cardgames.learners.augment import rename_at_random
from cardgames.learners.draws import minibatches
from cardgames.learners.judging import BEGUN, judge_positions
from cardgames.learners.learner import Learner
from cardgames.learners.losses import Floats
from cardgames.learners.networks import trainable
from cardgames.learners.opponents import parse_mixture
from cardgames.learners.optimizers import Adam
from cardgames.learners.settings import Settings, default, setting

_JUDGES, _ORDER, _NETWORK = range(1, 4)
"""The parts that are seeded apart."""


@dataclass(frozen=True)
class RolloutSettings(Settings):
    """Ours: no paper has it. A policy is improved once; `policy=FILE.safetensors` improves what came of that."""

    hidden: tuple[int, ...] = default(Settings, "hidden", (128, 64))
    encoding: str = default(Settings, "encoding", "evidence")
    opponents: str = setting("2*linear+random", "policies: a name or FILE.safetensors; mixed as random+2*reflex")
    seats: str = setting("any", "in evaluations: the first, or any; it learns from all", choices=("first", "any"))
    rounds: int = default(Settings, "rounds", 600_000)
    batch: int = default(Settings, "batch", 256)
    learning_rate: float = default(Settings, "learning_rate", 1e-3)
    evaluate: str = default(Settings, "evaluate", "random+reflex+linear")
    evaluate_every: int = default(Settings, "evaluate_every", 50_000)
    evaluate_games: int = default(Settings, "evaluate_games", 10_000)
    policy: str = setting("linear", "the policy that is improved: it plays the rounds, and plays them out")
    rollouts: int = setting(8, "rounds played out after each action of a decision", 1, 100_000)
    blur: float = setting(0.1, "chance of a random action in the rounds decisions come from", 0, 1)
    part: float = setting(0.5, "how many of the decisions are judged", 0.001, 1)
    positions: int = setting(8_192, "decisions judged before the network learns from them", 1, 1_000_000)
    passes: int = setting(4, "so often it learns from each", 1, 1_000)
    level: float = setting(0.1, "how much the mean over a decision's actions counts beside their differences", 0)


class Judged(NamedTuple):
    """Decisions with a choice."""

    inputs: NDArray[np.int8]
    """[n, inputs] what the mover saw."""
    legal: NDArray[np.bool_]
    """[n, actions]"""
    values: NDArray[np.float32]
    """[n, actions] in [0, 1]: the mean outcome for the mover after each legal action, 0 for others."""


class Judge:
    """Plays rounds of a game and judges decisions in them; see `judge_positions`."""

    def __init__(self, game: Game, settings: RolloutSettings, encoding: str, seed: int):
        known = game.encoding(encoding)
        mixture = parse_mixture(settings.opponents)
        self.policies = [game.policy(settings.policy), *(game.policy(name, "opponents") for name in mixture)]
        """Whose it improves, then the opponents'."""
        self._game, self._how = game, (settings.rollouts, settings.blur, settings.part)
        self._policies = (known.which, *side_by_side(self.policies), np.cumsum(list(mixture.values())))
        self._seed, self._stream = np.uint64(rng.derive(seed, 1)), rng.stream(rng.derive(seed, 2))
        self._states, self._legal = np.zeros(2, game.state_dtype), np.zeros(game.most_legal, np.int32)
        self._out: tuple[NDArray[Any], ...] = (
            np.zeros((settings.positions, known.inputs), np.int8),
            np.zeros((settings.positions, game.num_distinct_actions), np.bool_),
            np.zeros((settings.positions, game.num_distinct_actions), np.float32),
        )
        self._table = np.zeros(3, np.int64)

    @property
    def rounds(self) -> int:
        """Begun so far."""
        return int(self._table[BEGUN])

    def judge(self) -> Judged:
        """Return the next decisions; the arrays are overwritten by the next call."""
        judge_positions(
            self._game.kernel_rules,
            self._states,
            self._game.num_players,
            *self._policies,
            *self._how,
            self._seed,
            self._table,
            self._stream,
            self._legal,
            self._out,
        )
        return Judged(*self._out)

    def state(self) -> Arrays:
        """Return what it goes on from as plain arrays."""
        under_way = np.frombuffer(self._states[0].tobytes(), np.uint8)
        return {"stream": np.array([self._stream.rng]), "table": self._table.copy(), "round": under_way}

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned."""
        self._stream.rng, self._table[:] = state["stream"][0], state["table"]
        self._states[0] = np.frombuffer(state["round"].tobytes(), self._states.dtype)[0]


def gradient(outputs: Floats, judged: Judged, level: float) -> tuple[Floats, Floats]:
    """Return each row's squared error and the gradient of their mean.

    A row's error is that of its actions' values against each other, summed over them, and `level` times that of their
    mean: what all actions share is noise of the hidden cards, and only what sets them apart decides.
    """
    count = judged.legal.sum(axis=1, keepdims=True)
    errors = np.where(judged.legal, outputs - judged.values, np.float32(0))
    mean = errors.sum(axis=1, keepdims=True) / count
    apart = np.where(judged.legal, errors - mean, np.float32(0))
    losses = np.square(apart).sum(axis=1) + level * np.square(mean[:, 0])
    slopes = 2 * (apart + level * judged.legal * mean / count) / len(outputs)
    return losses.astype(np.float32), slopes.astype(np.float32)


class Rollouts(Learner):
    """Fits a network to judged decisions, a few thousand at a time, each forgotten after some passes over them."""

    name = "rollouts"
    settings_class = RolloutSettings
    settings: RolloutSettings
    measured = ("error",)

    def __init__(self, games: Sequence[Game], settings: RolloutSettings, seed: int, device: str = "auto"):
        super().__init__(games, settings, seed, device)
        seeds = [rng.derive(seed, _JUDGES, number) for number in range(len(games))]
        self._judges = [Judge(game, settings, self.encoding, word) for game, word in zip(games, seeds, strict=True)]
        self._order = rng.derive(seed, _ORDER)
        self._cycles = 0
        self.online = trainable(
            (self.inputs, *settings.hidden, self.outputs),
            Adam(settings.learning_rate),
            seed=rng.derive(seed, _NETWORK),
            device=device,
            batch=settings.batch,
        )

    @property
    def rounds(self) -> int:
        """How many rounds were begun."""
        return sum(judge.rounds for judge in self._judges)

    @property
    def decisions(self) -> int:
        """How many decisions were judged in them."""
        return self._cycles * self.settings.positions

    def cycle(self) -> None:
        """Judge decisions of the next game in turn, and learn from them; the learning rate falls evenly to 0."""
        settings = self.settings
        self.lower_rate()  # before, since judging plays so many rounds that a short training would be over
        judged = self._judges[self._cycles % len(self._judges)].judge()
        random = np.random.default_rng(rng.derive(self._order, self._cycles))
        renaming = rng.stream(rng.derive(self._order, self._cycles, 1))
        self._cycles += 1
        for rows in minibatches(random, settings.positions, settings.batch, settings.passes):
            self._update(judged, rows, renaming)

    def _update(self, judged: Judged, rows: NDArray[np.int64], renaming: Any) -> None:
        batch = Judged(judged.inputs[rows], judged.legal[rows], judged.values[rows])
        told = [batch.legal, batch.values]
        rename_at_random(self.symmetries, renaming, len(rows), inputs=[batch.inputs], outputs=told)
        losses, slopes = gradient(self.online.forward(batch.inputs), batch, self.settings.level)
        self.means.add("error", float(losses.mean()))
        self.online.step(slopes)

    def scores(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return Q [n, outputs] for inputs [n, inputs]."""
        return self.online.outputs(inputs)

    def network(self) -> Mlp:
        """Return the network of Q."""
        return self.as_played(self.online, reward=(0.0, 1.0))

    def state(self) -> Arrays:
        """Return everything the learner goes on from as plain arrays."""
        policies = np.array([fingerprint(judge.policies) for judge in self._judges])
        judges = {f"judge {number}": judge.state() for number, judge in enumerate(self._judges)}
        learner = {"policies": policies, "cycles": np.array([self._cycles])}
        return joined(online=self.online.state(), means=self.means.state(), learner=learner, **judges)

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned. Raises `InvalidInput` if that does not fit."""
        self.online.load_state(part_of(state, "online"))
        self.means.load_state(part_of(state, "means"))
        learner = part_of(state, "learner")
        for judge, known in zip(self._judges, learner["policies"], strict=True):
            check_fingerprint(judge.policies, known)
        self._cycles = int(learner["cycles"][0])
        for number, judge in enumerate(self._judges):
            judge.load_state(part_of(state, f"judge {number}"))
