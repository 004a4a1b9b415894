"""Running a script in a process of its own, as what is kept between processes needs."""

import os
import re
import subprocess
import sys
from pathlib import Path


def run(script: str, folder: Path, cache: Path | None = None, warning: str | None = None) -> list[str]:
    """Run `script` in a new process that imports `cardgames` from `folder`; return the words it printed. It must warn of
    `warning`, or of nothing.
    """
    env = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    if cache:
        env["CARDGAMES_CACHE_DIR"] = str(cache)
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    warned = re.findall(r"\w*Warning: (.*)", done.stderr)
    assert warned == ([] if warning is None else [warning]), "once, and nothing else"
    return done.stdout.split()
