"""Transposition table of the exact solver: bounds on the values of states that it has searched, by the states' hashes.

The table is an array of entries in buckets of four. A new entry replaces the one of its bucket that took the least work
to compute, so a table of any size can be used for a search of any size, and for many searches one after the other.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.bits import NONE
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type

ENTRY = record_type(
    __name__,
    "ENTRY",
    [
        ("key", "u8"),  # hash of the state; 0: the entry is empty
        ("lower", "f8"),  # the value of the state is at least this
        ("upper", "f8"),  # and at most this
        ("unresolved", "f8"),  # a target that the value could be proved neither to reach nor to miss, NaN for none
        ("unresolved_depth", "i4"),  # number of further decisions that the search for this target looked ahead
        ("action", "i4"),  # best action known, -1 for none
        ("work", "i8"),  # number of nodes searched for these bounds
    ],
    align=True,
)
"""Dtype of an entry. Bounds are the values of the searching player's side."""

BUCKET = 4
MISSING = np.int64(-1)
"""Returned by `find` if the table has no entry for a state."""


def new_table(entries: int) -> NDArray[Any]:
    """Return an empty table with room for `entries` states, rounded up to a power of two (48 bytes for each)."""
    size = max(BUCKET, 1 << (entries - 1).bit_length())
    # zeros as bytes, since those of a record dtype would be written one by one, and take 10 ms for a million
    return np.zeros(size * ENTRY.itemsize, np.uint8).view(ENTRY)


@njit
def copy_entries(source, target):
    """Add all entries of the table `source` to the table `target`."""
    for i in range(len(source)):
        if source[i].key != NONE:
            copy_record(target[slot_for(target, source[i].key)], source[i])


@njit
def _bucket_of(table, key):
    """Return the index of the first entry of the bucket in which a key belongs."""
    return np.int64(key & np.uint64(len(table) - 1)) & ~(BUCKET - 1)


@njit
def find(table, key):
    """Return the index of the entry with this key, `MISSING` if there is none or the key is 0 (a state without a hash)."""
    if key == NONE:
        return MISSING
    first = _bucket_of(table, key)
    for i in range(first, first + BUCKET):
        if table[i].key == key:
            return np.int64(i)
    return MISSING


@njit
def slot_for(table, key):
    """Return the index of the entry with this key or, if there is none, of an entry of its bucket, emptied for it.

    The key must not be 0.
    """
    first = _bucket_of(table, key)
    slot = first
    for i in range(first, first + BUCKET):
        if table[i].key == key:
            return np.int64(i)
        if table[i].work < table[slot].work:
            slot = i
    entry = table[slot]
    entry.key, entry.work, entry.action = key, 0, -1
    entry.lower, entry.upper = -np.inf, np.inf
    entry.unresolved, entry.unresolved_depth = np.nan, 0
    return np.int64(slot)
