"""How a training goes: a bar in a terminal, lines elsewhere."""

import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardgames.learners.runs.run import Progress

_STEPS, _WIDTH = 1000, 24
_STOPPING = b"\r\nstopping when this step is over; Ctrl-C again stops at once, without a checkpoint\r\n"
PREPARING = "preparing the first rounds; what was never run before is compiled first"


def _line(progress: "Progress") -> str:
    """Return an evaluation in one line."""
    found = "; ".join(str(evaluation) for evaluation in progress.evaluations)
    return f"{progress.rounds:>9,} rounds, {progress.decisions:>11,} decisions: {found}"


def _speed(progress: "Progress") -> str:
    seconds_left = "" if math.isinf(progress.seconds_left) else f", about {_time(progress.seconds_left)} left"
    return f"{progress.decisions_per_second:,.0f} decisions/s{seconds_left}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


def announce_stop() -> None:
    """Say in a terminal that a signal to end has come. In the midst of anything: Python's own streams might be writing, and
    nothing may be raised.
    """
    with suppress(OSError, ValueError, AttributeError):
        if sys.stdout.isatty():
            os.write(sys.stdout.fileno(), _STOPPING)


@contextmanager
def show_progress(fraction_done: float) -> Iterator[Callable[["Progress"], None]]:
    """Give a function that shows progress: evaluations as lines, and in a terminal a bar below them."""
    if not sys.stdout.isatty():
        print(PREPARING, file=sys.stderr, flush=True)

        def print_progress(progress: "Progress") -> None:
            if progress.just_evaluated:
                print(_line(progress) + (f" ({_speed(progress)})" if progress.decisions_per_second else ""), flush=True)

        yield print_progress
        return
    from rich.progress import BarColumn, TaskProgressColumn
    from rich.progress import Progress as Bars

    from cardgames.cli.progress_column import ActivityColumn

    activity = ActivityColumn()
    with Bars(BarColumn(_WIDTH), TaskProgressColumn(), activity, transient=True) as bars:
        task = bars.add_task(PREPARING, total=_STEPS, completed=round(fraction_done * _STEPS))

        def update_bars(progress: "Progress") -> None:
            activity.reset_timer()
            if progress.just_evaluated:
                bars.console.print(_line(progress), highlight=False, markup=False)
            if progress.evaluation_progress == 0 and not progress.evaluations:
                return  # the first one, for which everything is compiled
            doing = (
                _speed(progress)
                if progress.evaluation_progress is None
                else f"evaluating, {progress.evaluation_progress:.0%}"
            )
            bars.update(
                task, completed=progress.fraction_done * _STEPS, description=f"{progress.rounds:,} rounds, {doing}"
            )

        yield update_bars
