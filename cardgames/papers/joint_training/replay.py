"""Replay buffers of learners that are trained at once on a GPU: one ring buffer for each learner, all in one tensor.

A decision is one row of bytes, so that a GPU reads a batch in one operation. Otherwise the buffers work like `Replay`, the
replay buffer of a single learner.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.masks import num_words
from cardgames.kernels.rng import below
from cardgames.learners.memory.replay_buffer import updates_due
from cardgames.papers.joint_training.network import FIRST_BETA, SECOND_BETA

_WORD = 8
"""Bytes in a 64-bit word. Rows are sent to the device as int64; the aligned dtype `row_type` is a whole number of words."""


def row_type(inputs: int, words: int) -> "np.dtype[np.void]":
    """Return the dtype of a stored decision, one row of the replay buffer.

    The field `legal` is a bit mask of the legal actions (`kernels.masks`), and `last` is above 0 for the last decision of a
    round.

    Args:
        inputs: Length of the encoded observation.
        words: Number of 64-bit words in the mask.
    """
    observation = ("observation", "i1", (inputs,))
    parts: list[Any] = [("legal", "u8", (words,)), ("action", "i8"), ("reward", "f4"), ("last", "i4"), observation]
    return np.dtype(parts, align=True)


class Schedule(NamedTuple):
    """Learning rates of the members of a stack, and the numbers of decisions and updates at which they are updated."""

    rates: NDArray[np.float64]
    """[members] learning rates."""
    memory_init: NDArray[np.int64]
    """[members] number of stored decisions before the first update."""
    train_every: int
    """Number of decisions between two updates of a network."""
    target_every: NDArray[np.int64]
    """[members] number of updates between two copies of the online network to the target network."""


@njit
def move_rounds(staged, first, written, num_decisions, capacity, fresh, rows):
    """Copy the decisions of finished rounds from a staging ring buffer to the arrays that are sent to the device.

    Only whole rounds are copied, as many as fit. Returns the number of decisions copied so far, the next call's `first`.

    Args:
        staged: Columns of the staging ring; the last column has the index of the member of each decision.
        first: Number of decisions already copied.
        written: Number of decisions written to the staging ring.
        num_decisions: [members] number of decisions copied for each member; increased here.
        capacity: Capacity of a member's ring in the `StackedReplay`.
        fresh: Columns of the arrays to fill, in the order of the fields of `row_type`.
        rows: Filled with the row index in the `StackedReplay` for each decision, and after them with the discard row.
    """
    observations, legal, actions, rewards, last, _, members = staged
    fresh_legal, fresh_actions, fresh_rewards, fresh_last, fresh_observations = fresh
    end = min(written, first + len(rows))
    while end > first and not last[(end - 1) % len(last)]:
        end -= 1
    rows[:] = len(num_decisions) * capacity
    for i in range(end - first):
        row = (first + i) % len(last)
        member = np.int64(members[row, 0])
        copy_row(fresh_observations[i], observations[row])
        copy_row(fresh_legal[i], legal[row])
        fresh_actions[i], fresh_rewards[i], fresh_last[i] = actions[row], rewards[row], last[row]
        rows[i] = member * capacity + num_decisions[member] % capacity
        num_decisions[member] += 1
    return end


@njit
def draw_batches(streams, num_decisions, capacity, schedule, steps, batch):
    """Draw a uniform batch of stored decisions for every member with an update due, and count the update.

    Args:
        streams: [members] random streams.
        num_decisions: [members] number of decisions stored so far.
        capacity: Capacity of a member's ring.
        schedule: A `Schedule`.
        steps: [members] number of updates so far; increased by 1 for members with an update due.
        batch: Arrays to fill: row indices of the decisions and of the decisions that follow them [2, members, batch], then
            `rates`, `roots` and `moving` of `StackedNetwork.step` (each [members, 1]).

    Returns:
        True if, after this update, the online network of a member must be copied to its target network.
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
    """Stored decisions as one tensor for each field of `row_type`."""

    observation: Any
    """Encoded observation (int8 [..., inputs])."""
    legal: Any
    """Mask of the legal actions (int64 [..., words], see `kernels.masks`)."""
    action: Any
    """Chosen action (int64 [..., 1])."""
    reward: Any
    """Reward of the action (float32 [..., 1])."""
    last: Any
    """Above 0 for the last decision of a round (int32 [..., 1])."""


_TORCH_DTYPES = {"observation": "int8", "legal": "int64", "action": "int64", "reward": "float32", "last": "int32"}
"""Field of `row_type`, the dtype of a stored decision -> name of the torch dtype of its column."""


class StackedReplay:
    """Replay buffers of all members on the device: a ring of `capacity` rows for each, then one row that is never read."""

    def __init__(self, torch: Any, members: int, capacity: int, inputs: int, outputs: int, device: str):
        self._torch, self.capacity = torch, capacity
        self.dtype = row_type(inputs, num_words(outputs))
        self.discard_row = members * capacity
        """Index of the last row, to which unused elements of a write go."""
        self.width = self.dtype.itemsize // _WORD
        """Number of 64-bit words in a row."""
        self._rows = torch.zeros((self.discard_row + 1, self.width), dtype=torch.int64, device=device)

    def write(self, rows: Any, decisions: Any) -> None:
        """Write `decisions` (int64 [n, words of a row]) to the rows with the indices `rows` (int64 [n])."""
        self._rows.index_copy_(0, rows, decisions)

    def read(self, rows: Any) -> DecisionColumns:
        """Return the decisions in the rows with the indices `rows` (int64 [...])."""
        decisions = self._rows[rows].view(self._torch.uint8)
        return DecisionColumns(**{name: self._column(decisions, name, dtype) for name, dtype in _TORCH_DTYPES.items()})

    def rows(self) -> NDArray[np.void]:
        """Return all stored decisions as an array of records of the dtype `row_type`, for a checkpoint."""
        records: NDArray[np.void] = self._rows.cpu().numpy().view(self.dtype)[:, 0]
        return records

    def load_rows(self, rows: NDArray[np.void]) -> None:
        """Restore all stored decisions from an array that `rows` returned."""
        self._rows.copy_(self._torch.from_numpy(rows.view(np.int64).reshape(self._rows.shape)))

    def _column(self, decisions: Any, name: str, dtype: str) -> Any:
        """Return a view of one field of `decisions` (uint8 [..., bytes of a row]) with the given torch dtype."""
        part, first = self.dtype.fields[name][:2]  # type: ignore[index]
        return decisions[..., first : first + part.itemsize].view(getattr(self._torch, dtype))
