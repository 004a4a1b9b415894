"""Runs small enough to be trained to their end in tests, and comparisons of two runs."""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from cardgames.core.game_registry import make
from cardgames.learners.algorithms.algorithm_registry import algorithm
from cardgames.learners.runs import run as runs
from cardgames.learners.runs.run import Run

TINY = {"hidden": "8", "rounds": 30, "evaluate_every": 10, "evaluate_games": 4, "memory": 200, "batch": 4}


def start(folder: Path, name: str = "dqn", seed: int = 1, **changes: object) -> Run:
    game = make("uno", players=2, rules="rlcard", overrides=["hand-size=2"])
    settings = (
        algorithm(name)
        .settings_class()
        .with_changes({**TINY, "target_every": 7, **changes} if "dqn" in name else {**TINY, **changes})
    )
    return Run.start(folder, name, [game], settings, seed, "auto" if "network" in changes else "kernel")


def progress_of(run: Run) -> list[dict[str, float]]:
    """Return the rows of a run's progress without their times."""
    return [row | {"seconds": 0} for row in run._progress_table.read()]


def contents(run: Run) -> dict[str, np.ndarray]:
    """Return weights and checkpoint of a run without its time."""
    state = load_file(run.folder / runs.CHECKPOINT_FILE)
    del state["run/seconds"]
    return state | load_file(run.folder / runs.WEIGHTS_FILE)


def same(first: Run, second: Run) -> bool:
    left, right = contents(first), contents(second)
    return left.keys() == right.keys() and all(np.array_equal(left[name], right[name]) for name in left)


VARIANTS = [
    ("dqn", {}),
    ("ddqn", {"tables": 3, "priority": 0.6, "seats": "all"}),
    (
        "sarsa",
        {
            "train_every": 5,
            "opponents": "reflex+ismcts:simulations=4",
            "evaluate": "mcts:setting=paper,simulations=2",
            "optimizer": "sgd",
        },
    ),
    ("dmc", {"opponents": "random+2*past", "past_every": 5, "past_pool": 2, "seats": "any", "optimizer": "rmsprop"}),
    ("nfsp", {"tables": 3, "seats": "all", "memory_init": 10, "reservoir": 30, "anticipatory": 0.5}),
    ("ddqn-mcts", {"tables": 3, "simulations": 4, "priority": 0.6, "threads": 2}),
    ("dqn", {"network": "rlcard", "memory_init": 20, "opponents": "past", "past_every": 5}),
    ("nfsp", {"network": "rlcard", "memory_init": 10, "reservoir": 30, "anticipatory": 0.5}),
]
