"""Throughput of a training: decisions per second, and the time left."""

import math
import time
from collections import deque

_WINDOW_SECONDS = 60.0
"""Length of the period that is averaged over, in seconds.

It is long enough for a few evaluations, and short enough to drop the time of compilation soon.
"""


class Throughput:
    """Throughput of a training: decisions per second over the last `_WINDOW_SECONDS`."""

    def __init__(self, decisions: int, fraction_done: float):
        """Start to measure, when the learner has taken `decisions` decisions and `fraction_done` of the training is done."""
        self._samples = deque([(time.perf_counter(), decisions, fraction_done)])

    def measure(self, decisions: int, fraction_done: float) -> tuple[float, float]:
        """Return decisions per second, and the seconds until the training is done (infinite while unknown)."""
        now = time.perf_counter()
        self._samples.append((now, decisions, fraction_done))
        while now - self._samples[1][0] > _WINDOW_SECONDS:
            self._samples.popleft()
        start, decisions_then, fraction_then = self._samples[0]
        elapsed = max(now - start, 1e-9)
        seconds_left = (
            elapsed / (fraction_done - fraction_then) * (1 - fraction_done)
            if fraction_done > fraction_then
            else math.inf
        )
        return (decisions - decisions_then) / elapsed, seconds_left
