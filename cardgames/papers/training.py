"""A player that a paper trained, trained again in a folder that is kept, and tested as the papers test theirs."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from cardgames.core.game import Game
from cardgames.core.game_registry import game_class
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.learners.base.learner import Learner
from cardgames.learners.base.settings import Settings
from cardgames.learners.base.value_learner import RLCARD
from cardgames.learners.runs.run import SETTINGS_FILE, Progress, Run
from cardgames.learners.runs.run_config import identity_of, read_run_config
from cardgames.learners.runs.run_files import Identity, read_checkpoint
from cardgames.papers.paper_settings import PaperSetup
from cardgames.papers.request import RLCARD_NETWORK, Request, Size
from cardgames.search.torch_evaluator import has_cuda
from cardgames.support.errors import InvalidInput

NETWORK_FILE = "network.safetensors"
"""All weights of a network that was trained in a stack, those too that nothing is played by."""
BATCHED_SETTINGS: Mapping[str, Any] = {"tables": 100, "batch": 1024, "train_every": 256}
_BATCH_SCALE = 10
"""An update on a large batch goes so many times as far, and so many times fewer of them renew the target network."""
QUICK_SETTINGS: Mapping[str, Any] = {
    "hidden": (64, 64),
    "rounds": 4_000,
    "tables": 32,
    "batch": 128,
    "train_every": 32,
    "learning_rate": 5e-4,
    "policy_rate": 5e-4,
    "target_every": 100,
    "evaluate_games": 200,
}
"""What a quick run changes, of the settings an algorithm has."""


def _batched(settings: Settings) -> Settings:
    known: dict[str, Any] = settings.to_dict()
    changes = dict(BATCHED_SETTINGS)
    changes |= {name: _BATCH_SCALE * known[name] for name in ("learning_rate", "policy_rate") if name in known}
    if "target_every" in known:
        changes["target_every"] = max(1, known["target_every"] // _BATCH_SCALE)
    return settings.with_changes(changes)


class TrainedPlayer(NamedTuple):
    """A player that is trained to the end."""

    folder: Path
    """Where its progress is told."""
    learner: Learner


@dataclass(frozen=True)
class Training:
    """What a player was trained with."""

    paper: str
    name: str
    """Tells it from the paper's other players of the same algorithm; part of its folder's name."""
    algorithm: str
    setup: PaperSetup
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Of the algorithm's settings in this paper."""
    overrides: tuple[str, ...] = ()
    """Of the rules."""
    quick: Mapping[str, Any] = field(default_factory=dict)
    """What a quick run changes besides `QUICK_SETTINGS`."""

    def with_rules(self, rules: str, overrides: tuple[str, ...]) -> "Training":
        """Return the same under other rules, kept in a folder that is called after them too."""
        words = [self.name, rules, *(override.replace("=", "-") for override in overrides)]
        return replace(self, name="-".join(words), setup=self.setup._replace(rules=rules), overrides=overrides)

    def on_rlcard_network(self) -> "Training":
        """Return the same on RLCard's network, kept in a folder that is called after it too."""
        return replace(self, name=f"{self.name}-{RLCARD_NETWORK}", changes={**self.changes, "network": RLCARD})

    def games(self) -> list[Game]:
        """Return what is played."""
        return [self.setup.make_game(number, self.overrides) for number in self.setup.players]

    def settings(self, size: Size) -> Settings:
        """Return what the player is told."""
        cls = algorithm(self.algorithm, game_class(self.setup.game))
        settings = cls.settings_class.from_paper(self.paper).with_changes(self.changes)
        if size in (Size.FULL, Size.STACKED):
            return settings
        if size is Size.BATCHED:
            return _batched(settings)
        known = settings.to_dict()
        return settings.with_changes(
            {name: value for name, value in QUICK_SETTINGS.items() if name in known}
        ).with_changes(self.quick)

    def folder(self, request: Request, seed: int) -> Path:
        """Return where the training of this seed is kept."""
        return Path(request.out) / f"{self.paper}-{self.algorithm}-{self.name}-{request.size}-{seed}"

    def learner(self, request: Request, seed: int) -> Learner:
        """Return the finished player of this seed; see `trained`. Of what is stacked it was trained before
        (`stacked.train_stacked`).
        """
        if request.size is not Size.STACKED:
            return self.trained(request, seed).learner
        learner = self.untrained(request, seed)
        path = self.folder(request, seed) / NETWORK_FILE
        learner.online.load_tensors(read_checkpoint(path, network_identity(learner)))
        return learner

    def untrained(self, request: Request, seed: int) -> Learner:
        """Return the player of this seed before it learns, on `request.device`."""
        return make_learner(self.algorithm, self.games(), self.settings(request.size), seed, request.device)

    def learners(self, request: Request) -> list[Learner]:
        """Return the finished players of all seeds; see `learner`."""
        return [learner for _, learner in self.trained_players(request)]

    def trained(self, request: Request, seed: int) -> Run:
        """Return the finished training of this seed, kept in a folder of its own; one that was interrupted goes on.

        Raises `InvalidInput`, and `KeyboardInterrupt` if Ctrl-C, SIGTERM or SIGHUP ends it, which loses nothing.
        """
        folder = self.folder(request, seed)
        settings = self.settings(request.size)
        if (folder / SETTINGS_FILE).exists():
            run = Run.resume(folder, device=_device(folder))
            learner, games = run.learner, self.games()
            kept = learner.name, [(game.num_players, game.rules) for game in learner.games], learner.settings
            if kept != (self.algorithm, [(game.num_players, game.rules) for game in games], settings):
                raise InvalidInput(
                    f"{folder} holds another training than {self.name} is now: name another folder with --out"
                )
        else:
            run = Run.start(folder, self.algorithm, self.games(), settings, seed)

        def report(now: Progress) -> None:
            pace = f"{now.decisions_per_second:,.0f} decisions/s{time_left(now.seconds_left)}"
            doing = pace if now.evaluation_progress is None else f"evaluating, {now.evaluation_progress:.0%}"
            request.report_progress(f"{self.algorithm} {self.name}, seed {seed}: {now.rounds:,} rounds, {doing}")

        if not run.complete:
            run.train(report)
        if run.interrupted:
            raise KeyboardInterrupt
        return run

    def trained_players(self, request: Request) -> list[TrainedPlayer]:
        """Return the finished players of all seeds; see `learner`."""
        return [TrainedPlayer(self.folder(request, seed), self.learner(request, seed)) for seed in request.seeds]


def _device(folder: Path) -> str | None:
    """Return where the training in a folder goes on, None where it began: that may have been a GPU, and here be none."""
    config = read_run_config(folder / SETTINGS_FILE)
    began_on_gpu = config is not None and config.device == "cuda"
    return "auto" if began_on_gpu and not (find_spec("torch") and has_cuda()) else None


def network_identity(learner: Learner) -> Identity:
    """Return what the file `NETWORK_FILE` must be of to be a learner's."""
    return {**identity_of(learner), "rounds": learner.settings.rounds}


def time_left(seconds: float) -> str:
    """Return how long a training will take, as it is told behind other words; nothing before that is known."""
    return "" if math.isinf(seconds) else f", about {seconds / 60:.0f} min left"
