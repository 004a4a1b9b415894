"""Options of `cardgames train` for a tiny network and a training of 20 rounds."""

TINY = ["--rules", "rlcard", "--rule", "hand-size=2", "--device", "kernel", "--set", "hidden=8"]
TINY += [f"--set={change}" for change in ("rounds=20", "evaluate_every=10", "evaluate_games=4", "batch=4")]
