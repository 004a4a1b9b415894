"""What every benchmark needs: the best of several times, and a result as `cardgames bench` prints it."""

import time
from collections.abc import Callable
from typing import Any

Result = dict[str, Any]
"""`name`, `value`, `unit`, `peers` (name -> value), `note`."""


def best(run: Callable[[], Any], repetitions: int = 7) -> tuple[float, Any]:
    """Return the shortest time in seconds, and what `run` returned."""
    times = []
    found = run()
    for _ in range(repetitions):
        started = time.perf_counter()
        found = run()
        times.append(time.perf_counter() - started)
    return min(times), found


def peers_of(**figures: float | None) -> dict[str, float]:
    """Return the figures there are, by the names of their peers, underscores as spaces."""
    return {name.replace("_", " "): round(value, 3) for name, value in figures.items() if value is not None}


def result(name: str, value: float, unit: str, peers: dict[str, float], note: str = "") -> Result:
    """Return one figure."""
    return {"name": name, "value": round(value, 3), "unit": unit, "peers": peers, "note": note}
