"""Learning curves of learners that are trained at once in a stack: evaluations during the training, as in a single run."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.learners.runs.evaluation import evaluate_all, next_evaluation
from cardgames.learners.runs.run import PROGRESS_FILE
from cardgames.learners.runs.run_files import ProgressTable, make_folder
from cardgames.papers.joint_training.stack import Stack
from cardgames.papers.trained_player import NETWORK_FILE
from cardgames.support.errors import InvalidInput
from cardgames.support.state_dict import Arrays


class StackedCurves:
    """Evaluations of all learners of a stack during the training, written to the progress table in each learner's folder."""

    def __init__(self, stack: Stack, folders: Sequence[Path]):
        """Start with no evaluations; `folders` has the folder of each member of the stack, in the same order."""
        self._stack, self._tables = stack, [ProgressTable(folder / PROGRESS_FILE) for folder in folders]
        self._every = np.array([learner.settings.evaluate_every for learner in stack.learners])
        self._evaluated = np.full(len(folders), -1, np.int64)
        """[members] number of rounds at the last evaluation; -1 before the first."""
        self._rows: list[list[dict[str, float]]] = [[] for _ in folders]
        """[members] rows of each member's progress table, one for each evaluation."""
        self._diverged = np.zeros(len(folders), np.bool_)
        """[members] True if a member's network has weights that are not finite; reported when the training ends."""

    def state(self) -> Arrays:
        """Return the evaluations of all members as an array of bytes (JSON), for a checkpoint.

        The checkpoint holds them because another stack with some of these members may overwrite their progress tables before
        this stack is resumed.
        """
        return {"progress": np.frombuffer(json.dumps(self._rows).encode(), np.uint8)}

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the evaluations that `state` returned.

        Raises `KeyError`, `TypeError` or `ValueError` if they do not fit.
        """
        self._rows = json.loads(state["progress"].tobytes())
        self._evaluated[:] = [rows[-1]["rounds"] if rows else -1 for rows in self._rows]

    def begin(self) -> None:
        """Write the progress table of each member as it was at the checkpoint, or empty without a checkpoint.

        A member that has a saved network was trained by another stack meanwhile: its table is read and stays as it is.
        Raises `InvalidInput`.
        """
        for member, table in enumerate(self._tables):
            make_folder(table.path.parent)
            if (table.path.parent / NETWORK_FILE).exists():
                self._rows[member] = table.read() if table.path.exists() else []
                self._evaluated[member] = self._stack.rounds
            elif self._rows[member] or table.path.exists():
                table.write(self._rows[member])

    @property
    def up_to_date(self) -> bool:
        """True if no member has an evaluation due."""
        return not any(self._due())

    def evaluate(self, interrupted: Callable[[], bool]) -> None:
        """Run the evaluation of each member that has one due, until `interrupted` returns True. Raises `InvalidInput`."""
        for member, rounds in self._due():
            if interrupted():
                return
            try:
                self._stack.copy_to_learner(member)
            except InvalidInput:
                self._diverged[member] = True
                continue
            row: dict[str, float] = {"rounds": rounds, "updates": int(self._stack.steps[member])}
            for evaluation in evaluate_all(self._stack.learners[member], rounds):
                row |= evaluation.columns()
            self._tables[member].append(row)
            self._rows[member].append(row)
            self._evaluated[member] = rounds

    def _due(self) -> Iterator[tuple[int, int]]:
        """Yield (index, number of rounds played) of each member that has an evaluation due.

        An evaluation is due every `evaluate_every` rounds; the last one is due when the stack is finished.
        """
        stack, rounds_played = self._stack, self._stack.rounds_played
        if stack.finished:
            due = self._evaluated < stack.rounds
        else:
            due = (rounds_played >= next_evaluation(self._evaluated, self._every)) & (rounds_played < stack.rounds)
        for member in np.flatnonzero(due & ~self._diverged):
            yield int(member), int(rounds_played[member])
