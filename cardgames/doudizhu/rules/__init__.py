"""The rules of Dou Di Zhu: one file an axis, and the presets.

from cardgames.doudizhu import rules
rules.CLASSIC | rules.EqualKickers("two")
"""

from typing import Any

import numpy as np

from cardgames.core.rules import Axis, RuleBook, RuleSet
from cardgames.doudizhu.rules.adjoining_kickers import AdjoiningKickers
from cardgames.doudizhu.rules.equal_kickers import EqualKickers
from cardgames.doudizhu.rules.grammar import forbidden_features
from cardgames.doudizhu.rules.joker_kickers import JokerKickers
from cardgames.doudizhu.rules.pair_kickers import PairKickers
from cardgames.doudizhu.rules.plane_kickers import PlaneKickers
from cardgames.doudizhu.rules.quad_kickers import QuadKickers
from cardgames.doudizhu.rules.size_cap import SizeCap

__all__ = [
    "BOOK",
    "CLASSIC",
    "CQL",
    "DOUDIZHU_RULES",
    "DOUZERO",
    "ONLINE",
    "OPENSPIEL",
    "RLCARD",
    "AdjoiningKickers",
    "EqualKickers",
    "JokerKickers",
    "PairKickers",
    "PlaneKickers",
    "QuadKickers",
    "SizeCap",
    "kernel_rules",
]

AXES: tuple[type[Axis], ...] = (
    EqualKickers,
    JokerKickers,
    AdjoiningKickers,
    PairKickers,
    PlaneKickers,
    QuadKickers,
    SizeCap,
)
"""Every axis, those of the grammar first."""

FIELDS = tuple(axis.name.replace("-", "_") for axis in AXES)
DOUDIZHU_RULES = np.dtype((np.record, [(field, "i8") for field in (*FIELDS, "forbidden")]))
"""All a kernel knows of the rules: one plain number an axis (see `Axis.code`), and the features no move may have."""


def kernel_rules(rules: RuleSet) -> Any:
    """Return `rules` as kernels see them: a record of type `DOUDIZHU_RULES`."""
    codes = rules.codes()
    return np.array([(*(codes[field] for field in FIELDS), forbidden_features(rules))], DOUDIZHU_RULES)[0]


CLASSIC = RuleSet(
    "doudizhu",
    "classic",
    [
        EqualKickers("different"),
        JokerKickers("never"),
        AdjoiningKickers("allowed"),
        PairKickers("different"),
        PlaneKickers("allowed"),
        QuadKickers("allowed"),
        SizeCap("20"),
    ],
)
"""The text of paper 004."""


def _preset(name: str, base: RuleSet, *changes: Axis) -> RuleSet:
    return RuleSet("doudizhu", name, base | changes)


CQL = _preset("cql", CLASSIC, JokerKickers("with-others"))
"""The code of paper 004."""

RLCARD = _preset("rlcard", CLASSIC, EqualKickers("three"), AdjoiningKickers("twos"))
"""What RLCard 1.2 does."""

OPENSPIEL = _preset("openspiel", CLASSIC, EqualKickers("three"), QuadKickers("banned"))
"""What OpenSpiel does, its missing chains aside."""

DOUZERO = _preset("douzero", CLASSIC, EqualKickers("four"), JokerKickers("allowed"))
"""What DouZero's move generator does."""

ONLINE = _preset("online", DOUZERO, PairKickers("equal"))
"""As card rooms play it: every kicker goes."""

BOOK = RuleBook(
    game="doudizhu",
    axes={axis.name: axis for axis in AXES},
    presets={rules.name: rules for rules in (CLASSIC, CQL, RLCARD, OPENSPIEL, DOUZERO, ONLINE)},
)
"""Every axis and preset of Dou Di Zhu."""
