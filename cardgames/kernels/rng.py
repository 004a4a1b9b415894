"""One small random stream for kernels: splitmix64, its whole state one 64-bit word.

A stream is anything with a uint64 field `rng`: a game's state record, or a one-element record made by `stream`.
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

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)


@njit
def mix(word):
    """Scramble a 64-bit word: equal inputs give equal outputs, near inputs give unrelated ones."""
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
    """Return a seed. Raises `InvalidInput` for what is no whole number of 64 bits."""
    return check_integer_in("a seed", number, 0, 2**64 - 1)


def derive(*numbers: int) -> int:
    """Return a 64-bit seed that depends on all `numbers` and their order, though not on zeros at the end; a number from 2^32
    on counts as two, its lower half first. Raises `InvalidInput` for what is no whole number of 64 bits.
    """
    entropy = [check_seed(number) for number in numbers]
    return int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0])


def stream(seed: int) -> Any:
    """Return a new random stream (a record with the field `rng`) that starts at `seed`. Raises `InvalidInput`."""
    record = np.zeros(1, STREAM)
    record["rng"] = np.uint64(check_seed(seed))
    return record[0]


def streams(seed: int, number: int) -> NDArray[Any]:
    """Return so many random streams (STREAM [number]), each of its own. Raises `InvalidInput`."""
    found = np.zeros(number, STREAM)
    found["rng"] = [derive(seed, k) for k in range(number)]
    return found


def decision_stream(seed: int, observation_bytes: bytes) -> Any:
    """Return the random stream of a decision, the same for the same seed and what was seen."""
    return stream(derive(seed, zlib.crc32(observation_bytes)))
