"""The rules of Uno: one module for each rule, such as `stacking`, and the presets, such as `OFFICIAL`.

`docs/reference/uno.md` explains every rule.

>>> from cardgames.uno import rules
>>> house_rules = rules.OFFICIAL | rules.Stacking("same") | rules.SevenZero()
"""

from typing import Any

import numpy as np

from cardgames.core.rules import Axis, RuleBook, RuleSet
from cardgames.kernels.record_type import record_type
from cardgames.uno.rules.after_draw import AfterDraw
from cardgames.uno.rules.challenge import Challenge
from cardgames.uno.rules.draw_how import DrawHow
from cardgames.uno.rules.draw_when import DrawWhen
from cardgames.uno.rules.drawn_card import DrawnCard
from cardgames.uno.rules.empty_piles import EmptyPiles
from cardgames.uno.rules.hand_size import HandSize
from cardgames.uno.rules.jump_in import JumpIn
from cardgames.uno.rules.last_card import LastCard
from cardgames.uno.rules.match import Match
from cardgames.uno.rules.match_score import MatchScore
from cardgames.uno.rules.opener import Opener
from cardgames.uno.rules.payoff import Payoff
from cardgames.uno.rules.refill import Refill
from cardgames.uno.rules.reverse_two import ReverseTwo
from cardgames.uno.rules.seven_zero import SevenZero
from cardgames.uno.rules.shown_color import ShownColor
from cardgames.uno.rules.stacking import Stacking
from cardgames.uno.rules.start import Start
from cardgames.uno.rules.start_effects import StartEffects
from cardgames.uno.rules.start_rejected import StartRejected
from cardgames.uno.rules.turn_limit import TurnLimit
from cardgames.uno.rules.uno_call import UnoCall
from cardgames.uno.rules.uno_penalty import UnoPenalty
from cardgames.uno.rules.wild_color import WildColor
from cardgames.uno.rules.wild_four import WildFour

__all__ = [
    "BOOK",
    "COMMON",
    "OFFICIAL",
    "RLCARD",
    "RLCARD_2022",
    "SIMPLIFIED",
    "UNO_RULES",
    "AfterDraw",
    "Challenge",
    "DrawHow",
    "DrawWhen",
    "DrawnCard",
    "EmptyPiles",
    "HandSize",
    "JumpIn",
    "LastCard",
    "Match",
    "MatchScore",
    "Opener",
    "Payoff",
    "Refill",
    "ReverseTwo",
    "SevenZero",
    "ShownColor",
    "Stacking",
    "Start",
    "StartEffects",
    "StartRejected",
    "TurnLimit",
    "UnoCall",
    "UnoPenalty",
    "WildColor",
    "WildFour",
    "kernel_rules",
]


AXES: tuple[type[Axis], ...] = (
    HandSize,
    Start,
    StartRejected,
    StartEffects,
    Opener,
    Match,
    WildFour,
    Challenge,
    DrawWhen,
    DrawHow,
    DrawnCard,
    AfterDraw,
    Refill,
    EmptyPiles,
    ReverseTwo,
    WildColor,
    Stacking,
    JumpIn,
    SevenZero,
    UnoCall,
    UnoPenalty,
    LastCard,
    Payoff,
    ShownColor,
    MatchScore,
    TurnLimit,
)
"""Classes of all rules of Uno, in the order in which a round comes to them."""

FIELDS = ("players", *(axis.name.replace("-", "_") for axis in AXES))
UNO_RULES = record_type(__name__, "UNO_RULES", [(field, "i8") for field in FIELDS])
"""Record type of the rules as kernels read them: the number of players and one integer for each rule (`Axis.code`)."""


def kernel_rules(rules: RuleSet, players: int) -> Any:
    """Return `rules` and the number of players as a record of type `UNO_RULES`, which kernels read."""
    numbers = rules.codes() | {"players": players}
    return np.array([tuple(numbers[field] for field in FIELDS)], UNO_RULES)[0]


OFFICIAL = RuleSet(
    "uno",
    "official",
    [
        HandSize(7),
        Start("not-wild-four"),
        StartRejected("reshuffle"),
        StartEffects("official"),
        Opener("left-of-dealer"),
        Match("symbol"),
        WildFour("bluff"),
        Challenge("victim"),
        DrawWhen("any-time"),
        DrawHow("one"),
        DrawnCard("may-play"),
        AfterDraw("drawn-only"),
        Refill("all-but-top"),
        EmptyPiles("void"),
        ReverseTwo("skip"),
        WildColor("any"),
        Stacking("none"),
        JumpIn("none"),
        SevenZero("none"),
        UnoCall("required"),
        UnoPenalty(2),
        LastCard("any"),
        Payoff("points"),
        ShownColor("declared"),
        MatchScore(500),
        TurnLimit(100_000),
    ],
)
"""Preset `official`: Mattel's rule sheet for the 108-card deck."""


COMMON = OFFICIAL.with_name("common", Payoff("win-loss"))
"""Preset `common`: the official rules without points; the first player to go out wins."""

SIMPLIFIED = COMMON.with_name(
    "simplified",
    Start("number"),
    StartRejected("bury"),
    StartEffects("none"),
    Opener("dealer"),
    WildFour("any-time"),
    Challenge("off"),
    DrawHow("until-satisfied"),
    AfterDraw("any-card"),
    ReverseTwo("flip"),
    UnoCall("off"),
)
"""Preset `simplified` (paper 001, section 1.2): no uno calls and no challenges.

A player may draw any number of cards and pass after drawing.
"""

RLCARD = COMMON.with_name(
    "rlcard",
    StartEffects("rlcard"),
    Opener("seat-0"),
    WildFour("last-resort"),
    Challenge("off"),
    DrawWhen("stuck"),
    DrawnCard("rlcard"),
    Refill("with-top"),
    ReverseTwo("flip"),
    UnoCall("off"),
)
"""Preset `rlcard`: the rules of RLCard 1.2.

RLCard's wrong payoffs and wrongly shown colors are not included; add them by `payoff=rlcard` and `shown-color=printed`.
"""

RLCARD_2022 = RLCARD.with_name("rlcard-2022", WildColor("ignored"))
"""Preset `rlcard-2022`: RLCard before March 2023, as in papers 002 and 003. The color named for a wild was ignored."""

BOOK = RuleBook(
    game="uno",
    axes={axis.name: axis for axis in AXES},
    presets={rules.name: rules for rules in (OFFICIAL, COMMON, SIMPLIFIED, RLCARD, RLCARD_2022)},
)
"""Rule book of Uno: every rule and every preset by its name."""
