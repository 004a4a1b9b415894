"""All trainings of a table or a grid at once, in stacks on one GPU (`learners.stack`)."""

import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from cardgames.core.errors import InvalidInput, naming
from cardgames.core.interruption import interruptible
from cardgames.core.network_file import save_network
from cardgames.core.replacing import sweep
from cardgames.learners.description import notes_of
from cardgames.learners.pace import Pace
from cardgames.learners.run import CHECKPOINT_SECONDS, WEIGHTS
from cardgames.learners.run_files import (
    Identity,
    checkpoint_identity,
    locked,
    make_folder,
    read_checkpoint,
    write_checkpoint,
)
from cardgames.learners.stack import Stack, check_alike, stack_key
from cardgames.learners.value_learner import ValueLearner
from cardgames.reproduce.request import Request
from cardgames.reproduce.training import NETWORK, Training, network_identity, time_left

_TELL_SECONDS = 1.0
_MOST = 36
"""Members of a stack: by so many a GPU is filled, and several stacks take turns at it."""
_MEMBER = "member "
"""What a checkpoint calls its members, with their numbers."""

Members = Mapping[Path, ValueLearner]
"""The folder in which each one's network is to be kept, and the learner."""


def train_stacked(trainings: Sequence[Training], request: Request) -> None:
    """Train the players of all seeds that are not trained yet, and keep each where `Training.learner` finds it.

    A checkpoint of each stack is written every five minutes. A stack that was stopped goes on with the members it had, as
    long as all of them are asked for. Raises `InvalidInput`, and `KeyboardInterrupt` if Ctrl-C, SIGTERM or SIGHUP ends it,
    which loses nothing.
    """
    out = Path(request.out)
    fresh = _fresh(trainings, request)
    make_folder(out)
    with interruptible() as interrupted, locked(out):
        stacks = [_Kept(out, members, request.device) for members in _shared_out(out, fresh, trainings, request)]
        if not _train(stacks, request, interrupted):
            raise KeyboardInterrupt
        for stack in stacks:
            stack.finish()


def _fresh(trainings: Sequence[Training], request: Request) -> Members:
    """Return all players before they learn. Raises `InvalidInput` if one cannot be stacked."""
    found: dict[Path, ValueLearner] = {}
    for training in trainings:
        for seed in request.seeds:
            learner: Any = training.fresh(request, seed)
            check_alike([learner])
            found[training.folder(request, seed)] = learner
    return found


def _shared_out(out: Path, fresh: Members, trainings: Sequence[Training], request: Request) -> Iterator[Members]:
    """Yield the members of each stack that is to be trained: of those that were stopped, then of new ones."""
    left = dict(fresh)
    for path in sorted(out.glob(_Kept.NAME.format("*"))):
        folders = [out / str(name) for key, name in checkpoint_identity(path).items() if key.startswith(_MEMBER)]
        if all(folder in left for folder in folders):
            yield {folder: left.pop(folder) for folder in folders}
    for training in trainings:
        for seed in request.seeds:
            folder = training.folder(request, seed)
            if folder in left and (folder / NETWORK).exists():
                training.learner(request, seed)  # a damaged one, or one of other settings, is refused at once
                del left[folder]
    yield from _parts(left)


def _parts(members: Members) -> Iterator[Members]:
    """Yield members that can be stacked together, at most `_MOST` at a time."""

    def key(item: tuple[Path, ValueLearner]) -> str:
        return repr(stack_key(item[1]))

    for _, group in groupby(sorted(members.items(), key=key), key):
        alike = list(group)
        for first in range(0, len(alike), _MOST):
            yield dict(alike[first : first + _MOST])


def _train(stacks: "Sequence[_Kept]", request: Request, interrupted: Callable[[], bool]) -> bool:
    """Train all stacks in turn, each working while the others play; return whether they came to the end."""
    total = sum(kept.size for kept in stacks)

    def standing() -> tuple[int, float]:
        made = sum(int(kept.stack.steps.sum()) for kept in stacks)
        return made, sum(kept.stack.share * kept.size for kept in stacks) / max(total, 1)

    pace, told, saved = Pace(*standing()), time.monotonic(), time.monotonic()
    running = [kept.stack for kept in stacks]
    while running := [stack for stack in running if not stack.finished]:
        for stack in running:
            stack.tick()
        now = time.monotonic()
        if now - told > _TELL_SECONDS:
            speed, left = pace.measure(*standing())
            request.note(f"{total} trainings at once: {speed:,.0f} updates/s{time_left(left)}")
            told = now
        stopping = interrupted()
        if stopping or now - saved > CHECKPOINT_SECONDS:
            for kept in stacks:
                kept.save()
            saved = time.monotonic()
        if stopping:
            return False
    return True


class _Kept:
    """A stack, and where its members and its checkpoint are kept."""

    NAME = "stack-{}.safetensors"

    def __init__(self, out: Path, members: Members, device: str):
        self._members, self.size = members, len(members)
        self.stack = Stack(list(members.values()), device)
        names = "\n".join(folder.name for folder in members)
        self._path = out / self.NAME.format(f"{zlib.crc32(names.encode()):08x}")
        self._identity = _identity(members)
        sweep(self._path)
        if self._path.exists():
            state = read_checkpoint(self._path, self._identity)
            try:
                self.stack.load_state(state)
            except (KeyError, TypeError, ValueError) as error:
                raise InvalidInput(f"{self._path} does not fit: {error}") from None

    def save(self) -> None:
        write_checkpoint(self._path, self.stack.state(), self._identity)

    def finish(self) -> None:
        """Write every member's network, and forget the checkpoint. Raises `InvalidInput`, once the others are written, if
        one has come to be no numbers.
        """
        self.save()  # whatever ends the process between two networks, the stack is found again at its end
        failures = []
        for member, (folder, learner) in enumerate(self._members.items()):
            try:
                with naming(folder):
                    self.stack.unload(member)
            except InvalidInput as failure:
                failures.append(failure)
                continue
            make_folder(folder)
            for name in (WEIGHTS, NETWORK):
                sweep(folder / name)
            save_network(learner.network(), folder / WEIGHTS, notes_of(learner))
            write_checkpoint(folder / NETWORK, learner.online.tensors(), network_identity(learner))
        if failures:
            raise failures[0]
        self._path.unlink(missing_ok=True)


def _identity(members: Members) -> Identity:
    """Return what a checkpoint must be of to be that of these members."""
    found: dict[str, str | int] = {}
    for number, (folder, learner) in enumerate(members.items()):
        found[f"{_MEMBER}{number}"] = folder.name
        found |= {f"{folder.name}'s {key}": value for key, value in network_identity(learner).items()}
    return found
