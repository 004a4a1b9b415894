"""How the outputs of stacked learners are to change. The arithmetic is that of the learners (`dqn`, `sarsa`, `afdqn`,
`losses`), with a dimension more.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from cardgames.learners.algorithms.afcandqn import Afcandqn
from cardgames.learners.algorithms.afdqn import Afdqn
from cardgames.learners.algorithms.candqn import Candqn
from cardgames.learners.algorithms.dqn import DoubleDqn, Dqn
from cardgames.learners.algorithms.sarsa import Sarsa
from cardgames.learners.base.value_learner import ValueLearner
from cardgames.papers.stacked.network import StackedNetwork
from cardgames.papers.stacked.replay import DecisionColumns

STACKED: tuple[type[ValueLearner], ...] = (Dqn, DoubleDqn, Sarsa, Afdqn, Candqn, Afcandqn)
"""The learners whose losses are known here."""


class StackedLosses:
    """The losses of learners of one algorithm, on a device; on a GPU, compiled to a few kernels."""

    def __init__(self, torch: Any, learners: Sequence[ValueLearner], device: str):
        def column(numbers: Iterable[float]) -> Any:
            return torch.tensor([[[number]] for number in numbers], dtype=torch.float32, device=device)

        first = learners[0]
        self._torch, self._kind = torch, type(first)
        self._huber = first.settings.loss == "huber"
        self._discounts = column(learner.settings.discount for learner in learners)
        heads = [learner.settings for learner in learners if isinstance(learner, Afdqn)]
        self._focus = None
        if heads:
            self._focus = column(settings.focus_weight for settings in heads)
            self._focus_by_mse = column(settings.focus_loss == "mse" for settings in heads)
        self._actions = torch.arange(first.outputs, device=device)
        # of a process that makes stacks of more than eight kinds, torch leaves the rest uncompiled
        self._gradient = torch.compile(self._q_gradient, dynamic=False) if device == "cuda" else self._q_gradient

    def activations_and_gradient(self, network: StackedNetwork, pair: DecisionColumns) -> tuple[list[Any], Any]:
        """Return what `network.step` takes: of a batch what goes into every layer and what comes out of the last, and how
        the loss changes with that. `pair` [2, members, batch] are the decisions, and those that came next.
        """
        batch, following = (DecisionColumns(*(part[half] for part in pair)) for half in range(2))
        if self._kind is Sarsa:
            seen, values = network.forward(batch.seen), network.outputs(following.seen)
        else:
            seen, values = network.forward_both(pair.seen)
        chooser = network.outputs(following.seen) if self._kind is DoubleDqn else values
        return seen, self._gradient(seen[-1], values, chooser, batch, following)

    def _q_gradient(
        self, outputs: Any, values: Any, chooser: Any, batch: DecisionColumns, following: DecisionColumns
    ) -> Any:
        """Return the gradient by the outputs. Q of what was done is to become what it brought, and the `values` of what
        comes next: of the legal action that `chooser` rates highest, or of the one that was taken.
        """
        _, legal, actions, rewards, last = batch
        _, next_legal, next_actions, _, _ = following
        if self._kind is not Sarsa:
            of_choice = chooser[..., : len(self._actions)].masked_fill(~self._unpacked(next_legal), float("-inf"))
            next_actions = of_choice.argmax(-1, keepdim=True)
        gain = self._discounts * values.gather(-1, next_actions)
        targets = rewards + gain.masked_fill(last > 0, 0)
        errors = outputs.gather(-1, actions) - targets
        slopes = (errors.clamp(-1, 1) if self._huber else errors * 2) / actions.shape[1]
        of_q = self._torch.where(self._actions == actions, slopes, 0)
        return of_q if self._focus is None else self._torch.cat((of_q, self._focus_gradient(outputs, legal)), -1)

    def _focus_gradient(self, outputs: Any, legal: Any) -> Any:
        """Return the gradient by the second head's outputs; see `afdqn.focus`."""
        wanted = self._unpacked(legal)
        probabilities = outputs[..., len(self._actions) :].sigmoid()
        of_focus = probabilities - wanted.float()
        of_squares = of_focus * 2 * probabilities * (1 - probabilities)
        mixed = self._torch.where(self._focus_by_mse > 0, of_squares, of_focus)
        return mixed * self._focus / wanted[0].numel()

    def _unpacked(self, legal: Any) -> Any:
        """Return sets of actions (int64 [..., words]) as bool [..., actions]."""
        return (legal[..., self._actions // 64] >> self._actions % 64 & 1) > 0
