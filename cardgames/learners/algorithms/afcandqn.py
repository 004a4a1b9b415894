"""AFCANDQN: AFDQN and CANDQN combined, which paper 002 (section 7) leaves as future work."""

from dataclasses import dataclass

from cardgames.learners.algorithms.afdqn import Afdqn, AfdqnSettings
from cardgames.learners.algorithms.candqn import Candqn, CandqnSettings


@dataclass(frozen=True)
class AfcandqnSettings(CandqnSettings, AfdqnSettings):
    """Hyperparameters of AFDQN and CANDQN together; none have been published for the combination."""


class Afcandqn(Afdqn, Candqn):
    """DQN with the two input branches of CANDQN, and the outputs of AFDQN: Q and the logits of legality."""

    name = "afcandqn"
    settings_class = AfcandqnSettings
    settings: AfcandqnSettings
