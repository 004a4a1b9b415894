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
from cardgames.learners.memory.checkpoint_arrays import joined, part_of
from cardgames.learners.runs.evaluation import Abandoned, Evaluation, check_opponents, evaluate_all, next_evaluation
from cardgames.learners.runs.run_config import FORMAT, described, identity_of, notes_of, write_description
from cardgames.learners.runs.run_files import Table, locked, make_folder, read_checkpoint, write_checkpoint
from cardgames.learners.runs.snapshots import KeptNetworks
from cardgames.learners.runs.tensorboard import Board
from cardgames.learners.runs.throughput import Pace
from cardgames.networks.network_file import save_network
from cardgames.networks.network_policy import network_weights
from cardgames.networks.pretrained import TRAINED_WEIGHTS
from cardgames.support.atomic_write import remove_partial_files
from cardgames.support.errors import InvalidInput, error_context
from cardgames.support.interruption import stop_request
from cardgames.support.toml_file import toml_value

SETTINGS, PROGRESS, CHECKPOINT, WEIGHTS = "settings.toml", "progress.csv", "checkpoint.safetensors", TRAINED_WEIGHTS
NETWORKS = "networks"
CHECKPOINT_SECONDS = 300.0
"""Between two checkpoints unless told."""
_TELL_SECONDS = 0.2
"""Between two reports."""


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    rounds: int
    decisions: int
    share: float
    """Of the training that is done, in [0, 1]."""
    speed: float
    """The learner's decisions per second, lately (`learners.runs.throughput`)."""
    left: float
    """Seconds until it will be done, at that pace; infinite before that can be told."""
    evaluations: tuple[Evaluation, ...]
    """The last ones."""
    fresh: bool = False
    """They have just been played."""
    evaluated: float | None = None
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
        self._evaluated = -1
        """After how many rounds the last ones were played."""
        self._table, self._kept = Table(folder / PROGRESS), KeptNetworks(folder / NETWORKS)
        self._read = self._stamp()
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
        _check_free(folder)
        learner = make_learner(name, [games] if isinstance(games, Game) else games, settings, seed, device)
        check_opponents(learner.games, learner.settings.evaluate)
        if not sees_hidden(learner.encoding):
            network_weights(learner.games[0], learner.network())  # what no agent could play is refused before it learns
        make_folder(folder)
        run = cls(folder, learner)
        with locked(folder):
            _check_free(folder)  # another process may have begun one meanwhile
            write_description(folder / SETTINGS, learner)
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
        if not (folder / SETTINGS).exists():
            lacking = f"has no {SETTINGS}" if folder.exists() else "does not exist"
            raise InvalidInput(f"{folder} holds no run: it {lacking}")
        told = described(folder / SETTINGS)
        if told is None:
            raise InvalidInput(f"{folder / SETTINGS} describes no run of cardgames: it lacks format = {FORMAT!r}")
        with error_context(folder / SETTINGS):
            learner = algorithm(told.algorithm, game_class(told.game))
            before = learner.settings_class().changed(told.settings)
        settings = before.changed(changes or {})
        _check_kept(before, settings)
        games = [told.table(players) for players in told.players]
        run = cls(folder, make_learner(told.algorithm, games, settings, told.seed, device or told.device))
        if run._read is not None:
            run._load()
        elif (folder / WEIGHTS).exists():
            raise InvalidInput(
                f"{folder} has no {CHECKPOINT} to go on from: move its {WEIGHTS} away, and it is begun anew"
            )
        run._check_not_less(before)
        return run

    def _check_not_less(self, before: Settings) -> None:
        """Raise `InvalidInput` for a shorter training than there was already."""
        settings = self.learner.settings
        for key, done in {"rounds": self.learner.rounds, "decisions": self.learner.decisions}.items():
            if 0 < getattr(settings, key) < min(done, getattr(before, key) or done):
                raise InvalidInput(f"{self.folder} has {done:,} {key} already, more than {getattr(settings, key):,}")

    @property
    def evaluated_after(self) -> int:
        """After how many rounds the last evaluations were played; -1 before there are any."""
        return self._evaluated

    @property
    def complete(self) -> bool:
        """Whether it is trained to the end and its last evaluation was played."""
        return self.learner.finished and not self._evaluation_is_due()

    def train(
        self,
        report: Callable[[Progress], None] = lambda progress: None,
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
        stopping: Callable[[], None] = lambda: None,
    ) -> bool:
        """Train to the end and return True, or False if Ctrl-C, SIGTERM or SIGHUP ended it; an evaluation under way then is
        played again by whoever resumes the run. A checkpoint is written every so many seconds and at the end; `report` is
        told how far it is several times a second, and of every evaluation. What it raises is passed on, once a checkpoint
        is written. `stopping` is called when a signal to end comes, which may be a while before it can be heeded.

        Raises `InvalidInput` if another process trains in the folder, or has since this run was read from it.
        """
        # from the first: Ctrl-C while TensorBoard is imported would be caught there and forgotten
        with stop_request(stopping) as interrupted, locked(self.folder):
            if self._stamp() != self._read:
                raise InvalidInput(f"{self.folder} was trained by another process meanwhile: resume it again")
            for name in (SETTINGS, PROGRESS, CHECKPOINT, WEIGHTS):
                remove_partial_files(self.folder / name)
            self._table.forget_after(self._evaluated)
            self._kept.forget_later(self._evaluated)
            write_description(self.folder / SETTINGS, self.learner)
            with closing(Board(self.folder, self._evaluated + 1)) as board:
                return self._train(report, checkpoint_seconds, interrupted, board)

    def _train(
        self, report: Callable[[Progress], None], every: float, interrupted: Callable[[], bool], board: Board
    ) -> bool:
        learner = self.learner
        begun = saved = told = time.perf_counter()
        before, pace = self.seconds, Pace(learner.decisions, learner.share)

        def tell(fresh: bool = False, evaluated: float | None = None) -> None:
            nonlocal told
            speed, left = pace.measure(learner.decisions, learner.share)
            done = learner.rounds, learner.decisions, learner.share
            report(Progress(*done, speed, left, self.evaluations, fresh, evaluated))
            told = time.perf_counter()

        def going_on(share: float) -> bool:
            if time.perf_counter() - told > _TELL_SECONDS:
                tell(evaluated=share)
            return not interrupted()

        while True:
            self.seconds = before + time.perf_counter() - begun
            if self._evaluation_is_due():
                with self._safe(), suppress(Abandoned):
                    tell(evaluated=0.0)
                    self._note(evaluate_all(learner, learner.rounds, going_on), board)
                    tell(fresh=True)
            if learner.finished or interrupted():
                break
            learner.cycle()
            now = time.perf_counter()
            if now - saved > every:
                self.save()
                saved = time.perf_counter()
            if now - told > _TELL_SECONDS:
                with self._safe():
                    tell()
        self.save()
        self.interrupted = interrupted()
        return self.complete

    @contextmanager
    def _safe(self) -> Iterator[None]:
        """Write a checkpoint if what is done meanwhile fails: whom an evaluation is played against, or the terminal."""
        try:
            yield
        except BaseException:
            self.save()
            raise

    def save(self) -> None:
        """Write a checkpoint and the weights."""
        network, learner = self.learner.network(), self.learner
        notes = notes_of(learner)
        clock = {"seconds": np.array([self.seconds]), "evaluated": np.array([self._evaluated])}
        state = joined(learner=learner.state(), run=clock)
        try:
            write_checkpoint(self.folder / CHECKPOINT, state, identity_of(self.learner))
        except InvalidInput as error:
            save_network(network, self.folder / WEIGHTS, notes)  # may fit on a disk on which the checkpoint does not
            raise InvalidInput(f"{error}; what was learned so far is in {WEIGHTS}") from None
        self._read = self._stamp()
        # last: what is killed between the two leaves no weights that no checkpoint goes on from
        save_network(network, self.folder / WEIGHTS, notes)

    def _stamp(self) -> tuple[int, int] | None:
        """Return what tells the folder's checkpoint from any other, None if it has none."""
        try:
            found = (self.folder / CHECKPOINT).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    def _load(self) -> None:
        state = read_checkpoint(self.folder / CHECKPOINT, identity_of(self.learner))
        try:
            self.learner.load_state(part_of(state, "learner"))
            clock = part_of(state, "run")
            self.seconds, self._evaluated = float(clock["seconds"][0]), int(clock["evaluated"][0])
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInput(f"{self.folder / CHECKPOINT} does not fit: {error}") from None

    def _evaluation_is_due(self) -> bool:
        rounds, due = self.learner.rounds, next_evaluation(self._evaluated, self.learner.settings.evaluate_every)
        return rounds >= due or (self.learner.finished and rounds > self._evaluated)

    def _note(self, evaluations: tuple[Evaluation, ...], board: Board) -> None:
        """Note how the training stands."""
        learner, self.evaluations = self.learner, evaluations
        row = {"rounds": learner.rounds, "decisions": learner.decisions, "seconds": round(self.seconds, 3)}
        row |= learner.figures()
        for found in evaluations:
            row |= found.columns()
        if learner.settings.keep == ALL:
            self._kept.keep(learner.network(), learner.rounds, notes_of(learner))
        self._table.append(row)
        self._evaluated = learner.rounds
        learner.means.clear()  # only now: where the row cannot be written, a checkpoint keeps what it was to tell
        board.write(row)


def _check_kept(before: Settings, settings: Settings) -> None:
    """Raise `InvalidInput` if settings differ from those of before in more than may be changed."""
    able, asked = settings.resumable(), settings.to_dict()
    for key, value in before.to_dict().items():
        if key not in able and asked[key] != value:
            kept = f"{key}, {toml_value(value)}, not {toml_value(asked[key])}"
            raise InvalidInput(f"a resumed run keeps its {kept}: only {', '.join(able)} may be changed")


def _check_free(folder: Path) -> None:
    """Raise `InvalidInput` if a folder holds a run, or some of its files."""
    if (folder / SETTINGS).exists():
        raise InvalidInput(f"{folder} holds a run already: resume it (--resume), or name another folder (--out)")
    for name in (CHECKPOINT, WEIGHTS, PROGRESS, NETWORKS):
        if (folder / name).exists():
            raise InvalidInput(f"{folder / name} would be overwritten: name another folder with --out")
