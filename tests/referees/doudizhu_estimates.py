"""Slow referee for the expected payoffs of auction and doubling actions: plain Python on rounds of `doudizhu_rounds`.

It evaluates the network with NumPy from its file, and derives levels, evidence and outcomes from texts.
"""

import functools
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from cardgames.doudizhu.auction_model.model import FILE
from tests.referees.doudizhu_rounds import Round

RANKS = "3456789TJQKA2BR"
WEAK, FAIR, STRONG = range(3)
Probabilities = NDArray[np.float64]
FACTORS = {"none": (1.0, 1.0), "double": (1.96, 1.82), "super": (3.93, 3.54)}
"""Mean factors of doubling that is still to come, if the landlord wins and if it loses."""
OUTCOMES = [
    (winner, silent, once, bombs, rocket)
    for winner, once, silences in (("landlord", False, 3), ("peasants", False, 2), ("peasants", True, 2))
    for silent in range(silences)
    for bombs in range(4)
    for rocket in range(2)
]
"""Winner, number of peasants that never played, whether the landlord played once, bombs, rockets of each outcome class."""


@dataclass
class EndedRound(Round):
    """A round whose end is given as an outcome instead of the moves."""

    outcome: tuple[str, int, bool, int, int] = field(default=("landlord", 0, False, 0, 0))

    @property
    def winner(self) -> int | None:
        """A seat of the side that won."""
        assert self.landlord is not None
        return self.landlord if self.outcome[0] == "landlord" else (self.landlord + 1) % 3

    def count(self, *categories: str) -> int:
        """Return the number of bombs or rockets."""
        return self.outcome[3] if "bomb" in categories else self.outcome[4]

    def _plays(self, seat: int) -> int:
        """Return how often a seat played: 0, 1 or 2 for several times."""
        assert self.landlord is not None
        if seat == self.landlord:
            return 1 if self.outcome[2] else 2
        return 0 if (seat - self.landlord) % 3 <= self.outcome[1] else 2


@functools.cache
def layers() -> dict[str, Probabilities]:
    """Return the weights of the network, from its file."""
    return {name: tensor.astype(np.float64) for name, tensor in load_file(FILE).items()}


def network(inputs: list[int]) -> tuple[Probabilities, Probabilities, Probabilities]:
    """Return the distributions of outcomes, pairs of levels [9] and the landlord's answer [2]."""
    units = np.array(inputs, np.float64)
    for layer in (0, 2, 4):
        units = layers()[f"{layer}.weight"] @ units + layers()[f"{layer}.bias"]
        units = np.maximum(units, 0) if layer < 4 else units
    parts = [np.exp(part - part.max()) for part in (units[:56], units[56:65], units[65:])]
    return parts[0] / parts[0].sum(), parts[1] / parts[1].sum(), parts[2] / parts[2].sum()


def cards(hand: str) -> list[int]:
    """Return 54 numbers for a hand: the first n of the four of each rank, one for each joker."""
    return [int(hand.count(rank) > k) for rank in RANKS for k in range(1 if rank in "BR" else 4)]


def inputs(hand: str, bottom: str, place: int | None, levels: list[set[int]], doubled: list[bool | None]) -> list[int]:
    """Return the network's inputs; `levels` and `doubled` say what is known of the next seat and the seat before."""
    evidence = [
        int(flag)
        for known in levels
        for flag in (min(known) >= FAIR, min(known) >= STRONG, max(known) < FAIR, max(known) < STRONG)
    ]
    answers = [int(flag) for answer in doubled for flag in (answer is False, answer is True)]
    return [*cards(hand), *cards(bottom), int(bottom != ""), *(int(place == k) for k in range(3)), *evidence, *answers]


def levels_of(round_: Round, seat: int) -> set[int]:
    """Return the possible levels of a seat, by the last that it said in the auction."""
    words = [(who, word) for who, word in round_.auction]
    own = [word for who, word in words if who == seat]
    if not own:
        return {WEAK, FAIR, STRONG}
    passed = {who for who, word in words if word == "pass"}
    opened = all((round_.first + k) % 3 in passed for k in range((seat - round_.first) % 3))
    winning = round_.winning
    holds = winning is not None and winning[0] == seat
    if seat in passed and not holds:
        return {WEAK} if opened else {WEAK, FAIR}
    return {FAIR, STRONG} if opened and not (own[0] == "call" and own[-1] == "rob") else {STRONG}


def expected(round_: Round, seat: int, probabilities: Probabilities) -> float:
    """Return the expected payoff of a seat in a round with a landlord, for a distribution of outcomes."""
    paid, rules = [], round_.rules
    for outcome in OUTCOMES:
        fields = {name: getattr(round_, name) for name in ("rules", "dealt", "bottom", "first", "auction", "doubling")}
        points = EndedRound(**fields, outcome=outcome).returns()[seat]
        if rules["payoff"] == "points" and not round_.doubling:
            points *= FACTORS[str(rules["doubling"])][outcome[0] == "peasants"]
            if cap := int(str(rules["multiplier-cap"])):
                most = cap * round_.stake * (2 if seat == round_.landlord else 1)
                points = max(-most, min(most, points))
        paid.append(points)
    return float(np.dot(probabilities, paid))


def raised(round_: Round) -> str:
    """Return the action with which a seat becomes the one who would be the landlord."""
    if round_.rules["bidding"] == "score":
        return "bid 3"
    return "rob" if round_.winning else "call"


def finished(round_: Round, seat: int, again: str, levels: tuple[int, int]) -> Round:
    """Return the round after the rest of the auction, in which `seat` says `again` (or raises) if it is asked again."""
    round_ = replace(round_, auction=list(round_.auction))
    while round_.bidder is not None:
        actor = round_.bidder
        if actor == seat:
            takes = again == "raise"
        else:
            takes = levels[(actor - seat) % 3 - 1] >= (FAIR if round_.winning is None else STRONG)
        round_.auction.append((actor, raised(round_) if takes else "pass"))
    return round_


def auction_estimates(round_: Round) -> dict[str, float]:
    """Return the expected payoff of each legal action in the auction."""
    seat = round_.to_move
    hand, known = round_.dealt[seat], [levels_of(round_, (seat + k) % 3) for k in (1, 2)]
    everything = {WEAK, FAIR, STRONG}
    _, prior, _ = network(inputs(hand, "", None, [everything, everything], [None, None]))
    pairs = {(a, b): prior[3 * a + b] for a in known[0] for b in known[1]}
    total, values = sum(pairs.values()), {}
    for word in round_._words():
        value = own = 0.0
        said = replace(round_, auction=[*round_.auction, (seat, word)])
        for pair, weight in pairs.items():
            distributions = [
                network(inputs(hand, "", place, [{pair[0]}, {pair[1]}], [None, None]))[0] for place in range(3)
            ]
            ends = [finished(said, seat, again, pair) for again in ("pass", "raise")]
            worth = [
                (0.5 if round_.rules["payoff"] == "rlcard" and round_.rules["all-pass"] == "redeal" else 0.0)
                if end.landlord is None
                else expected(end, seat, distributions[(end.landlord - seat) % 3])
                for end in ends
            ]
            value += weight / total * max(worth)
            if word != "pass":
                own += weight / total * expected(_alone(said), seat, distributions[0])
        if word != "pass" and min(own, value) < 0:
            value = min(value, values["pass"]) if own >= 0 else min(value, own, values["pass"])
        values[word] = value
    return values


def _alone(round_: Round) -> Round:
    """Return a round in which the last seat that spoke becomes the landlord, since the others pass."""
    round_ = replace(round_, auction=list(round_.auction))
    seat = round_.auction[-1][0]
    while round_.bidder is not None and round_.bidder != seat:
        round_.auction.append((round_.bidder, "pass"))
    return round_


def doubling_estimates(round_: Round) -> dict[str, float]:
    """Return the expected payoff of each legal action in doubling."""
    seat, landlord = round_.to_move, round_.landlord
    assert landlord is not None
    place = (landlord - seat) % 3
    hand = round_.dealt[seat] + (round_.bottom if place == 0 else "")
    known = [levels_of(round_, (seat + k) % 3) for k in (1, 2)]
    answers = dict(round_.doubling)
    doubled = [answers[(seat + k) % 3] != "pass" if (seat + k) % 3 in answers else None for k in (1, 2)]
    outcomes, _, answer = network(inputs(hand, round_.bottom, place, known, doubled))
    most = "super double" if round_.rules["doubling"] == "super" else "double"
    values: dict[str, float] = {}
    for word in ["pass", "double", *(["super double"] if most == "super double" else [])]:
        said = [*round_.doubling, (seat, word)]
        if place == 0:
            values[word] = expected(replace(round_, doubling=said), seat, outcomes)
            continue
        values[word] = 0.0
        for reply, probability in zip(("pass", most), answer, strict=True):
            doubled[place - 1] = reply != "pass"
            distribution = network(inputs(hand, round_.bottom, place, known, doubled))[0]
            end = replace(round_, doubling=[*said, (landlord, reply)])
            values[word] += probability * expected(end, seat, distribution)
    return values
