"""Run: a training in a folder with its configuration, progress, checkpoint and weights; it can be resumed."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cardgames.core.encoding import sees_hidden
from cardgames.core.game import Game
from cardgames.core.game_registry import game_class
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.learners.base.learner import Learner
from cardgames.learners.base.settings import ALL, Settings
from cardgames.learners.runs.evaluation import (
    Evaluation,
    EvaluationStopped,
    check_opponents,
    evaluate_all,
    next_evaluation,
)
from cardgames.learners.runs.run_config import FORMAT, identity_of, network_notes, read_run_config, write_run_config
from cardgames.learners.runs.run_files import ProgressTable, locked, make_folder, read_checkpoint, write_checkpoint
from cardgames.learners.runs.snapshots import NetworkSnapshots
from cardgames.learners.runs.tensorboard import TensorBoardWriter
from cardgames.learners.runs.throughput import Throughput
from cardgames.networks.network_file import save_network
from cardgames.networks.network_policy import network_weights
from cardgames.networks.pretrained import TRAINED_WEIGHTS
from cardgames.support.atomic_write import remove_partial_files
from cardgames.support.errors import InvalidInput, error_context
from cardgames.support.interruption import stop_request
from cardgames.support.state_dict import join_states, substate
from cardgames.support.toml_file import toml_value

SETTINGS_FILE, PROGRESS_FILE, CHECKPOINT_FILE, WEIGHTS_FILE = (
    "settings.toml",
    "progress.csv",
    "checkpoint.safetensors",
    TRAINED_WEIGHTS,
)
NETWORKS_FOLDER = "networks"
CHECKPOINT_SECONDS = 300.0
"""Default time between checkpoints, in seconds."""
_REPORT_SECONDS = 0.2
"""Minimum time between progress reports, in seconds."""


@dataclass(frozen=True)
class Progress:
    """Progress report of a training run."""

    rounds: int
    """Number of rounds played."""
    decisions: int
    """Number of decisions that the learner took in the rounds played."""
    fraction_done: float
    """Fraction of the training done, in [0, 1]."""
    decisions_per_second: float
    """Recent decisions of the learner per second (`learners.runs.throughput`)."""
    seconds_left: float
    """Seconds until the training is done at the recent speed; infinite while unknown."""
    evaluations: tuple[Evaluation, ...]
    """Results of the latest evaluations, one per opponent and number of players."""
    just_evaluated: bool = False
    """True if the results in `evaluations` are new."""
    evaluation_progress: float | None = None
    """Fraction of the current evaluations played, in [0, 1]; None while training."""


class Run:
    """Training of a learner in a folder. Make one with `start` or `resume`."""

    def __init__(self, folder: Path, learner: Learner):
        self.folder, self.learner = folder, learner
        self.seconds = 0.0
        """Seconds of training so far, including earlier sessions of the run."""
        self.interrupted = False
        """True if Ctrl-C, SIGTERM or SIGHUP came during the last `train`, even after the last evaluation."""
        self.evaluations: tuple[Evaluation, ...] = ()
        """Results of the latest evaluations by this `Run` object; empty before the first ones."""
        self._evaluated_after = -1
        """Number of rounds played at the last evaluations; -1 if there were none."""
        self._progress_table, self._snapshots = (
            ProgressTable(folder / PROGRESS_FILE),
            NetworkSnapshots(folder / NETWORKS_FOLDER),
        )
        self._loaded_stamp = self._checkpoint_stamp()
        """Stamp (inode and modification time) of the checkpoint that this object loaded or wrote last; None without one."""

    @classmethod
    def start(
        cls,
        folder: Path | str,
        name: str,
        games: Game | Sequence[Game],
        settings: Settings | None = None,
        seed: int = 0,
        device: str = "auto",
    ) -> "Run":
        """Start a run in a new or empty folder.

        Args:
            folder: Folder of the run.
            name: Name of the algorithm.
            games: A game, or several that differ only in their number of players.
            settings: Hyperparameters; by default those of the algorithm's first paper.
            seed: Seed of the run.
            device: One of `search.evaluators.DEVICES`.

        Raises:
            InvalidInput: The folder holds a run, or an argument is invalid.
        """
        folder = Path(folder)
        _check_holds_no_run(folder)
        learner = make_learner(name, [games] if isinstance(games, Game) else games, settings, seed, device)
        check_opponents(learner.games, learner.settings.evaluate)
        if not sees_hidden(learner.encoding):
            network_weights(learner.games[0], learner.network())  # fails for networks that no agent could play
        make_folder(folder)
        run = cls(folder, learner)
        with locked(folder):
            _check_holds_no_run(folder)  # another process may have started one meanwhile
            write_run_config(folder / SETTINGS_FILE, learner)
        return run

    @classmethod
    def resume(
        cls, folder: Path | str, changes: Mapping[str, object] | None = None, device: str | None = None
    ) -> "Run":
        """Resume the run in a folder from its last checkpoint, or from the start if it has none.

        Files in the folder do not change before `train`.

        Args:
            folder: Folder of the run.
            changes: New values of settings, only for those of `Settings.resumable`; `rounds` and
                `decisions` must not be below the numbers already played.
            device: One of `search.evaluators.DEVICES`; by default that of the run.

        Raises:
            InvalidInput: The folder holds no run, is damaged, or a change is not allowed.
        """
        folder = Path(folder)
        if not (folder / SETTINGS_FILE).exists():
            problem = f"has no {SETTINGS_FILE}" if folder.exists() else "does not exist"
            raise InvalidInput(f"{folder} holds no run: it {problem}")
        config = read_run_config(folder / SETTINGS_FILE)
        if config is None:
            raise InvalidInput(f"{folder / SETTINGS_FILE} does not describe a run: it lacks format = {FORMAT!r}")
        with error_context(folder / SETTINGS_FILE):
            learner_class = algorithm(config.algorithm, game_class(config.game))
            old_settings = learner_class.settings_class().with_changes(config.settings)
        settings = old_settings.with_changes(changes or {})
        _check_resumable(old_settings, settings)
        games = [config.make_game(players) for players in config.players]
        run = cls(folder, make_learner(config.algorithm, games, settings, config.seed, device or config.device))
        if run._loaded_stamp is not None:
            run._load()
        elif (folder / WEIGHTS_FILE).exists():
            raise InvalidInput(
                f"{folder} has {WEIGHTS_FILE} but no {CHECKPOINT_FILE} to resume: to start again, move {WEIGHTS_FILE} away"
            )
        run._check_not_shortened(old_settings)
        return run

    def _check_not_shortened(self, old_settings: Settings) -> None:
        """Raise `InvalidInput` if the settings end the training before the rounds or decisions already played."""
        settings = self.learner.settings
        for key, done in {"rounds": self.learner.rounds, "decisions": self.learner.decisions}.items():
            if 0 < getattr(settings, key) < min(done, getattr(old_settings, key) or done):
                raise InvalidInput(f"{self.folder} has {done:,} {key} already, more than {getattr(settings, key):,}")

    @property
    def evaluated_after(self) -> int:
        """Rounds at the last evaluations; -1 if there were none."""
        return self._evaluated_after

    @property
    def complete(self) -> bool:
        """True once the training is finished and its last evaluation was played."""
        return self.learner.finished and not self._evaluation_is_due()

    def train(
        self,
        report: Callable[[Progress], None] = lambda progress: None,
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
        on_stop_signal: Callable[[], None] = lambda: None,
    ) -> bool:
        """Train to the end, or until Ctrl-C, SIGTERM or SIGHUP; an interrupted evaluation is repeated on `resume`.

        Args:
            report: Called several times a second, and after every evaluation. If it raises, a checkpoint is written and
                the exception passed on.
            checkpoint_seconds: Seconds between checkpoints; one is also written at the end.
            on_stop_signal: Called when a signal arrives; the training may take a while to stop.

        Returns:
            True if the run is complete, False if it was interrupted.

        Raises:
            InvalidInput: Another process trains in the folder, or has trained there since this run was loaded.
        """
        # first of all: importing TensorBoard would catch and drop a Ctrl-C
        with stop_request(on_stop_signal) as interrupted, locked(self.folder):
            if self._checkpoint_stamp() != self._loaded_stamp:
                raise InvalidInput(f"{self.folder} was trained by another process in the meantime: resume it again")
            for name in (SETTINGS_FILE, PROGRESS_FILE, CHECKPOINT_FILE, WEIGHTS_FILE):
                remove_partial_files(self.folder / name)
            self._progress_table.truncate_after(self._evaluated_after)
            self._snapshots.delete_after(self._evaluated_after)
            write_run_config(self.folder / SETTINGS_FILE, self.learner)
            with closing(TensorBoardWriter(self.folder, self._evaluated_after + 1)) as board:
                return self._train(report, checkpoint_seconds, interrupted, board)

    def _train(
        self,
        report: Callable[[Progress], None],
        checkpoint_seconds: float,
        interrupted: Callable[[], bool],
        board: TensorBoardWriter,
    ) -> bool:
        learner = self.learner
        started_at = saved_at = reported_at = time.perf_counter()
        earlier_seconds, throughput = self.seconds, Throughput(learner.decisions, learner.fraction_done)

        def send_report(just_evaluated: bool = False, evaluation_progress: float | None = None) -> None:
            nonlocal reported_at
            decisions_per_second, seconds_left = throughput.measure(learner.decisions, learner.fraction_done)
            done = learner.rounds, learner.decisions, learner.fraction_done
            report(
                Progress(
                    *done, decisions_per_second, seconds_left, self.evaluations, just_evaluated, evaluation_progress
                )
            )
            reported_at = time.perf_counter()

        def should_continue(fraction_done: float) -> bool:
            if time.perf_counter() - reported_at > _REPORT_SECONDS:
                send_report(evaluation_progress=fraction_done)
            return not interrupted()

        while True:
            self.seconds = earlier_seconds + time.perf_counter() - started_at
            if self._evaluation_is_due():
                with self._save_on_error(), suppress(EvaluationStopped):
                    send_report(evaluation_progress=0.0)
                    self._record_evaluations(evaluate_all(learner, learner.rounds, should_continue), board)
                    send_report(just_evaluated=True)
            if learner.finished or interrupted():
                break
            learner.cycle()
            now = time.perf_counter()
            if now - saved_at > checkpoint_seconds:
                self.save()
                saved_at = time.perf_counter()
            if now - reported_at > _REPORT_SECONDS:
                with self._save_on_error():
                    send_report()
        self.save()
        self.interrupted = interrupted()
        return self.complete

    @contextmanager
    def _save_on_error(self) -> Iterator[None]:
        """Write a checkpoint if the body raises, such as an opponent in an evaluation, or the terminal in a report."""
        try:
            yield
        except BaseException:
            self.save()
            raise

    def save(self) -> None:
        """Write a checkpoint and the network's weights into the folder of the run."""
        network, learner = self.learner.network(), self.learner
        notes = network_notes(learner)
        clock = {"seconds": np.array([self.seconds]), "evaluated": np.array([self._evaluated_after])}
        state = join_states(learner=learner.state(), run=clock)
        try:
            write_checkpoint(self.folder / CHECKPOINT_FILE, state, identity_of(self.learner))
        except InvalidInput as error:
            save_network(network, self.folder / WEIGHTS_FILE, notes)  # may still fit on a full disk
            raise InvalidInput(f"{error}; what was learned so far is in {WEIGHTS_FILE}") from None
        self._loaded_stamp = self._checkpoint_stamp()
        # after the checkpoint: so a killed process leaves no weights newer than the checkpoint
        save_network(network, self.folder / WEIGHTS_FILE, notes)

    def _checkpoint_stamp(self) -> tuple[int, int] | None:
        """Return a stamp that changes when the folder's checkpoint is replaced, or None if there is none."""
        try:
            status = (self.folder / CHECKPOINT_FILE).stat()
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns

    def _load(self) -> None:
        state = read_checkpoint(self.folder / CHECKPOINT_FILE, identity_of(self.learner))
        try:
            self.learner.load_state(substate(state, "learner"))
            clock = substate(state, "run")
            self.seconds, self._evaluated_after = float(clock["seconds"][0]), int(clock["evaluated"][0])
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInput(f"{self.folder / CHECKPOINT_FILE} does not fit: {error}") from None

    def _evaluation_is_due(self) -> bool:
        rounds, due = self.learner.rounds, next_evaluation(self._evaluated_after, self.learner.settings.evaluate_every)
        return rounds >= due or (self.learner.finished and rounds > self._evaluated_after)

    def _record_evaluations(self, evaluations: tuple[Evaluation, ...], board: TensorBoardWriter) -> None:
        """Record evaluations in the progress file, TensorBoard and snapshots, then clear the means of the metrics."""
        learner, self.evaluations = self.learner, evaluations
        row = {"rounds": learner.rounds, "decisions": learner.decisions, "seconds": round(self.seconds, 3)}
        row |= learner.metrics()
        for evaluation in evaluations:
            row |= evaluation.columns()
        if learner.settings.keep == ALL:
            self._snapshots.keep(learner.network(), learner.rounds, network_notes(learner))
        self._progress_table.append(row)
        self._evaluated_after = learner.rounds
        learner.means.clear()  # not earlier: if the row cannot be written, the checkpoint still has the means
        board.write(row)


def _check_resumable(old_settings: Settings, settings: Settings) -> None:
    """Raise `InvalidInput` if a setting that must not change on resuming differs between `old_settings` and `settings`."""
    resumable, requested = settings.resumable(), settings.to_dict()
    for key, value in old_settings.to_dict().items():
        if key not in resumable and requested[key] != value:
            difference = f"{key}, {toml_value(value)}, not {toml_value(requested[key])}"
            raise InvalidInput(f"a resumed run keeps its {difference}: only {', '.join(resumable)} may change")


def _check_holds_no_run(folder: Path) -> None:
    """Raise `InvalidInput` if a folder holds a run, or files a run would overwrite."""
    if (folder / SETTINGS_FILE).exists():
        raise InvalidInput(f"{folder} holds a run already: resume it (--resume), or name another folder (--out)")
    for name in (CHECKPOINT_FILE, WEIGHTS_FILE, PROGRESS_FILE, NETWORKS_FOLDER):
        if (folder / name).exists():
            raise InvalidInput(f"{folder / name} would be overwritten: name another folder with --out")
