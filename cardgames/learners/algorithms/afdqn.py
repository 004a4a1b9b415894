"""AFDQN, paper 002, section 5.2: DQN that also learns to tell which actions are legal.

The network has two numbers for every action: Q, and the logit of F, the "focused action", by which the paper means the
probability of being legal. Both are linear in the same last hidden layer, so what is learned for F shapes the features
that Q is read from. Nothing else comes of F: a player is told what is legal, here as in the paper's own code, and takes
the greatest legal Q. So F is not part of what is saved.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels import masks
from cardgames.learners.algorithms.dqn import Dqn, DqnSettings
from cardgames.learners.base.settings import Value, default, setting
from cardgames.learners.memory.replay_buffer import Batch
from cardgames.learners.networks.losses import Floats, LossAndGradient, output_loss, sigmoid
from cardgames.learners.networks.trainable import Trainable
from cardgames.networks.network import Mlp

FOCUS_LOSSES = ("bce", "mse")


@dataclass(frozen=True)
class AfdqnSettings(DqnSettings):
    """Paper 002, section 5.2. Lambda is the best one against random players (section 6.1), which is also what its code
    has when nothing is said, and so is cross-entropy.

    The text gives no sizes or rates: 512-512 for what M1 of equation 2 is and evaluations after every 2,000 rounds are
    its code's, the rest RLCard's. Its Algorithm 1, read literally, has an update a round; its code has RLCard's, one a
    decision. It played the rules `rlcard-2022`.
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {"002": {}}

    hidden: tuple[int, ...] = default(DqnSettings, "hidden", (512, 512))
    evaluate_every: int = default(DqnSettings, "evaluate_every", 2_000)
    focus_loss: str = setting(
        "bce", "L_f of equation 6: binary cross-entropy, or the square of the error", choices=FOCUS_LOSSES
    )
    focus_weight: float = setting(1.5, "lambda of equation 6; 0: plain DQN", 0)


class Afdqn(Dqn):
    """DQN's loss plus lambda times how wrong F is about what is legal (equations 2 to 6, Algorithm 1).

    Equation 5 takes the maximum over "a", of which it does not say whether it is to be legal; here it is, as in the paper's
    code (which is Double DQN, as RLCard's is, where the text has DQN). Its hat means "no gradient" and no more; Q hat is a
    target network here, as in that code. L_f is a mean over all actions, as torch has it.
    """

    name = "afdqn"
    settings_class: ClassVar[type[AfdqnSettings]] = AfdqnSettings
    settings: AfdqnSettings
    metric_names = *Dqn.metric_names, "focus"

    @property
    def sizes(self) -> tuple[int, ...]:
        """As DQN's, with twice the outputs: Q of each action, then the logit of F of each."""
        *before, outputs = super().sizes
        return (*before, 2 * outputs)

    def values(self, network: Trainable, inputs: NDArray[np.int8]) -> Floats:
        """Return the first half of a network's outputs: Q."""
        return np.ascontiguousarray(super().values(network, inputs)[:, : self.outputs])

    def errors(self, outputs: Floats, targets: Floats, batch: Batch) -> LossAndGradient:
        """Return how far Q of the actions taken is from its targets, and the gradient of L (equations 5 and 6)."""
        errors, of_q = super().errors(outputs[:, : self.outputs], targets, batch)
        legal = masks.to_bools(batch.legal, self.outputs).astype(np.float32)
        losses, of_focus = focus_loss_and_gradient(outputs[:, self.outputs :], legal, self.settings.focus_loss)
        self.means.add("focus", float(losses.mean()))
        scale = np.float32(self.settings.focus_weight) * batch.weights[:, None]
        return errors, np.hstack([of_q, scale * of_focus])

    def network(self) -> Mlp:
        """Return the network of Q alone, without F."""
        return super().network().with_outputs(self.outputs)


def focus_loss_and_gradient(logits: Floats, legal: Floats, loss: str) -> LossAndGradient:
    """Return L_f of each row and its gradient: F, the sigmoid of `logits`, is to become `legal` (both [n, actions]).

    `loss` is one of `FOCUS_LOSSES`; both are means over the actions.
    """
    share = 1 / logits.shape[1]
    if loss == "bce":
        return output_loss(logits, legal, share, "bce")
    probabilities = sigmoid(logits)
    losses, slopes = output_loss(probabilities, legal, share, "mse")
    return losses, slopes * probabilities * (1 - probabilities)
