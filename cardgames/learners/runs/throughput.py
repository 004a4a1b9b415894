"""How fast a training goes, and how long it will."""

import math
import time
from collections import deque

_LATELY = 60.0
"""Seconds looked back on: what is compiled in the first ones is soon out of sight, and a few evaluations are in it."""


class Pace:
    """Measures a training by where it stood lately."""

    def __init__(self, decisions: int, share: float):
        """Begin where the training stands: after so many of the learner's decisions, with this share of it done."""
        self._marks = deque([(time.perf_counter(), decisions, share)])

    def measure(self, decisions: int, share: float) -> tuple[float, float]:
        """Return decisions a second, and the seconds until all is done (infinite before that can be told)."""
        now = time.perf_counter()
        self._marks.append((now, decisions, share))
        while now - self._marks[1][0] > _LATELY:
            self._marks.popleft()
        then, decided, done = self._marks[0]
        passed = max(now - then, 1e-9)
        left = passed / (share - done) * (1 - share) if share > done else math.inf
        return (decisions - decided) / passed, left
