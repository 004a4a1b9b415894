"""Measure start-up in a real terminal: seconds until the first screen, the first possible move, the agent's first answer.

python -m cardgames.bench.experiments.start                     # needs tmux; uses the kernels already compiled
CARDGAMES_CACHE_DIR=$(mktemp -d) python -m cardgames.bench.experiments.start     # the first ever game
"""

import os
import re
import subprocess
import time

SESSION = "cardgames-start"
GAME = "cardgames play uno --vs mcts-dbm --seed 4"
TIMEOUT = 120.0


def tmux(*words: str) -> str:
    """Run the tmux command given by `words` and return its standard output."""
    return subprocess.run(["tmux", *words], capture_output=True, text=True, check=False).stdout


def memory() -> int:
    """Return the resident memory in MB of the game's process in the tmux session (Linux only)."""
    process = tmux("display-message", "-p", "-t", SESSION, "#{pane_pid}").strip()
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) // 1024  # type: ignore[index]


def main() -> None:
    """Start a game in tmux, play one move, and print the seconds and the memory when each step is reached.

    The steps are: the table is painted, a move is possible, the agent has answered.
    """
    cache = os.environ.get("CARDGAMES_CACHE_DIR")
    game = f"exec env {f'CARDGAMES_CACHE_DIR={cache} ' if cache else ''}{GAME}"
    started = time.perf_counter()
    tmux("new-session", "-d", "-s", SESSION, "-x", "110", "-y", "36", game)
    awaited = [("table painted", "─ Table ─"), ("move possible", "Your turn"), ("agent answered", "mcts-dbm 1: ")]
    while awaited and time.perf_counter() - started < TIMEOUT:
        step, words = awaited[0]
        if words in tmux("capture-pane", "-p", "-t", SESSION):
            print(f"{step:16} {time.perf_counter() - started:6.2f} s   {memory()} MB", flush=True)
            awaited.pop(0)
            if step == "move possible":
                tmux("send-keys", "-t", SESSION, "d")
        time.sleep(0.03)
    tmux("kill-session", "-t", SESSION)


if __name__ == "__main__":
    main()
