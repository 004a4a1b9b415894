"""Random number generator for kernels: splitmix64, whose state is one 64-bit word.

A random stream is any record with a uint64 field `rng`: the state record of a game, or a record made by `stream`.
Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014, figure 17.
"""

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type
from cardgames.support.errors import check_integer_in

STREAM = record_type(__name__, "STREAM", [("rng", "u8")])
"""Dtype of a random stream alone."""

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)


@njit
def mix(word):
    """Return a hash of a 64-bit word; similar words give unrelated ones."""
    word = (word ^ (word >> np.uint64(30))) * _MIX1
    word = (word ^ (word >> np.uint64(27))) * _MIX2
    return word ^ (word >> np.uint64(31))


@njit
def next_word(stream):
    """Advance `stream` and return 64 random bits."""
    stream.rng = np.uint64(stream.rng + _GAMMA)
    return mix(stream.rng)


@njit
def below(stream, n):
    """Return a random integer in [0, n), n < 2^32; the bias is below n / 2^32."""
    return np.int64(((next_word(stream) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit
def uniform(stream):
    """Return a random float in [0, 1)."""
    return np.float64(next_word(stream) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


def check_seed(number: object) -> int:
    """Return a seed as an int. Raises `InvalidInput` if it is not a whole number in [0, 2**64)."""
    return check_integer_in("a seed", number, 0, 2**64 - 1)


def derive(*numbers: int) -> int:
    """Derive a 64-bit seed from several numbers and their order.

    Zeros at the end make no difference, and a number from 2**32 on counts as two numbers, the lower 32 bits first.

    Args:
        *numbers: Whole numbers in [0, 2**64).

    Raises:
        InvalidInput: If a number is not in this range.
    """
    entropy = [check_seed(number) for number in numbers]
    return int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0])


def stream(seed: int) -> Any:
    """Return a new random stream (a record with the field `rng`). Raises `InvalidInput` for an invalid seed."""
    record = np.zeros(1, STREAM)
    record["rng"] = np.uint64(check_seed(seed))
    return record[0]


def streams(seed: int, number: int) -> NDArray[Any]:
    """Return an array of independent random streams (`STREAM` [number]). Raises `InvalidInput` for an invalid seed."""
    array = np.zeros(number, STREAM)
    array["rng"] = [derive(seed, k) for k in range(number)]
    return array


def decision_stream(seed: int, observation_bytes: bytes) -> Any:
    """Return the random stream of a decision, which depends on a seed and on `Observation.to_bytes()`."""
    return stream(derive(seed, zlib.crc32(observation_bytes)))
