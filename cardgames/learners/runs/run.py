"""A training in a folder: what it was told, how it went, where it stands, what it learned."""

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
from cardgames.learners.memory.checkpoint_arrays import join_states, substate
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
from cardgames.support.toml_file import toml_value

SETTINGS_FILE, PROGRESS_FILE, CHECKPOINT_FILE, WEIGHTS_FILE = (
    "settings.toml",
    "progress.csv",
    "checkpoint.safetensors",
    TRAINED_WEIGHTS,
)
NETWORKS_FOLDER = "networks"
CHECKPOINT_SECONDS = 300.0
"""Between two checkpoints unless told."""
_REPORT_SECONDS = 0.2
"""Between two reports."""


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    rounds: int
    decisions: int
    fraction_done: float
    """Of the training that is done, in [0, 1]."""
    decisions_per_second: float
    """The learner's decisions per second, lately (`learners.runs.throughput`)."""
    seconds_left: float
    """Seconds until it will be done, at that pace; infinite before that can be told."""
    evaluations: tuple[Evaluation, ...]
    """The last ones."""
    just_evaluated: bool = False
    """They have just been played."""
    evaluation_progress: float | None = None
    """How much of the next ones is played, in [0, 1]; None while it trains."""


class Run:
    """A learner and its folder; `start` and `resume` make one."""

    def __init__(self, folder: Path, learner: Learner):
        self.folder, self.learner = folder, learner
        self.seconds = 0.0
        """Spent on training so far, in all sittings."""
        self.interrupted = False
        """Whether Ctrl-C, SIGTERM or SIGHUP came while it trained last, be it after the last evaluation of all."""
        self.evaluations: tuple[Evaluation, ...] = ()
        self._evaluated_after = -1
        """After how many rounds the last ones were played."""
        self._progress_table, self._snapshots = (
            ProgressTable(folder / PROGRESS_FILE),
            NetworkSnapshots(folder / NETWORKS_FOLDER),
        )
        self._loaded_stamp = self._checkpoint_stamp()
        """Of the checkpoint this run goes on from."""

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
        """Begin a run in a folder that holds none, of one game or of several that differ in the number of players;
        `settings` are the paper's by default. Raises `InvalidInput`.
        """
        folder = Path(folder)
        _check_holds_no_run(folder)
        learner = make_learner(name, [games] if isinstance(games, Game) else games, settings, seed, device)
        check_opponents(learner.games, learner.settings.evaluate)
        if not sees_hidden(learner.encoding):
            network_weights(learner.games[0], learner.network())  # what no agent could play is refused before it learns
        make_folder(folder)
        run = cls(folder, learner)
        with locked(folder):
            _check_holds_no_run(folder)  # another process may have begun one meanwhile
            write_run_config(folder / SETTINGS_FILE, learner)
        return run

    @classmethod
    def resume(
        cls, folder: Path | str, changes: Mapping[str, object] | None = None, device: str | None = None
    ) -> "Run":
        """Go on with the run in a folder from its last checkpoint, or from the beginning if it has none.

        Of the settings those of `Settings.resumable` may be changed, but not to less than was played already. Nothing in
        the folder changes before it trains. Raises `InvalidInput`.
        """
        folder = Path(folder)
        if not (folder / SETTINGS_FILE).exists():
            problem = f"has no {SETTINGS_FILE}" if folder.exists() else "does not exist"
            raise InvalidInput(f"{folder} holds no run: it {problem}")
        config = read_run_config(folder / SETTINGS_FILE)
        if config is None:
            raise InvalidInput(f"{folder / SETTINGS_FILE} describes no run of cardgames: it lacks format = {FORMAT!r}")
        with error_context(folder / SETTINGS_FILE):
            learner = algorithm(config.algorithm, game_class(config.game))
            before = learner.settings_class().with_changes(config.settings)
        settings = before.with_changes(changes or {})
        _check_resumable(before, settings)
        games = [config.make_game(players) for players in config.players]
        run = cls(folder, make_learner(config.algorithm, games, settings, config.seed, device or config.device))
        if run._loaded_stamp is not None:
            run._load()
        elif (folder / WEIGHTS_FILE).exists():
            raise InvalidInput(
                f"{folder} has no {CHECKPOINT_FILE} to go on from: move its {WEIGHTS_FILE} away, and it is begun anew"
            )
        run._check_not_shortened(before)
        return run

    def _check_not_shortened(self, before: Settings) -> None:
        """Raise `InvalidInput` for a shorter training than there was already."""
        settings = self.learner.settings
        for key, done in {"rounds": self.learner.rounds, "decisions": self.learner.decisions}.items():
            if 0 < getattr(settings, key) < min(done, getattr(before, key) or done):
                raise InvalidInput(f"{self.folder} has {done:,} {key} already, more than {getattr(settings, key):,}")

    @property
    def evaluated_after(self) -> int:
        """After how many rounds the last evaluations were played; -1 before there are any."""
        return self._evaluated_after

    @property
    def complete(self) -> bool:
        """Whether it is trained to the end and its last evaluation was played."""
        return self.learner.finished and not self._evaluation_is_due()

    def train(
        self,
        report: Callable[[Progress], None] = lambda progress: None,
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
        on_stop_signal: Callable[[], None] = lambda: None,
    ) -> bool:
        """Train to the end and return True, or False if Ctrl-C, SIGTERM or SIGHUP ended it; an evaluation under way then is
        played again by whoever resumes the run. A checkpoint is written every so many seconds and at the end; `report` is
        told how far it is several times a second, and of every evaluation. What it raises is passed on, once a checkpoint
        is written. `on_stop_signal` is called when a signal to end comes, which may be a while before it can be heeded.

        Raises `InvalidInput` if another process trains in the folder, or has since this run was read from it.
        """
        # from the first: Ctrl-C while TensorBoard is imported would be caught there and forgotten
        with stop_request(on_stop_signal) as interrupted, locked(self.folder):
            if self._checkpoint_stamp() != self._loaded_stamp:
                raise InvalidInput(f"{self.folder} was trained by another process meanwhile: resume it again")
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
        before, pace = self.seconds, Throughput(learner.decisions, learner.fraction_done)

        def send_report(just_evaluated: bool = False, evaluation_progress: float | None = None) -> None:
            nonlocal reported_at
            decisions_per_second, seconds_left = pace.measure(learner.decisions, learner.fraction_done)
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
            self.seconds = before + time.perf_counter() - started_at
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
        """Write a checkpoint if what is done meanwhile fails: whom an evaluation is played against, or the terminal."""
        try:
            yield
        except BaseException:
            self.save()
            raise

    def save(self) -> None:
        """Write a checkpoint and the weights."""
        network, learner = self.learner.network(), self.learner
        notes = network_notes(learner)
        clock = {"seconds": np.array([self.seconds]), "evaluated": np.array([self._evaluated_after])}
        state = join_states(learner=learner.state(), run=clock)
        try:
            write_checkpoint(self.folder / CHECKPOINT_FILE, state, identity_of(self.learner))
        except InvalidInput as error:
            save_network(
                network, self.folder / WEIGHTS_FILE, notes
            )  # may fit on a disk on which the checkpoint does not
            raise InvalidInput(f"{error}; what was learned so far is in {WEIGHTS_FILE}") from None
        self._loaded_stamp = self._checkpoint_stamp()
        # last: what is killed between the two leaves no weights that no checkpoint goes on from
        save_network(network, self.folder / WEIGHTS_FILE, notes)

    def _checkpoint_stamp(self) -> tuple[int, int] | None:
        """Return what tells the folder's checkpoint from any other, None if it has none."""
        try:
            found = (self.folder / CHECKPOINT_FILE).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

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
        """Note how the training stands."""
        learner, self.evaluations = self.learner, evaluations
        row = {"rounds": learner.rounds, "decisions": learner.decisions, "seconds": round(self.seconds, 3)}
        row |= learner.metrics()
        for found in evaluations:
            row |= found.columns()
        if learner.settings.keep == ALL:
            self._snapshots.keep(learner.network(), learner.rounds, network_notes(learner))
        self._progress_table.append(row)
        self._evaluated_after = learner.rounds
        learner.means.clear()  # only now: where the row cannot be written, a checkpoint keeps what it was to tell
        board.write(row)


def _check_resumable(before: Settings, settings: Settings) -> None:
    """Raise `InvalidInput` if settings differ from those of before in more than may be changed."""
    resumable, requested = settings.resumable(), settings.to_dict()
    for key, value in before.to_dict().items():
        if key not in resumable and requested[key] != value:
            difference = f"{key}, {toml_value(value)}, not {toml_value(requested[key])}"
            raise InvalidInput(f"a resumed run keeps its {difference}: only {', '.join(resumable)} may be changed")


def _check_holds_no_run(folder: Path) -> None:
    """Raise `InvalidInput` if a folder holds a run, or some of its files."""
    if (folder / SETTINGS_FILE).exists():
        raise InvalidInput(f"{folder} holds a run already: resume it (--resume), or name another folder (--out)")
    for name in (CHECKPOINT_FILE, WEIGHTS_FILE, PROGRESS_FILE, NETWORKS_FOLDER):
        if (folder / name).exists():
            raise InvalidInput(f"{folder / name} would be overwritten: name another folder with --out")
