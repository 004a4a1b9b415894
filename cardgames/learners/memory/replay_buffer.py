"""Replay buffer: a ring buffer of decisions, from which batches are drawn uniformly.

The decisions of one seat in one round are in consecutive rows; the seat's final decision is marked `last`. So the next
state of a decision is in the next row and is stored only once. The oldest rows are overwritten first: of a partly
overwritten round the final decisions remain.
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
from cardgames.learners.memory.memory import Memory
from cardgames.learners.memory.random_indices import fill_below
from cardgames.support.errors import InvalidInput


@njit
def gather(rows, columns, batch):
    """Copy the decisions at `rows` of a replay (`Replay.columns`), and their next states, to a batch (`Batch.columns`)."""
    observations, legal, actions, rewards, last, returns, remarks = columns
    (
        observations_out,
        legal_out,
        actions_out,
        rewards_out,
        last_out,
        returns_out,
        remarks_out,
        next_observations,
        next_legal,
        next_actions,
    ) = batch
    capacity = len(actions)
    for i in range(len(rows)):
        row = rows[i]
        following = (row + 1) % capacity
        copy_row(observations_out[i], observations[row])
        copy_row(legal_out[i], legal[row])
        copy_row(remarks_out[i], remarks[row])
        actions_out[i], rewards_out[i], last_out[i], returns_out[i] = (
            actions[row],
            rewards[row],
            last[row],
            returns[row],
        )
        copy_row(next_observations[i], observations[following])
        copy_row(next_legal[i], legal[following])
        next_actions[i] = actions[following]


@njit
def updates_due(written, memory_init, train_every):
    """Return the total number of updates due once `written` decisions are recorded; 0 or less means none.

    The first update is due at `memory_init` decisions, then one per `train_every` decisions.
    """
    return (written - memory_init) // train_every + 1


@dataclass
class Batch:
    """Batch of decisions with their next states; its arrays are overwritten when the next batch is drawn."""

    observations: NDArray[np.int8]
    """Encoded observations ([n, inputs])."""
    legal: NDArray[np.uint64]
    """Masks of the legal actions ([n, words], `kernels.masks`)."""
    actions: NDArray[np.int64]
    """Actions taken ([n])."""
    rewards: NDArray[np.float32]
    """Rewards until the same seat's next decision ([n])."""
    last: NDArray[np.bool_]
    """True if the round ended before the seat's next decision ([n]); the `next_...` rows are then meaningless."""
    returns: NDArray[np.float32]
    """Discounted sums of the rewards to the end of the round ([n])."""
    remarks: NDArray[np.float32]
    """Extra values the learner stored with each decision ([n, remarks])."""
    next_observations: NDArray[np.int8]
    """Observations at the seat's next decision ([n, inputs])."""
    next_legal: NDArray[np.uint64]
    """Masks of the legal actions at the seat's next decision ([n, words])."""
    next_actions: NDArray[np.int64]
    """Actions taken at the seat's next decision ([n])."""
    rows: NDArray[np.int64]
    """Rows of the replay buffer that the decisions come from ([n])."""
    weights: NDArray[np.float32]
    """Weights of the decisions' losses: importance weights with prioritized replay, else 1 ([n])."""

    @cached_property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """All arrays except `rows` and `weights`, as a tuple for `gather`."""
        return tuple(getattr(self, field.name) for field in fields(self)[:-2])


def _batch(n: int, inputs: int, words: int, remarks: int) -> Batch:
    input_shape, integer, real = (n, inputs), np.int64, np.float32
    return Batch(
        np.zeros(input_shape, np.int8),
        np.zeros((n, words), np.uint64),
        np.zeros(n, integer),
        np.zeros(n, real),
        np.zeros(n, np.bool_),
        np.zeros(n, real),
        np.zeros((n, remarks), real),
        np.zeros(input_shape, np.int8),
        np.zeros((n, words), np.uint64),
        np.zeros(n, integer),
        np.zeros(n, np.int64),
        np.ones(n, real),
    )


class Replay(Memory):
    """Replay buffer of the last `capacity` decisions; batches are drawn uniformly, with replacement.

    With `symmetries`, a random symmetry of the game is applied to each decision of a batch and to its next state.
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
        """Allocate the arrays.

        Args:
            capacity: Greatest number of decisions.
            inputs: Number of inputs of the encoding.
            actions: Number of outputs of the network.
            seed: Seed of the random stream that draws batches.
            remarks: Number of extra values the learner stores with each decision.
            symmetries: Symmetries for data augmentation, or None.

        Raises:
            InvalidInput: The capacity is below 1.
        """
        super().__init__(capacity, inputs, actions, seed, symmetries=symmetries)
        self.rewards = np.zeros(capacity, np.float32)
        """Rewards until the seat's next decision, or the end of the round ([capacity])."""
        self.last = np.zeros(capacity, np.bool_)
        """True for a seat's last decision of a round ([capacity]); else the next row is the seat's next decision."""
        self.returns = np.zeros(capacity, np.float32)
        """Discounted sums of the seat's rewards from this decision to the end of the round ([capacity])."""
        self.remarks = np.zeros((capacity, remarks), np.float32)
        """Extra values that the learner stores with each decision ([capacity, remarks])."""
        self._batch = _batch(0, inputs, num_words(actions), remarks)

    @property
    def written(self) -> int:
        """Number of decisions written so far, including overwritten ones."""
        return int(self.cursor[0])

    def sample(self, n: int) -> Batch:
        """Return a batch of `n` random decisions. Raises `InvalidInput` if the memory is empty."""
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
        """Set the priority of decisions written since the last call; this base class has no priorities and does nothing."""

    def update_priorities(self, batch: Batch, errors: NDArray[np.float32]) -> None:
        """Set priorities of a batch from its errors, Q minus target ([n] float32); does nothing in this base class."""

    def _resized_batch(self, n: int) -> Batch:
        if len(self._batch.rows) != n:
            widths = self.observations.shape[1], self.legal.shape[1], self.remarks.shape[1]
            self._batch = _batch(n, *widths)
        return self._batch

    def _sample_rows(self, batch: Batch) -> None:
        fill_below(self.stream, len(self), batch.rows)
