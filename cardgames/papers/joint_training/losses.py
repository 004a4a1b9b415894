"""Gradients of the losses of learners trained at once in a stack, with respect to their networks' outputs.

The arithmetic is that of a learner trained alone (modules `dqn`, `sarsa`, `afdqn` and `losses` of the package `learners`),
with one more dimension, the members of the stack.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from cardgames.learners.algorithms.afcandqn import Afcandqn
from cardgames.learners.algorithms.afdqn import Afdqn
from cardgames.learners.algorithms.candqn import Candqn
from cardgames.learners.algorithms.dqn import DoubleDqn, Dqn
from cardgames.learners.algorithms.sarsa import Sarsa
from cardgames.learners.base.value_learner import ValueLearner
from cardgames.papers.joint_training.network import StackedNetwork
from cardgames.papers.joint_training.replay import DecisionColumns

STACKED: tuple[type[ValueLearner], ...] = (Dqn, DoubleDqn, Sarsa, Afdqn, Candqn, Afcandqn)
"""Learner classes that can be trained in a stack, because this module implements their losses."""


class StackedLosses:
    """Losses of all learners of a stack, which have one algorithm; on a GPU, torch compiles them into a few kernels."""

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
        # torch compiles at most eight variants per process and runs further ones uncompiled
        self._gradient = torch.compile(self._q_gradient, dynamic=False) if device == "cuda" else self._q_gradient

    def activations_and_gradient(self, network: StackedNetwork, pair: DecisionColumns) -> tuple[list[Any], Any]:
        """Return two arguments of `network.step`: the activations of a batch, and the gradient of the loss by the outputs.

        Args:
            network: The stacked networks.
            pair: Decisions [2, members, batch]: those of the batch, and for each of them the same player's next decision.
        """
        batch, following = (DecisionColumns(*(part[half] for part in pair)) for half in range(2))
        if self._kind is Sarsa:
            activations, values = network.forward(batch.observation), network.outputs(following.observation)
        else:
            activations, values = network.forward_both(pair.observation)
        chooser = network.outputs(following.observation) if self._kind is DoubleDqn else values
        return activations, self._gradient(activations[-1], values, chooser, batch, following)

    def _q_gradient(
        self, outputs: Any, values: Any, chooser: Any, batch: DecisionColumns, following: DecisionColumns
    ) -> Any:
        """Return the gradient of the loss with respect to `outputs`, the networks' outputs for the batch.

        The target of the Q value of the chosen action is its reward plus the discounted value of the next decision (0 after
        the last decision of a round). The value of the next decision is the element of `values` of the legal action that
        `chooser` rates highest or, for Sarsa, of the action that was chosen.
        """
        _, legal, actions, rewards, last = batch
        _, next_legal, next_actions, _, _ = following
        if self._kind is not Sarsa:
            legal_q = chooser[..., : len(self._actions)].masked_fill(~self._unpacked(next_legal), float("-inf"))
            next_actions = legal_q.argmax(-1, keepdim=True)
        next_values = self._discounts * values.gather(-1, next_actions)
        targets = rewards + next_values.masked_fill(last > 0, 0)
        errors = outputs.gather(-1, actions) - targets
        slopes = (errors.clamp(-1, 1) if self._huber else errors * 2) / actions.shape[1]
        q_gradient = self._torch.where(self._actions == actions, slopes, 0)
        return (
            q_gradient
            if self._focus is None
            else self._torch.cat((q_gradient, self._focus_gradient(outputs, legal)), -1)
        )

    def _focus_gradient(self, outputs: Any, legal: Any) -> Any:
        """Return the gradient of the loss of AFDQN's second head (it predicts legal actions) by the outputs of that head."""
        targets = self._unpacked(legal)
        probabilities = outputs[..., len(self._actions) :].sigmoid()
        bce_gradient = probabilities - targets.float()
        mse_gradient = bce_gradient * 2 * probabilities * (1 - probabilities)
        gradient = self._torch.where(self._focus_by_mse > 0, mse_gradient, bce_gradient)
        return gradient * self._focus / targets[0].numel()

    def _unpacked(self, legal: Any) -> Any:
        """Return action masks (int64 [..., words], see `kernels.masks`) as bool [..., actions]."""
        return (legal[..., self._actions // 64] >> self._actions % 64 & 1) > 0
