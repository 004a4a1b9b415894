"""AFDQN and CANDQN as one, which paper 002 (section 7) left for the future."""

from dataclasses import dataclass

from cardgames.learners.algorithms.afdqn import Afdqn, AfdqnSettings
from cardgames.learners.algorithms.candqn import Candqn, CandqnSettings


@dataclass(frozen=True)
class AfcandqnSettings(CandqnSettings, AfdqnSettings):
    """Those of both; nothing was published for the two together."""


class Afcandqn(Afdqn, Candqn):
    """Two branches at the beginning, Q and the focused action at the end."""

    name = "afcandqn"
    settings_class = AfcandqnSettings
    settings: AfcandqnSettings
