"""All trainings of a table or a grid at once, in stacks on one GPU (`papers.stacked.stack`)."""

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
"""Members of a stack: by so many a GPU is filled, and several stacks take turns at it."""
_MEMBER_KEY = "member "
"""What a checkpoint calls its members, with their numbers."""

Members = Mapping[Path, ValueLearner]
"""The folder in which each one's network is to be kept, and the learner."""


def train_stacked(trainings: Sequence[Training], request: Request) -> None:
    """Train the players of all seeds that are not trained yet, and keep each, with its evaluations on the way, where
    `Training.finished` finds it; unless `Size.STACKED` is asked for, do nothing.

    A checkpoint of each stack is written every five minutes, and its players are kept as soon as all of them are trained;
    what goes wrong with them is raised in the end. A stack that was stopped goes on with the members it had, if all of them
    are asked for; else these are trained from the beginning. Raises `InvalidInput`, and `KeyboardInterrupt` if Ctrl-C,
    SIGTERM or SIGHUP ends it, which loses nothing.
    """
    if request.size is not Size.STACKED:
        return
    out, untrained = Path(request.out), _untrained_members(trainings, request)
    make_folder(out)
    with stop_request() as interrupted, locked(out):
        request.report_progress("trainings at once: preparing")
        stacks = [_StackRun(out, members, request.device) for members in _plan_stacks(out, untrained)]
        failures = _train(stacks, request, interrupted)
        if failures:
            raise failures[0]
        if interrupted():
            raise KeyboardInterrupt


def _untrained_members(trainings: Sequence[Training], request: Request) -> Members:
    """Return all players before they learn. Raises `InvalidInput` if one cannot be stacked."""
    found: dict[Path, ValueLearner] = {}
    for training in trainings:
        for seed in request.seeds:
            learner: Any = training.untrained(request, seed)
            check_stackable([learner])
            found[training.folder(request, seed)] = learner
    return found


def _plan_stacks(out: Path, untrained: Members) -> list[Members]:
    """Return the members of each stack that is to be trained: of those that were stopped, then of new ones."""
    done = {folder for folder, learner in untrained.items() if _is_trained(folder, learner)}
    left, stopped = dict(untrained), list[Members]()
    for path, folders in _interrupted_stacks(out):
        if done.issuperset(folders):
            path.unlink()  # the process ended when the last network had just been written
        elif all(folder in left for folder in folders):
            stopped.append({folder: left.pop(folder) for folder in folders})
    return [*stopped, *_stackable_groups({folder: learner for folder, learner in left.items() if folder not in done})]


def _is_trained(folder: Path, learner: ValueLearner) -> bool:
    """Return whether a folder has its network. Raises `InvalidInput` for a damaged one, or one of other settings."""
    path = folder / NETWORK_FILE
    return path.exists() and bool(read_checkpoint(path, network_identity(learner)))


def _interrupted_stacks(out: Path) -> list[tuple[Path, list[Path]]]:
    """Return the checkpoints of stacks, each with the folders of its members, the largest first. Raises `InvalidInput`."""
    found = []
    for path in sorted(out.glob(_StackRun.NAME.format("*"))):
        names = [str(name) for key, name in checkpoint_identity(path).items() if key.startswith(_MEMBER_KEY)]
        found.append((path, [out / name for name in names]))
    return sorted(found, key=lambda stopped: len(stopped[1]), reverse=True)


def _stackable_groups(members: Members) -> Iterator[Members]:
    """Yield members that can be stacked together, at most `_MAX_MEMBERS` at a time."""

    def key(item: tuple[Path, ValueLearner]) -> str:
        return repr(stack_key(item[1]))

    for _, group in groupby(sorted(members.items(), key=key), key):
        alike = list(group)
        for first in range(0, len(alike), _MAX_MEMBERS):
            yield dict(alike[first : first + _MAX_MEMBERS])


def _train(stacks: "Sequence[_StackRun]", request: Request, interrupted: Callable[[], bool]) -> list[InvalidInput]:
    """Train all stacks in turn, each working while the others play, and keep what has come to its end, or how far the rest
    has come once it is interrupted; return what could not be kept.
    """
    pace, reported_at, saved_at = Throughput(*_updates_and_progress(stacks)), time.monotonic(), time.monotonic()
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
            updates_per_second, seconds_left = pace.measure(*_updates_and_progress(stacks))
            total = sum(stack_run.size for stack_run in stacks)
            request.report_progress(
                f"{total} trainings at once: {updates_per_second:,.0f} updates/s{time_left(seconds_left)}"
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
    """Write all checkpoints if what is done meanwhile fails."""
    try:
        yield
    except BaseException:
        _save(stacks)
        raise


def _updates_and_progress(stacks: "Sequence[_StackRun]") -> tuple[int, float]:
    """Return the updates made, and how much of all trainings is done, in [0, 1]."""
    made = sum(int(stack_run.stack.steps.sum()) for stack_run in stacks)
    total = sum(stack_run.size for stack_run in stacks)
    return made, sum(stack_run.stack.fraction_done * stack_run.size for stack_run in stacks) / max(1, total)


class _StackRun:
    """A stack, and where its members and its checkpoint are kept."""

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
        """Go on from the checkpoint. Raises `InvalidInput`."""
        state = read_checkpoint(self._path, self._identity)
        try:
            self.stack.load_state(state)
            self.curves.load_state(state)
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInput(
                f"{self._path} does not fit, perhaps of an earlier version ({error}): without it they are trained anew"
            ) from None

    def save(self) -> None:
        """Write a checkpoint. Raises `InvalidInput`."""
        write_checkpoint(self._path, {**self.stack.state(), **self.curves.state()}, self._identity)

    def finish(self) -> list[InvalidInput]:
        """Write every member's network, but for those that are there already, and forget the checkpoint. Return what went
        wrong with some, because they have come to be no numbers or for want of room; then a checkpoint is written instead.
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
    """Return what a checkpoint must be of to be that of these members."""
    found: dict[str, str | int] = {}
    for number, (folder, learner) in enumerate(members.items()):
        found[f"{_MEMBER_KEY}{number}"] = folder.name
        found |= {f"{folder.name}'s {key}": value for key, value in network_identity(learner).items()}
    return found
