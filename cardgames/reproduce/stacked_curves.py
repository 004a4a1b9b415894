"""Learning curves of what is trained in a stack: its members are evaluated as it learns, as a run's learner is."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cardgames.core.errors import InvalidInput
from cardgames.learners.evaluation import evaluate_all, next_evaluation
from cardgames.learners.run import PROGRESS
from cardgames.learners.run_files import Table, make_folder
from cardgames.learners.stack import Stack


class StackedCurves:
    """The evaluations of a stack's members, each in its folder, in the table in which a run has its own."""

    def __init__(self, stack: Stack, folders: Sequence[Path]):
        """`folders` of all members, in their order."""
        self._stack, self._tables = stack, [Table(folder / PROGRESS) for folder in folders]
        self._every = np.array([learner.settings.evaluate_every for learner in stack.learners])
        self.evaluated = np.full(len(folders), -1, np.int64)
        """[members] after how many rounds each was evaluated last; -1 before it ever was."""
        self._lost = np.zeros(len(folders), np.bool_)
        """[members] whose network has come to be no numbers, which is told when all are trained."""

    def go_on(self, evaluated: NDArray[np.int64] | None) -> None:
        """Go on after the evaluations that a checkpoint knows of (None: there is none); later ones will be played again.
        Raises `InvalidInput`.
        """
        if evaluated is not None:
            self.evaluated[:] = evaluated
        for table, rounds in zip(self._tables, self.evaluated, strict=True):
            make_folder(table.path.parent)
            table.forget_after(int(rounds))

    @property
    def up_to_date(self) -> bool:
        """Whether no evaluation is due."""
        return not any(self._due())

    def evaluate(self, interrupted: Callable[[], bool]) -> None:
        """Play the evaluations that are due, as long as nobody interrupts that. Raises `InvalidInput`."""
        for member, rounds in self._due():
            if interrupted():
                return
            try:
                self._stack.unload(member)
            except InvalidInput:
                self._lost[member] = True
                continue
            row: dict[str, float] = {"rounds": rounds, "updates": int(self._stack.steps[member])}
            for found in evaluate_all(self._stack.learners[member], rounds):
                row |= found.columns()
            self._tables[member].append(row)
            self.evaluated[member] = rounds

    def _due(self) -> Iterator[tuple[int, int]]:
        """Yield whose next evaluation is due, and after how many rounds. The last waits until all updates are made."""
        stack, played = self._stack, self._stack.played
        if stack.finished:
            due = self.evaluated < stack.rounds
        else:
            due = (played >= next_evaluation(self.evaluated, self._every)) & (played < stack.rounds)
        for member in np.flatnonzero(due & ~self._lost):
            yield int(member), int(played[member])
