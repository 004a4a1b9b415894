"""Training of all players of a table or grid in stacks on one GPU, with checkpoints and saved networks."""

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
from cardgames.papers.request import Request, Size
from cardgames.papers.stacked.stack import Stack, check_stackable, stack_key
from cardgames.papers.stacked.stacked_curves import StackedCurves
from cardgames.papers.training import NETWORK_FILE, Training, network_identity, time_left
from cardgames.support.atomic_write import remove_partial_files
from cardgames.support.errors import InvalidInput, error_context
from cardgames.support.interruption import stop_request

_REPORT_SECONDS = 1.0
_MAX_MEMBERS = 36
"""Largest number of members in a stack. That many fill a GPU; several stacks take turns."""
_MEMBER_KEY = "member "
"""Prefix of the members' keys in the identity of a checkpoint; the number of the member follows."""

Members = Mapping[Path, ValueLearner]
"""Folder of a training -> its learner."""


def train_stacked(trainings: Sequence[Training], request: Request) -> None:
    """Train the players of all seeds that are not trained yet, if the size is `Size.STACKED`; otherwise do nothing.

    The networks and progress tables are saved in the folders in which `Training.learner` looks for them. Each stack writes a
    checkpoint every five minutes. The networks of a stack are saved as soon as all its members are trained; errors are
    raised at the end. An interrupted stack is resumed with its former members if all of them are requested again; otherwise
    they are trained from the beginning.

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
    """Return the untrained learners of all seeds. Raises `InvalidInput` if one cannot be stacked."""
    members: dict[Path, ValueLearner] = {}
    for training in trainings:
        for seed in request.seeds:
            learner: Any = training.untrained(request, seed)
            check_stackable([learner])
            members[training.folder(request, seed)] = learner
    return members


def _plan_stacks(out: Path, untrained: Members) -> list[Members]:
    """Return the members of each stack to train: first interrupted stacks, then new ones."""
    done = {folder for folder, learner in untrained.items() if _is_trained(folder, learner)}
    left, stopped = dict(untrained), list[Members]()
    for path, folders in _interrupted_stacks(out):
        if done.issuperset(folders):
            path.unlink()  # the process ended between saving the last network and deleting the checkpoint
        elif all(folder in left for folder in folders):
            stopped.append({folder: left.pop(folder) for folder in folders})
    return [*stopped, *_stackable_groups({folder: learner for folder, learner in left.items() if folder not in done})]


def _is_trained(folder: Path, learner: ValueLearner) -> bool:
    """Return whether a folder holds the trained network. Raises `InvalidInput` if it is damaged or of other settings."""
    path = folder / NETWORK_FILE
    return path.exists() and bool(read_checkpoint(path, network_identity(learner)))


def _interrupted_stacks(out: Path) -> list[tuple[Path, list[Path]]]:
    """Return the checkpoints of interrupted stacks with the folders of their members, the largest stack first.

    Raises `InvalidInput`.
    """
    checkpoints = []
    for path in sorted(out.glob(_StackRun.NAME.format("*"))):
        names = [str(name) for key, name in checkpoint_identity(path).items() if key.startswith(_MEMBER_KEY)]
        checkpoints.append((path, [out / name for name in names]))
    return sorted(checkpoints, key=lambda checkpoint: len(checkpoint[1]), reverse=True)


def _stackable_groups(members: Members) -> Iterator[Members]:
    """Yield groups of members that can be stacked together, at most `_MAX_MEMBERS` in each."""

    def key(item: tuple[Path, ValueLearner]) -> str:
        return repr(stack_key(item[1]))

    for _, group in groupby(sorted(members.items(), key=key), key):
        alike = list(group)
        for first in range(0, len(alike), _MAX_MEMBERS):
            yield dict(alike[first : first + _MAX_MEMBERS])


def _train(stacks: "Sequence[_StackRun]", request: Request, interrupted: Callable[[], bool]) -> list[InvalidInput]:
    """Train all stacks in turn: while one plays on the CPU, the others learn on the GPU.

    Networks are saved when their stack is finished; checkpoints are written at intervals and after an interrupt.

    Returns:
        Errors of saving networks.
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
    for stack_run in stacks:
        stack_run.save()


@contextmanager
def _save_on_error(stacks: "Sequence[_StackRun]") -> Iterator[None]:
    """Write the checkpoints of all stacks if the block raises."""
    try:
        yield
    except BaseException:
        _save(stacks)
        raise


def _updates_and_progress(stacks: "Sequence[_StackRun]") -> tuple[int, float]:
    """Return the number of updates made, and the share of all trainings that is done, in [0, 1]."""
    updates = sum(int(stack_run.stack.steps.sum()) for stack_run in stacks)
    total = sum(stack_run.size for stack_run in stacks)
    return updates, sum(stack_run.stack.fraction_done * stack_run.size for stack_run in stacks) / max(1, total)


class _StackRun:
    """A stack with its checkpoint and the folders of its members."""

    NAME = "stack-{}.safetensors"

    def __init__(self, out: Path, members: Members, device: str):
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
        """Continue from the checkpoint. Raises `InvalidInput` if it does not fit."""
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
        """Write a checkpoint. Raises `InvalidInput`."""
        write_checkpoint(self._path, {**self.stack.state(), **self.curves.state()}, self._identity)

    def finish(self) -> list[InvalidInput]:
        """Save the networks of all members and delete the checkpoint; existing networks are not overwritten.

        Returns:
            Errors, such as weights that are not finite or a full disk. After an error the checkpoint is written instead of
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
    make_folder(folder)
    for name in (WEIGHTS_FILE, NETWORK_FILE):
        remove_partial_files(folder / name)
    save_network(learner.network(), folder / WEIGHTS_FILE, network_notes(learner))
    write_checkpoint(folder / NETWORK_FILE, learner.online.tensors(), network_identity(learner))


def _identity(members: Members) -> Identity:
    """Return the identity that the checkpoint of these members must have."""
    identity: dict[str, str | int] = {}
    for number, (folder, learner) in enumerate(members.items()):
        identity[f"{_MEMBER_KEY}{number}"] = folder.name
        identity |= {f"{folder.name}'s {key}": value for key, value in network_identity(learner).items()}
    return identity
