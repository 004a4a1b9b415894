"""All trainings of a table or a grid at once, in stacks on one GPU (`learners.stack`)."""

import math
import time
import zlib
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import cardgames
from cardgames.core.errors import InvalidInput
from cardgames.core.interruption import interruptible
from cardgames.core.network_file import save_network
from cardgames.learners.description import identity_of
from cardgames.learners.pace import Pace
from cardgames.learners.run import CHECKPOINT_SECONDS, WEIGHTS
from cardgames.learners.run_files import locked, read_checkpoint, write_checkpoint
from cardgames.learners.stack import Stack, check_alike, stack_key
from cardgames.learners.value_learner import ValueLearner
from cardgames.reproduce.request import Request
from cardgames.reproduce.training import NETWORK, Training

_TELL_SECONDS = 1.0
_MOST = 36
"""Members of a stack: by so many a GPU is filled, and several stacks take turns at it."""


def train_stacked(trainings: Sequence[Training], request: Request) -> None:
    """Train the players of all seeds that are not trained yet, and keep each where `Training.learner` finds it.

    A checkpoint of all is written every five minutes. Raises `InvalidInput`, and `KeyboardInterrupt` if Ctrl-C, SIGTERM or
    SIGHUP ends it, which loses nothing.
    """
    wanted: dict[Path, ValueLearner] = {}
    for training in trainings:
        for seed in request.seeds:
            folder = training.folder(request, seed)
            learner: Any = training.fresh(request, seed)
            check_alike([learner])
            if not (folder / NETWORK).exists():
                wanted[folder] = learner
    if not wanted:
        return
    out = Path(request.out)
    out.mkdir(parents=True, exist_ok=True)
    with interruptible() as interrupted, locked(out):
        stacks = [_Kept(out, part, request.device) for part in _parts(wanted)]
        if not _train(stacks, request, interrupted):
            raise KeyboardInterrupt
    for stack in stacks:
        stack.finish()


def _parts(wanted: dict[Path, ValueLearner]) -> list[dict[Path, ValueLearner]]:
    """Return those of each stack."""

    def key(item: tuple[Path, ValueLearner]) -> str:
        return repr(stack_key(item[1]))

    parts = []
    for _, alike in groupby(sorted(wanted.items(), key=key), key):
        members = list(alike)
        parts += [dict(members[first : first + _MOST]) for first in range(0, len(members), _MOST)]
    return parts


def _train(stacks: "Sequence[_Kept]", request: Request, interrupted: Any) -> bool:
    """Train all stacks in turn, each working while the others play; return whether they came to the end."""

    def standing() -> tuple[int, float]:
        made = sum(int(kept.stack.steps.sum()) for kept in stacks)
        return made, sum(kept.stack.share * kept.size for kept in stacks) / sum(kept.size for kept in stacks)

    pace, told, saved = Pace(*standing()), time.monotonic(), time.monotonic()
    running = [kept.stack for kept in stacks if not kept.stack.finished]
    while running:
        for stack in running:
            stack.tick()
        now = time.monotonic()
        if now - told > _TELL_SECONDS:
            speed, left = pace.measure(*standing())
            words = "" if math.isinf(left) else f", about {left / 60:.0f} min left"
            request.note(f"{sum(kept.size for kept in stacks)} trainings at once: {speed:,.0f} updates/s{words}")
            told = now
            running = [stack for stack in running if not stack.finished]
        if interrupted() or now - saved > CHECKPOINT_SECONDS:
            for kept in stacks:
                kept.save()
            saved = time.monotonic()
        if interrupted():
            return False
    return True


class _Kept:
    """A stack, and where its members and its checkpoint are kept."""

    def __init__(self, out: Path, members: dict[Path, ValueLearner], device: str):
        self._members, self.size = members, len(members)
        self.stack = Stack(list(members.values()), device)
        names = "\n".join(str(folder.name) for folder in members)
        self._path = out / f"stack-{zlib.crc32(names.encode()):08x}.safetensors"
        numbered = {f"member {number}": folder.name for number, folder in enumerate(members)}
        self._identity = {**numbered, **identity_of(next(iter(members.values())))}
        if self._path.exists():
            try:
                self.stack.load_state(read_checkpoint(self._path, self._identity))
            except (KeyError, TypeError, ValueError, RuntimeError) as error:
                raise InvalidInput(f"{self._path} does not fit: {error}") from None

    def save(self) -> None:
        write_checkpoint(self._path, self.stack.state(), self._identity)

    def finish(self) -> None:
        """Write every member's network, and forget the checkpoint."""
        self.stack.unload()
        for folder, learner in self._members.items():
            folder.mkdir(parents=True, exist_ok=True)
            notes = {"seed": str(learner.seed), "version": cardgames.__version__}
            save_network(learner.network(), folder / WEIGHTS, notes)
            write_checkpoint(folder / NETWORK, learner.online.tensors(), identity_of(learner))
        self._path.unlink(missing_ok=True)
