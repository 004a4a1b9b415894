"""How long a person waits for the first screen, the first move and the agent's first answer, in a real terminal.

python -m cardgames.bench.experiments.start                     # needs tmux; uses the kernels already compiled
CARDGAMES_CACHE_DIR=$(mktemp -d) python -m cardgames.bench.experiments.start     # the first ever game
"""

import os
import re
import subprocess
import time

SESSION = "cardgames-start"
GAME = "cardgames play uno --vs mcts-dbm --seed 4"
PATIENCE = 120.0


def tmux(*words: str) -> str:
    """Run one tmux command and return what it prints."""
    return subprocess.run(["tmux", *words], capture_output=True, text=True, check=False).stdout


def memory() -> int:
    """Return the resident memory of the game's process in MB (Linux)."""
    process = tmux("display-message", "-p", "-t", SESSION, "#{pane_pid}").strip()
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) // 1024  # type: ignore[index]


def main() -> None:
    """Play one move and print when what was seen."""
    cache = os.environ.get("CARDGAMES_CACHE_DIR")
    game = f"exec env {f'CARDGAMES_CACHE_DIR={cache} ' if cache else ''}{GAME}"
    started = time.perf_counter()
    tmux("new-session", "-d", "-s", SESSION, "-x", "110", "-y", "36", game)
    awaited = [("table painted", "─ Table ─"), ("move possible", "Your turn"), ("agent answered", "mcts-dbm 1: ")]
    while awaited and time.perf_counter() - started < PATIENCE:
        what, words = awaited[0]
        if words in tmux("capture-pane", "-p", "-t", SESSION):
            print(f"{what:16} {time.perf_counter() - started:6.2f} s   {memory()} MB", flush=True)
            awaited.pop(0)
            if what == "move possible":
                tmux("send-keys", "-t", SESSION, "d")
        time.sleep(0.03)
    tmux("kill-session", "-t", SESSION)


if __name__ == "__main__":
    main()
