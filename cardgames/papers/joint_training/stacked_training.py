"""Training of all players of a published table or grid on one GPU, many at once, with checkpoints and saved networks."""

import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

from cardgames.learners.base.value_learner import ValueLearner
from cardgames.learners.runs.run import CHECKPOINT_SECONDS, WEIGHTS_FILE
from cardgames.learners.runs.run_config import network_notes
from cardgames.learners.runs.run_files import (
    Identity,
    checkpoint_identity,
    locked,
    make_folder,
    read_checkpoint,
    write_checkpoint,
)
from cardgames.learners.runs.throughput import Throughput
from cardgames.networks.network_file import save_network
from cardgames.papers.joint_training.stack import Stack, check_stackable, stack_key
from cardgames.papers.joint_training.stacked_curves import StackedCurves
from cardgames.papers.request import Request, Size
from cardgames.papers.trained_player import NETWORK_FILE, Training, network_identity, time_left
from cardgames.support.atomic_write import remove_partial_files
from cardgames.support.errors import InvalidInput, error_context
from cardgames.support.interruption import stop_request

_REPORT_SECONDS = 1.0
_MAX_MEMBERS = 36
"""Largest number of learners that are trained in one stack.

This number fills a GPU. More learners are divided into several stacks, which take turns.
"""
_MEMBER_KEY = "member "
"""Prefix of a member's key in the identity of a checkpoint; the index of the member in the stack follows."""

Members = Mapping[Path, ValueLearner]
"""Members of a stack: folder in which the training is saved -> learner."""


def train_stacked(trainings: Sequence[Training], request: Request) -> None:
    """Train every player with every seed in stacks (many learners at once), except those that are already trained.

    Nothing is done if the requested size is not `Size.STACKED`. The networks and progress tables are saved in the folders in
    which `Training.learner` looks for them. Each stack writes a checkpoint every five minutes. The networks of a stack are
    saved as soon as all its members are trained; errors of saving are raised at the end. An interrupted stack is resumed if
    all its members are requested again; otherwise the requested members are trained from the beginning.

    Raises:
        InvalidInput: A training cannot be stacked, a file cannot be read or written, or a network diverged.
        KeyboardInterrupt: Ctrl-C, SIGTERM or SIGHUP stopped the training; checkpoints are saved.
    """
    if request.size is not Size.STACKED:
        return
    out, untrained = Path(request.out), _untrained_members(trainings, request)
    make_folder(out)
    with stop_request() as interrupted, locked(out):
        request.report_progress("preparing the stacked trainings")
        stacks = [_StackRun(out, members, request.device) for members in _plan_stacks(out, untrained)]
        failures = _train(stacks, request, interrupted)
        if failures:
            raise failures[0]
        if interrupted():
            raise KeyboardInterrupt


def _untrained_members(trainings: Sequence[Training], request: Request) -> Members:
    """Return a new learner for each training and each seed, by folder. Raises `InvalidInput` if one cannot be stacked."""
    members: dict[Path, ValueLearner] = {}
    for training in trainings:
        for seed in request.seeds:
            learner: Any = training.untrained(request, seed)
            check_stackable([learner])
            members[training.folder(request, seed)] = learner
    return members


def _plan_stacks(out: Path, untrained: Members) -> list[Members]:
    """Divide the learners that are not trained yet into stacks: first those of interrupted stacks, then new stacks.

    The checkpoint of a stack whose members are all trained is deleted.
    """
    done = {folder for folder, learner in untrained.items() if _is_trained(folder, learner)}
    left, stopped = dict(untrained), list[Members]()
    for path, folders in _interrupted_stacks(out):
        if done.issuperset(folders):
            path.unlink()  # the process ended between saving the last network and deleting the checkpoint
        elif all(folder in left for folder in folders):
            stopped.append({folder: left.pop(folder) for folder in folders})
    return [*stopped, *_stackable_groups({folder: learner for folder, learner in left.items() if folder not in done})]


def _is_trained(folder: Path, learner: ValueLearner) -> bool:
    """Return whether a folder holds the trained network of a learner.

    Raises `InvalidInput` if the file is damaged or was trained with other settings.
    """
    path = folder / NETWORK_FILE
    return path.exists() and bool(read_checkpoint(path, network_identity(learner)))


def _interrupted_stacks(out: Path) -> list[tuple[Path, list[Path]]]:
    """Return (checkpoint file, folders of the stack's members) for each interrupted stack, the largest stack first.

    Raises `InvalidInput` if a checkpoint cannot be read.
    """
    checkpoints = []
    for path in sorted(out.glob(_StackRun.NAME.format("*"))):
        names = [str(name) for key, name in checkpoint_identity(path).items() if key.startswith(_MEMBER_KEY)]
        checkpoints.append((path, [out / name for name in names]))
    return sorted(checkpoints, key=lambda checkpoint: len(checkpoint[1]), reverse=True)


def _stackable_groups(members: Members) -> Iterator[Members]:
    """Divide learners into groups of at most `_MAX_MEMBERS` that can be trained in one stack; yield the groups."""

    def key(item: tuple[Path, ValueLearner]) -> str:
        return repr(stack_key(item[1]))

    for _, group in groupby(sorted(members.items(), key=key), key):
        alike = list(group)
        for first in range(0, len(alike), _MAX_MEMBERS):
            yield dict(alike[first : first + _MAX_MEMBERS])


def _train(stacks: "Sequence[_StackRun]", request: Request, interrupted: Callable[[], bool]) -> list[InvalidInput]:
    """Train all stacks until they are finished or the training is interrupted, one tick of each in turn.

    While one stack plays on the CPU, the others learn on the GPU. The networks of a stack are saved when it is finished.
    Checkpoints are written every `CHECKPOINT_SECONDS` and after an interrupt.

    Returns:
        Errors that occurred when networks were saved.
    """
    throughput, reported_at, saved_at = Throughput(*_updates_and_progress(stacks)), time.monotonic(), time.monotonic()
    running, failures = list(stacks), list[InvalidInput]()
    while True:
        with _save_on_error(running):
            for stack_run in running:
                stack_run.curves.evaluate(interrupted)
        for stack_run in [
            stack_run for stack_run in running if stack_run.stack.finished and stack_run.curves.up_to_date
        ]:
            failures += stack_run.finish()
            running.remove(stack_run)
        if interrupted() or not running:
            break
        for stack_run in running:
            stack_run.stack.tick()
        now = time.monotonic()
        if now - reported_at > _REPORT_SECONDS:
            updates_per_second, seconds_left = throughput.measure(*_updates_and_progress(stacks))
            total = sum(stack_run.size for stack_run in stacks)
            request.report_progress(
                f"{total} stacked trainings: {updates_per_second:,.0f} updates/s{time_left(seconds_left)}"
            )
            reported_at = now
        if now - saved_at > CHECKPOINT_SECONDS:
            _save(running)
            saved_at = time.monotonic()
    _save(running)
    return failures


def _save(stacks: "Sequence[_StackRun]") -> None:
    """Write a checkpoint of each stack."""
    for stack_run in stacks:
        stack_run.save()


@contextmanager
def _save_on_error(stacks: "Sequence[_StackRun]") -> Iterator[None]:
    """Write a checkpoint of each stack if the body of the `with` statement raises an exception."""
    try:
        yield
    except BaseException:
        _save(stacks)
        raise


def _updates_and_progress(stacks: "Sequence[_StackRun]") -> tuple[int, float]:
    """Return the number of network updates in all stacks, and the fraction of the training that is done, in [0, 1]."""
    updates = sum(int(stack_run.stack.steps.sum()) for stack_run in stacks)
    total = sum(stack_run.size for stack_run in stacks)
    return updates, sum(stack_run.stack.fraction_done * stack_run.size for stack_run in stacks) / max(1, total)


class _StackRun:
    """A stack in training, with its checkpoint file, its learning curves and the folders of its members."""

    NAME = "stack-{}.safetensors"

    def __init__(self, out: Path, members: Members, device: str):
        """Create the stack of these members; continue from its checkpoint if `out` has one."""
        self._members, self.size = members, len(members)
        self.stack = Stack(list(members.values()), device)
        self.curves = StackedCurves(self.stack, list(members))
        names = "\n".join(folder.name for folder in members)
        self._path = out / self.NAME.format(f"{zlib.crc32(names.encode()):08x}")
        self._identity = _identity(members)
        remove_partial_files(self._path)
        if self._path.exists():
            self._load()
        self.curves.begin()

    def _load(self) -> None:
        """Restore the stack and its learning curves from the checkpoint. Raises `InvalidInput` if it does not fit."""
        state = read_checkpoint(self._path, self._identity)
        try:
            self.stack.load_state(state)
            self.curves.load_state(state)
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInput(
                f"{self._path} does not fit, perhaps because it is from an earlier version ({error}): "
                "delete it to train from the beginning"
            ) from None

    def save(self) -> None:
        """Write a checkpoint of the stack and its learning curves. Raises `InvalidInput` if that fails."""
        write_checkpoint(self._path, {**self.stack.state(), **self.curves.state()}, self._identity)

    def finish(self) -> list[InvalidInput]:
        """Save the network of each member that has no saved one, then delete the checkpoint of the stack.

        Returns:
            Errors, such as weights that are not finite or a full disk. After an error the checkpoint is written and not
            deleted.
        """
        failures = []
        for member, (folder, learner) in enumerate(self._members.items()):
            if (folder / NETWORK_FILE).exists():
                continue
            try:
                with error_context(folder):
                    self.stack.copy_to_learner(member)
                _write(folder, learner)
            except InvalidInput as failure:
                failures.append(failure)
        try:
            if failures:
                self.save()
            else:
                self._path.unlink(missing_ok=True)
        except InvalidInput as failure:
            failures.append(failure)
        return failures


def _write(folder: Path, learner: ValueLearner) -> None:
    """Save the network of a trained learner twice: for playing (`WEIGHTS_FILE`), and with all weights (`NETWORK_FILE`)."""
    make_folder(folder)
    for name in (WEIGHTS_FILE, NETWORK_FILE):
        remove_partial_files(folder / name)
    save_network(learner.network(), folder / WEIGHTS_FILE, network_notes(learner))
    write_checkpoint(folder / NETWORK_FILE, learner.online.tensors(), network_identity(learner))


def _identity(members: Members) -> Identity:
    """Return the properties that are saved in the checkpoint of a stack of these members and checked when it is read.

    They are the names of the members' folders and the settings of the trainings.
    """
    identity: dict[str, str | int] = {}
    for number, (folder, learner) in enumerate(members.items()):
        identity[f"{_MEMBER_KEY}{number}"] = folder.name
        identity |= {f"{folder.name}'s {key}": value for key, value in network_identity(learner).items()}
    return identity
