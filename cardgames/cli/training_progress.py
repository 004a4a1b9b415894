"""Progress display of the command `train`: a progress bar in a terminal, lines of text without one."""

import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardgames.learners.runs.run import Progress

_STEPS, _WIDTH = 1000, 24
_STOPPING = b"\r\nstopping after this step; press Ctrl-C again to stop at once, without a checkpoint\r\n"
PREPARING = "preparing the first rounds; kernels that never ran on this machine are compiled first"


def _line(progress: "Progress") -> str:
    """Return a line of text with the rounds and decisions played so far in the training, and the latest evaluations."""
    evaluations = "; ".join(str(evaluation) for evaluation in progress.evaluations)
    return f"{progress.rounds:>9,} rounds, {progress.decisions:>11,} decisions: {evaluations}"


def _speed(progress: "Progress") -> str:
    seconds_left = "" if math.isinf(progress.seconds_left) else f", about {_time(progress.seconds_left)} left"
    return f"{progress.decisions_per_second:,.0f} decisions/s{seconds_left}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


def announce_stop() -> None:
    """Print, if there is a terminal, that the training stops after the present step.

    Called inside a signal handler, where Python's streams may be in use: it writes to the file descriptor, and raises
    nothing.
    """
    with suppress(OSError, ValueError, AttributeError):
        if sys.stdout.isatty():
            os.write(sys.stdout.fileno(), _STOPPING)


@contextmanager
def show_progress(fraction_done: float) -> Iterator[Callable[["Progress"], None]]:
    """Yield a function to call with each `Progress`: it prints evaluations as lines and, in a terminal, updates a bar.

    Args:
        fraction_done: Share of the training that is already done, in [0, 1].
    """
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
                return  # the first evaluation is being compiled: keep the message of preparation
            activity_text = (
                _speed(progress)
                if progress.evaluation_progress is None
                else f"evaluating, {progress.evaluation_progress:.0%}"
            )
            bars.update(
                task,
                completed=progress.fraction_done * _STEPS,
                description=f"{progress.rounds:,} rounds, {activity_text}",
            )

        yield update_bars
