"""How fast a training goes, and how long it will."""

import math
import time
from collections import deque

_WINDOW_SECONDS = 60.0
"""Seconds looked back on: what is compiled in the first ones is soon out of sight, and a few evaluations are in it."""


class Throughput:
    """Measures a training by where it stood lately."""

    def __init__(self, decisions: int, fraction_done: float):
        """Begin where the training stands: after so many of the learner's decisions, with this share of it done."""
        self._samples = deque([(time.perf_counter(), decisions, fraction_done)])

    def measure(self, decisions: int, fraction_done: float) -> tuple[float, float]:
        """Return decisions a second, and the seconds until all is done (infinite before that can be told)."""
        now = time.perf_counter()
        self._samples.append((now, decisions, fraction_done))
        while now - self._samples[1][0] > _WINDOW_SECONDS:
            self._samples.popleft()
        then, decided, done = self._samples[0]
        elapsed = max(now - then, 1e-9)
        seconds_left = elapsed / (fraction_done - done) * (1 - fraction_done) if fraction_done > done else math.inf
        return (decisions - decided) / elapsed, seconds_left
