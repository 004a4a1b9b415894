"""What makes a training so short that a test sees its end."""

TINY = ["--rules", "rlcard", "--rule", "hand-size=2", "--device", "kernel", "--set", "hidden=8"]
TINY += [f"--set={change}" for change in ("rounds=20", "evaluate_every=10", "evaluate_games=4", "batch=4")]
