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
"""Dtype of a random stream: a record with the only field `rng` (uint64)."""

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)


@njit
def mix(word):
    """Return a 64-bit hash of a 64-bit number (the output function of splitmix64); similar numbers give unrelated hashes."""
    word = (word ^ (word >> np.uint64(30))) * _MIX1
    word = (word ^ (word >> np.uint64(27))) * _MIX2
    return word ^ (word >> np.uint64(31))


@njit
def next_word(stream):
    """Advance the random stream and return 64 random bits (uint64)."""
    stream.rng = np.uint64(stream.rng + _GAMMA)
    return mix(stream.rng)


@njit
def below(stream, n):
    """Draw an integer in [0, n) from a random stream, n < 2^32; it is uniform up to a relative bias below n / 2^32."""
    return np.int64(((next_word(stream) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit
def uniform(stream):
    """Draw a float64 from a random stream, uniform in [0, 1)."""
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
    """Return `number` independent random streams as an array (dtype `STREAM`); stream k depends on `seed` and k.

    Raises `InvalidInput` for an invalid seed.
    """
    array = np.zeros(number, STREAM)
    array["rng"] = [derive(seed, k) for k in range(number)]
    return array


def decision_stream(seed: int, observation_bytes: bytes) -> Any:
    """Return a random stream for one decision, derived from a seed and a hash of `Observation.to_bytes()`."""
    return stream(derive(seed, zlib.crc32(observation_bytes)))
