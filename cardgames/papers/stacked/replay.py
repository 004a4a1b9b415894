"""What several learners remember, on the device they learn on: as `Replay`, a ring for each, one behind the other.

A decision is one row of bytes, so that a GPU fetches a batch in one go.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.masks import num_words
from cardgames.kernels.rng import below
from cardgames.learners.memory.replay_buffer import updates_due
from cardgames.papers.stacked.network import FIRST_BETA, SECOND_BETA

_WORD = 8
"""Bytes. Rows are sent as words; `row_type`, aligned, has a whole number of them."""


def row_type(inputs: int, words: int) -> "np.dtype[np.void]":
    """Return what is remembered of a decision: sets of actions as `kernels.masks` has them, `last` as in `Replay`."""
    seen = ("seen", "i1", (inputs,))
    parts: list[Any] = [("legal", "u8", (words,)), ("action", "i8"), ("reward", "f4"), ("last", "i4"), seen]
    return np.dtype(parts, align=True)


class Schedule(NamedTuple):
    """When the members of a stack learn, and how far they go."""

    rates: NDArray[np.float64]
    """[members] learning rates."""
    memory_init: NDArray[np.int64]
    """[members] decisions remembered before the first update."""
    train_every: int
    """Decisions between updates."""
    target_every: NDArray[np.int64]
    """[members] updates between copies to the target network."""


@njit
def move_rounds(staged, first, written, num_decisions, capacity, fresh, rows):
    """Move rounds from the ring `staged`, in which the decisions `first` up to `written` wait, to `fresh`, whole ones only;
    note in `rows` to which row of a `StackedReplay` each goes (what is behind them goes nowhere), and in `num_decisions` how many
    came to each member. Return how many decisions of the staged ones are taken.
    """
    observations, legal, actions, rewards, last, _, members = staged
    could, did, paid, ended, seen = fresh
    end = min(written, first + len(rows))
    while end > first and not last[(end - 1) % len(last)]:
        end -= 1
    rows[:] = len(num_decisions) * capacity
    for i in range(end - first):
        row = (first + i) % len(last)
        member = np.int64(members[row, 0])
        copy_row(seen[i], observations[row])
        copy_row(could[i], legal[row])
        did[i], paid[i], ended[i] = actions[row], rewards[row], last[row]
        rows[i] = member * capacity + num_decisions[member] % capacity
        num_decisions[member] += 1
    return end


@njit
def draw_batches(streams, num_decisions, capacity, schedule, steps, batch):
    """Draw a batch, and what came next, for every member that is behind with its updates, and count the update.

    Return whether the target network of one is due then.
    """
    rows, rate, root, moving = batch
    renewal = False
    for member in range(len(num_decisions)):
        due = updates_due(num_decisions[member], schedule.memory_init[member], schedule.train_every)
        moving[member, 0] = steps[member] < due
        if not moving[member, 0]:
            continue
        steps[member] += 1
        renewal |= steps[member] % schedule.target_every[member] == 0
        rate[member, 0] = schedule.rates[member] / (1 - FIRST_BETA ** steps[member])
        root[member, 0] = np.sqrt(1 - SECOND_BETA ** steps[member])
        first, n = member * capacity, min(num_decisions[member], capacity)
        for i in range(rows.shape[2]):
            row = below(streams[member], n)
            rows[0, member, i], rows[1, member, i] = first + row, first + (row + 1) % capacity
    return renewal


class DecisionColumns(NamedTuple):
    """Decisions as they lie in memory: the parts of `row_type`."""

    seen: Any
    """What was seen (int8 [..., inputs])."""
    legal: Any
    """What was legal (int64 [..., words], see `kernels.masks`)."""
    action: Any
    """What was done (int64 [..., 1])."""
    reward: Any
    """What came of it (float32 [..., 1])."""
    last: Any
    """Above 0 if the round was over then (int32 [..., 1])."""


_TORCH_DTYPES = {"seen": "int8", "legal": "int64", "action": "int64", "reward": "float32", "last": "int32"}
"""What the parts are in torch."""


class StackedReplay:
    """Rings of `capacity` decisions; the row behind all of them takes what is to be forgotten."""

    def __init__(self, torch: Any, members: int, capacity: int, inputs: int, outputs: int, device: str):
        self._torch, self.capacity = torch, capacity
        self.dtype = row_type(inputs, num_words(outputs))
        self.discard_row = members * capacity
        """The row of what is to be forgotten."""
        self.width = self.dtype.itemsize // _WORD
        """Of a row, in words."""
        self._rows = torch.zeros((self.discard_row + 1, self.width), dtype=torch.int64, device=device)

    def write(self, rows: Any, decisions: Any) -> None:
        """Write `decisions` (int64 [n, words of a row]) to `rows` (int64 [n])."""
        self._rows.index_copy_(0, rows, decisions)

    def read(self, rows: Any) -> DecisionColumns:
        """Return the decisions at `rows` (int64 [...])."""
        found = self._rows[rows].view(self._torch.uint8)
        return DecisionColumns(**{name: self._column(found, name, dtype) for name, dtype in _TORCH_DTYPES.items()})

    def rows(self) -> NDArray[np.void]:
        """Return all rows as plain records."""
        found: NDArray[np.void] = self._rows.cpu().numpy().view(self.dtype)[:, 0]
        return found

    def load_rows(self, rows: NDArray[np.void]) -> None:
        """Go on from what `rows` returned."""
        self._rows.copy_(self._torch.from_numpy(rows.view(np.int64).reshape(self._rows.shape)))

    def _column(self, decisions: Any, name: str, dtype: str) -> Any:
        """Return one part of rows (uint8 [..., bytes]), seen as torch's `dtype`."""
        part, first = self.dtype.fields[name][:2]  # type: ignore[index]
        return decisions[..., first : first + part.itemsize].view(getattr(self._torch, dtype))
