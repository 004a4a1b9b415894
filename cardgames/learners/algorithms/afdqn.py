"""AFDQN (paper 002, section 5.2): DQN with an auxiliary loss that predicts which actions are legal.

The network has two outputs per action: Q, and the logit of F, the paper's "focused action", which is the probability of
being legal. Both are linear in the last hidden layer, so learning F shapes the features of Q. F has no other use: in
play the legal actions are known, here as in the paper's code, and the greatest legal Q is taken. So F is not saved.
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
    """Hyperparameters of AFDQN in paper 002, section 5.2.

    Lambda (`focus_weight`) is the best one against random players (section 6.1). It is also the default of the paper's
    code, as is cross-entropy. The text gives no sizes or rates: the layers 512-512 for M1 of equation 2 and an
    evaluation every 2,000 rounds are from its code, the rest from RLCard. Its Algorithm 1 literally has one update per
    round; its code has one per decision, as RLCard. The paper used the rules `rlcard-2022`.
    """

    papers: ClassVar[Mapping[str, Mapping[str, Value]]] = {"002": {}}

    hidden: tuple[int, ...] = default(DqnSettings, "hidden", (512, 512))
    evaluate_every: int = default(DqnSettings, "evaluate_every", 2_000)
    focus_loss: str = setting("bce", "L_f of equation 6: binary cross-entropy, or squared error", choices=FOCUS_LOSSES)
    focus_weight: float = setting(1.5, "lambda of equation 6; 0: plain DQN", 0)


class Afdqn(Dqn):
    """DQN learner whose loss also has lambda times the error of the predicted legality (equations 2 to 6, Algorithm 1).

    The paper leaves some points open. The maximum of equation 5 is over legal actions here, as in the paper's code (which
    is a Double DQN, as RLCard's, while the text has DQN). Its hat only means "no gradient"; here Q hat is a target network,
    as in that code. L_f is a mean over all actions, as in torch.
    """

    name = "afdqn"
    settings_class: ClassVar[type[AfdqnSettings]] = AfdqnSettings
    settings: AfdqnSettings
    metric_names = *Dqn.metric_names, "focus"

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of inputs, units of each hidden layer, and outputs: Q of all actions, then logits of F of all."""
        *layers, outputs = super().sizes
        return (*layers, 2 * outputs)

    def values(self, network: Trainable, inputs: NDArray[np.int8]) -> Floats:
        """Return the Q of each action ([n, outputs]), which is the first half of the outputs of `network`."""
        return np.ascontiguousarray(super().values(network, inputs)[:, : self.outputs])

    def errors(self, outputs: Floats, targets: Floats, batch: Batch) -> LossAndGradient:
        """Return Q minus target of the actions taken, and the gradient of the loss L (equations 5 and 6) in all outputs."""
        errors, q_gradient = super().errors(outputs[:, : self.outputs], targets, batch)
        legal = masks.to_bools(batch.legal, self.outputs).astype(np.float32)
        losses, focus_gradient = focus_loss_and_gradient(outputs[:, self.outputs :], legal, self.settings.focus_loss)
        self.means.add("focus", float(losses.mean()))
        scale = np.float32(self.settings.focus_weight) * batch.weights[:, None]
        return errors, np.hstack([q_gradient, scale * focus_gradient])

    def network(self) -> Mlp:
        """Return the network without the outputs of F: it has the Q of each action only."""
        return super().network().with_outputs(self.outputs)


def focus_loss_and_gradient(logits: Floats, legal: Floats, loss: str) -> LossAndGradient:
    """Return the loss L_f of each row, the mean loss over the actions between F and `legal`, and its gradient in `logits`.


    Args:
        logits: Logits of F ([n, actions]); F is their sigmoid.
        legal: Targets, 1 for legal actions and 0 for others ([n, actions]).
        loss: One of `FOCUS_LOSSES`.
    """
    share = 1 / logits.shape[1]
    if loss == "bce":
        return output_loss(logits, legal, share, "bce")
    probabilities = sigmoid(logits)
    losses, gradient = output_loss(probabilities, legal, share, "mse")
    return losses, gradient * probabilities * (1 - probabilities)
