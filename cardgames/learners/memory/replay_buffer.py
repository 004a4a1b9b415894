"""What a learner remembers: decisions in the order they were taken, round by round, in arrays allocated once.

The decisions of one seat in one round lie one after the other, the last marked as such, so what came next stands in
the next row and is stored once. Rows are overwritten oldest first, from the beginning of a round on: what is left of a round
keeps its end.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core.symmetry import Symmetries
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.masks import num_words
from cardgames.learners.memory.augmentation import apply_random_symmetries
from cardgames.learners.memory.batch_sampling import fill_below
from cardgames.learners.memory.memory import Memory
from cardgames.support.errors import InvalidInput


@njit
def gather(rows, columns, batch):
    """Copy the decisions at `rows` of a replay's `columns`, and what came next, into those of a `batch`."""
    observations, legal, actions, rewards, last, returns, remarks = columns
    seen, could, taken, rewarded, ended, returned, remarked, seen_next, legal_next, taken_next = batch
    capacity = len(actions)
    for i in range(len(rows)):
        row = rows[i]
        following = (row + 1) % capacity
        copy_row(seen[i], observations[row])
        copy_row(could[i], legal[row])
        copy_row(remarked[i], remarks[row])
        taken[i], rewarded[i], ended[i], returned[i] = actions[row], rewards[row], last[row], returns[row]
        copy_row(seen_next[i], observations[following])
        copy_row(legal_next[i], legal[following])
        taken_next[i] = actions[following]


@njit
def updates_due(written, memory_init, train_every):
    """Return how many updates are to be made once so many decisions were written: the first after `memory_init`, then one
    every `train_every`; none yet where that is no more than 0.
    """
    return (written - memory_init) // train_every + 1


@dataclass
class Batch:
    """Some decisions; the arrays are overwritten when the next batch is drawn."""

    observations: NDArray[np.int8]
    """[n, inputs]"""
    legal: NDArray[np.uint64]
    """[n, words] (`kernels.masks`)"""
    actions: NDArray[np.int64]
    """[n]"""
    rewards: NDArray[np.float32]
    """[n] what came in until the same seat decided again."""
    last: NDArray[np.bool_]
    """[n] the round ended before that; what the three arrays of what came next say then has no meaning."""
    returns: NDArray[np.float32]
    """[n] the discounted sum of the rewards from here to the end of the round."""
    remarks: NDArray[np.float32]
    """[n, remarks] what the learner noted beside each."""
    next_observations: NDArray[np.int8]
    """[n, inputs]"""
    next_legal: NDArray[np.uint64]
    """[n, words]"""
    next_actions: NDArray[np.int64]
    """[n]"""
    rows: NDArray[np.int64]
    """[n] where in the replay."""
    weights: NDArray[np.float32]
    """[n] by which each one's loss is to be multiplied."""

    @cached_property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """What is copied from a replay, as kernels take it: all but `rows` and `weights`."""
        return tuple(getattr(self, field.name) for field in fields(self)[:-2])


def _batch(n: int, inputs: int, words: int, remarks: int) -> Batch:
    seen, taken, real = (n, inputs), np.int64, np.float32
    return Batch(
        np.zeros(seen, np.int8),
        np.zeros((n, words), np.uint64),
        np.zeros(n, taken),
        np.zeros(n, real),
        np.zeros(n, np.bool_),
        np.zeros(n, real),
        np.zeros((n, remarks), real),
        np.zeros(seen, np.int8),
        np.zeros((n, words), np.uint64),
        np.zeros(n, taken),
        np.zeros(n, np.int64),
        np.ones(n, real),
    )


class Replay(Memory):
    """The last `capacity` decisions; batches are drawn uniformly, with replacement.

    Beside each there is room for so many numbers (`remarks`) of the learner's own. With `symmetries` what came next is seen
    as the decision is.
    """

    column_names = *Memory.column_names, "rewards", "last", "returns", "remarks"

    def __init__(
        self,
        capacity: int,
        inputs: int,
        actions: int,
        seed: int = 0,
        *,
        remarks: int = 0,
        symmetries: Symmetries | None = None,
    ):
        """`inputs` are those of the encoding, `actions` the network's outputs. Raises `InvalidInput`."""
        super().__init__(capacity, inputs, actions, seed, symmetries=symmetries)
        self.rewards = np.zeros(capacity, np.float32)
        """[capacity] what it was paid until it decided again, or the round ended."""
        self.last = np.zeros(capacity, np.bool_)
        """[capacity] whether that was its last decision of the round; if not, the next row is its next."""
        self.returns = np.zeros(capacity, np.float32)
        """[capacity] the discounted sum of its rewards from there on."""
        self.remarks = np.zeros((capacity, remarks), np.float32)
        """[capacity, remarks] what the learner noted beside it."""
        self._batch = _batch(0, inputs, num_words(actions), remarks)

    @property
    def written(self) -> int:
        """How many decisions were ever written."""
        return int(self.cursor[0])

    def sample(self, n: int) -> Batch:
        """Return `n` decisions drawn from those remembered. Raises `InvalidInput` if there are none."""
        if not len(self):
            raise InvalidInput("the memory is empty")
        batch = self._resized_batch(n)
        self._sample_rows(batch)
        gather(batch.rows, self.columns, batch.columns)
        apply_random_symmetries(
            self._symmetries,
            self.stream,
            n,
            inputs=[batch.observations, batch.next_observations],
            action_sets=[batch.legal, batch.next_legal],
            actions=[batch.actions, batch.next_actions],
        )
        return batch

    def prioritize_new(self) -> None:
        """Take note of decisions that were written since the last call."""

    def update_priorities(self, batch: Batch, errors: NDArray[np.float32]) -> None:
        """Take note of how far the outputs for a batch were from their targets (float32 [n])."""

    def _resized_batch(self, n: int) -> Batch:
        if len(self._batch.rows) != n:
            widths = self.observations.shape[1], self.legal.shape[1], self.remarks.shape[1]
            self._batch = _batch(n, *widths)
        return self._batch

    def _sample_rows(self, batch: Batch) -> None:
        fill_below(self.stream, len(self), batch.rows)
