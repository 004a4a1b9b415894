"""Rules of Dou Di Zhu: one module per rule axis (a choice such as `bidding`), and the presets (named rule sets).

Example:
    from cardgames.doudizhu import rules
    rules.CLASSIC | rules.EqualKickers("two")
"""

from typing import Any

import numpy as np

from cardgames.core.rules import Axis, RuleBook, RuleSet
from cardgames.doudizhu.rules.adjoining_kickers import AdjoiningKickers
from cardgames.doudizhu.rules.all_pass import AllPass
from cardgames.doudizhu.rules.anti_spring import AntiSpring
from cardgames.doudizhu.rules.auction_end import AuctionEnd
from cardgames.doudizhu.rules.bidding import Bidding
from cardgames.doudizhu.rules.bomb_doubling import BombDoubling
from cardgames.doudizhu.rules.doubling import Doubling
from cardgames.doudizhu.rules.equal_kickers import EqualKickers
from cardgames.doudizhu.rules.first_bidder import FirstBidder
from cardgames.doudizhu.rules.joker_kickers import JokerKickers
from cardgames.doudizhu.rules.move_restrictions import forbidden_features
from cardgames.doudizhu.rules.multiplier_cap import MultiplierCap
from cardgames.doudizhu.rules.pair_kickers import PairKickers
from cardgames.doudizhu.rules.payoff import Payoff
from cardgames.doudizhu.rules.plane_kickers import PlaneKickers
from cardgames.doudizhu.rules.quad_kickers import QuadKickers
from cardgames.doudizhu.rules.re_entry import ReEntry
from cardgames.doudizhu.rules.rocket_doubling import RocketDoubling
from cardgames.doudizhu.rules.shutout import Shutout
from cardgames.doudizhu.rules.size_cap import SizeCap
from cardgames.doudizhu.rules.spring import Spring
from cardgames.doudizhu.rules.trio_kickers import TrioKickers
from cardgames.kernels.record_type import record_type

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
    "AllPass",
    "AntiSpring",
    "AuctionEnd",
    "Bidding",
    "BombDoubling",
    "Doubling",
    "EqualKickers",
    "FirstBidder",
    "JokerKickers",
    "MultiplierCap",
    "PairKickers",
    "Payoff",
    "PlaneKickers",
    "QuadKickers",
    "ReEntry",
    "RocketDoubling",
    "Shutout",
    "SizeCap",
    "Spring",
    "TrioKickers",
    "kernel_rules",
]

AXES: tuple[type[Axis], ...] = (
    EqualKickers,
    JokerKickers,
    AdjoiningKickers,
    PairKickers,
    TrioKickers,
    PlaneKickers,
    QuadKickers,
    SizeCap,
    FirstBidder,
    Bidding,
    AuctionEnd,
    ReEntry,
    AllPass,
    Doubling,
    BombDoubling,
    RocketDoubling,
    Spring,
    AntiSpring,
    Shutout,
    MultiplierCap,
    Payoff,
)
"""All rule axes of the game: first those that decide which moves exist, then those of the auction, then of the payoffs."""

FIELDS = tuple(axis.name.replace("-", "_") for axis in AXES)
DOUDIZHU_RULES = record_type(__name__, "DOUDIZHU_RULES", [(field, "i8") for field in (*FIELDS, "forbidden")])
"""Record type of a rule set in kernels: one integer per axis (`Axis.code`), and `forbidden`, a mask of move features."""


def kernel_rules(rules: RuleSet) -> Any:
    """Convert a rule set to a record of type `DOUDIZHU_RULES`, the form that kernels use."""
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
        TrioKickers("allowed"),
        PlaneKickers("allowed"),
        QuadKickers("allowed"),
        SizeCap("20"),
        FirstBidder("random"),
        Bidding("score"),
        AuctionEnd("two-passes"),
        ReEntry("allowed"),
        AllPass("redeal"),
        Doubling("none"),
        BombDoubling("none"),
        RocketDoubling("none"),
        Spring("none"),
        AntiSpring("none"),
        Shutout("double"),
        MultiplierCap(0),
        Payoff("points"),
    ],
)
"""Rules as in the text of paper 004. The paper does not say who acts first in the auction; here it is a random seat."""


_NO_AUCTION = Bidding("none") | FirstBidder("seat-0") | Shutout("none")
_BOMBS_DOUBLE = BombDoubling("double") | RocketDoubling("double")
_SPRINGS_DOUBLE = Spring("double") | AntiSpring("double")

CQL = CLASSIC.with_name("cql", JokerKickers("with-others"), *_NO_AUCTION, Payoff("win-loss"))
"""Rules as in the training code of paper 004: no auction, payoffs +1 and -1."""

RLCARD = CLASSIC.with_name("rlcard", EqualKickers("three"), AdjoiningKickers("twos"), *_NO_AUCTION, Payoff("rlcard"))
"""Rules of RLCard 1.2."""

OPENSPIEL = CLASSIC.with_name(
    "openspiel",
    EqualKickers("three"),
    QuadKickers("banned"),
    AllPass("void"),
    Shutout("none"),
    *_BOMBS_DOUBLE,
    *_SPRINGS_DOUBLE,
)
"""Rules of OpenSpiel's `dou_dizhu`, except that OpenSpiel lacks some chains."""

DOUZERO = CLASSIC.with_name("douzero", EqualKickers("four"), JokerKickers("allowed"), *_NO_AUCTION, *_BOMBS_DOUBLE)
"""Rules of DouZero: its move generator and its points."""

ONLINE = CLASSIC.with_name(
    "online",
    EqualKickers("four"),
    JokerKickers("allowed"),
    PairKickers("equal"),
    Bidding("call-rob"),
    Doubling("double"),
    Shutout("none"),
    *_BOMBS_DOUBLE,
    *_SPRINGS_DOUBLE,
)
"""Rules of online card rooms: all kickers, an auction by calling and robbing, and doubling by bombs, rocket and springs."""

BOOK = RuleBook(
    game="doudizhu",
    axes={axis.name: axis for axis in AXES},
    presets={rules.name: rules for rules in (CLASSIC, CQL, RLCARD, OPENSPIEL, DOUZERO, ONLINE)},
)
"""Rule book of Dou Di Zhu: all rule axes and presets by name."""
