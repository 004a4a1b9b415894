"""Description of the machine in words, for results that depend on its speed."""

import os
import platform
from pathlib import Path


def describe_machine() -> str:
    """Return processor, number of cores and operating system, such as `AMD EPYC, 2 cores, Linux`.

    If the name of the processor is unknown, its architecture stands in its place.
    """
    cores = os.cpu_count() or 1
    return f"{_processor()}, {cores} core{'s' * (cores > 1)}, {platform.system()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:  # not Linux
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(filter(None, names), platform.processor() or platform.machine())
