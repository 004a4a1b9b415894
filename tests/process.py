"""Helper that runs a script in a new process, to test what is cached between processes."""

import os
import re
import subprocess
import sys
from pathlib import Path


def run(script: str, folder: Path, cache: Path | None = None, warning: str | None = None) -> list[str]:
    """Run a script in a new process and return the words that it prints.

    Args:
        script: Python code.
        folder: Folder from which it imports `cardgames`.
        cache: Folder of the compile cache, None for the usual one.
        warning: The only warning that the script must give, None for no warning.
    """
    env = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    if cache:
        env["CARDGAMES_CACHE_DIR"] = str(cache)
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    warned = re.findall(r"\w*Warning: (.*)", done.stderr)
    assert warned == ([] if warning is None else [warning]), "another warning, or more than one"
    return done.stdout.split()
