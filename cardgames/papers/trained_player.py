"""Training of the papers' players: a description of each, which starts it, saves it in a folder and resumes it."""

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
"""Name of the file with all weights of a network after a stacked training, including weights that playing does not need."""
BATCHED_SETTINGS: Mapping[str, Any] = {"tables": 100, "batch": 1024, "train_every": 256}
_BATCH_SCALE = 10
"""Factor of the settings for large batches.

Learning rates are multiplied by it, and the number of updates between copies to the target network is divided by it.
"""
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
"""Settings of a quick run, a training of seconds. Settings that an algorithm does not have are ignored."""


def _batched(settings: Settings) -> Settings:
    """Return the settings changed for `Size.BATCHED`: many games in parallel and large batches (`BATCHED_SETTINGS`)."""
    values: dict[str, Any] = settings.to_dict()
    changes = dict(BATCHED_SETTINGS)
    changes |= {name: _BATCH_SCALE * values[name] for name in ("learning_rate", "policy_rate") if name in values}
    if "target_every" in values:
        changes["target_every"] = max(1, values["target_every"] // _BATCH_SCALE)
    return settings.with_changes(changes)


class TrainedPlayer(NamedTuple):
    """A player whose training is finished."""

    folder: Path
    """Folder with its progress table."""
    learner: Learner


@dataclass(frozen=True)
class Training:
    """Description of how a player of a paper is trained: algorithm, settings, rules and folder of the results."""

    paper: str
    """Number of the paper."""
    name: str
    """Name of the player among the paper's players with the same algorithm; part of the name of the training's folder."""
    algorithm: str
    setup: PaperSetup
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Settings of this player that differ from the algorithm's settings in the paper: name -> value."""
    overrides: tuple[str, ...] = ()
    """Changes of single rules, as texts `name=value`."""
    quick: Mapping[str, Any] = field(default_factory=dict)
    """Settings of a quick run that replace those of `QUICK_SETTINGS`: name -> value."""

    def with_rules(self, rules: str, overrides: tuple[str, ...]) -> "Training":
        """Return this training under other rules; the preset and the overrides become part of the name of its folder."""
        words = [self.name, rules, *(override.replace("=", "-") for override in overrides)]
        return replace(self, name="-".join(words), setup=self.setup._replace(rules=rules), overrides=overrides)

    def on_rlcard_network(self) -> "Training":
        """Return this training on a network with RLCard's layers; `rlcard-network` becomes part of its folder's name."""
        return replace(self, name=f"{self.name}-{RLCARD_NETWORK}", changes={**self.changes, "network": RLCARD})

    def games(self) -> list[Game]:
        """Return one game for each number of players in `setup`, under the rules of the training."""
        return [self.setup.make_game(number, self.overrides) for number in self.setup.players]

    def settings(self, size: Size) -> Settings:
        """Return the learner's settings for a size of training: the paper's settings, or changed for a faster training."""
        cls = algorithm(self.algorithm, game_class(self.setup.game))
        settings = cls.settings_class.from_paper(self.paper).with_changes(self.changes)
        if size in (Size.FULL, Size.STACKED):
            return settings
        if size is Size.BATCHED:
            return _batched(settings)
        names = settings.to_dict()
        return settings.with_changes(
            {name: value for name, value in QUICK_SETTINGS.items() if name in names}
        ).with_changes(self.quick)

    def folder(self, request: Request, seed: int) -> Path:
        """Return the folder in which the training with this seed is saved."""
        return Path(request.out) / f"{self.paper}-{self.algorithm}-{self.name}-{request.size}-{seed}"

    def learner(self, request: Request, seed: int) -> Learner:
        """Return the learner with this seed after its training.

        It is trained first if no finished training is saved (see `trained`). With `Size.STACKED` it is not: the training
        must have been run with `stacked_training.train_stacked`.
        """
        if request.size is not Size.STACKED:
            return self.trained(request, seed).learner
        learner = self.untrained(request, seed)
        path = self.folder(request, seed) / NETWORK_FILE
        learner.online.load_tensors(read_checkpoint(path, network_identity(learner)))
        return learner

    def untrained(self, request: Request, seed: int) -> Learner:
        """Return a new learner with this seed, with initial weights, on `request.device`."""
        return make_learner(self.algorithm, self.games(), self.settings(request.size), seed, request.device)

    def learners(self, request: Request) -> list[Learner]:
        """Return one trained learner for each seed in `request.seeds`; see `learner`."""
        return [learner for _, learner in self.trained_players(request)]

    def trained(self, request: Request, seed: int) -> Run:
        """Return the finished run of the training with this seed; start or resume the training if it is not finished.

        Raises:
            InvalidInput: The folder holds a training with other settings, or cannot be read or written.
            KeyboardInterrupt: Ctrl-C, SIGTERM or SIGHUP stopped the training; a checkpoint is saved.
        """
        folder = self.folder(request, seed)
        settings = self.settings(request.size)
        if (folder / SETTINGS_FILE).exists():
            run = Run.resume(folder, device=_device(folder))
            learner, games = run.learner, self.games()
            saved = learner.name, [(game.num_players, game.rules) for game in learner.games], learner.settings
            if saved != (self.algorithm, [(game.num_players, game.rules) for game in games], settings):
                raise InvalidInput(
                    f"{folder} holds a training of {self.name} with other settings: choose another folder with --out"
                )
        else:
            run = Run.start(folder, self.algorithm, self.games(), settings, seed)

        def report(now: Progress) -> None:
            speed = f"{now.decisions_per_second:,.0f} decisions/s{time_left(now.seconds_left)}"
            activity = speed if now.evaluation_progress is None else f"evaluating, {now.evaluation_progress:.0%}"
            request.report_progress(f"{self.algorithm} {self.name}, seed {seed}: {now.rounds:,} rounds, {activity}")

        if not run.complete:
            run.train(report)
        if run.interrupted:
            raise KeyboardInterrupt
        return run

    def trained_players(self, request: Request) -> list[TrainedPlayer]:
        """Return the trained player, its folder and its learner, for each seed in `request.seeds`; see `learner`."""
        return [TrainedPlayer(self.folder(request, seed), self.learner(request, seed)) for seed in request.seeds]


def _device(folder: Path) -> str | None:
    """Return the device on which the training in a folder is resumed.

    It is `auto` if the training began on a GPU and this machine has none; None means the device that the run has saved.
    """
    config = read_run_config(folder / SETTINGS_FILE)
    began_on_gpu = config is not None and config.device == "cuda"
    return "auto" if began_on_gpu and not (find_spec("torch") and has_cuda()) else None


def network_identity(learner: Learner) -> Identity:
    """Return the properties that are saved in the file `NETWORK_FILE` of a learner and are checked when it is read."""
    return {**identity_of(learner), "rounds": learner.settings.rounds}


def time_left(seconds: float) -> str:
    """Return the remaining time, given in seconds, as text in minutes for a status line; empty if infinite (unknown)."""
    return "" if math.isinf(seconds) else f", about {seconds / 60:.0f} min left"
