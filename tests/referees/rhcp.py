"""A slow referee for `rhcp`: section 5 of the rules document in plain recursion, candidates in the order of the text.

A hand is text in ascending order, a group a reading of the moves' referee. Groups that the rules forbid are neither
considered nor recognised.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations
from typing import NamedTuple

from tests.referees.doudizhu import RANKS, Reading, in_order, readings

NORMAL, CHAINED = RANKS[:13], RANKS[:12]
QUADS = ("quad+solos", "quad+pairs")


class Value(NamedTuple):
    """What a hand is worth."""

    total: int
    need: int

    @property
    def score(self) -> int:
        """A turn costs seven."""
        return self.total - 7 * self.need


def number(rank: str) -> int:
    """3 to 17, from the three to the red joker."""
    return RANKS.index(rank) + 3


def group_value(group: Reading) -> int:
    """The table of values."""
    top = number(group.main[-1])
    if group.category in ("solo", "pair", "trio", "trio+solo", "trio+pair"):
        return top - 10
    if group.category in ("solo chain", "pair chain"):
        return top - 9
    if group.category in ("trio chain", "plane+solos", "plane+pairs"):
        return (top - 2) // 2
    return {"bomb": top + 4, "rocket": 20}.get(group.category, (top - 3) // 2)


def without(hand: str, cards: str) -> str:
    """What is left of a hand."""
    left = Counter(hand)
    left.subtract(cards)
    assert min(left.values()) >= 0
    return in_order("".join(left.elements()))


def run_of(held: Counter[str], copies: int, category: str) -> Reading | None:
    """The first maximal run of ranks held exactly so often, if it is all there is."""
    run = ""
    for rank in CHAINED:
        if held[rank] == copies:
            run += rank
        elif run:
            break
    main = "".join(rank * copies for rank in run)
    return Reading(category, main) if len(main) == held.total() else None


def plane_of(held: Counter[str], copies: int, category: str) -> Reading | None:
    """The first maximal run of trios, if as many ranks are held `copies` times and that is all."""
    run = ""
    for rank in CHAINED:
        if held[rank] == 3:
            run += rank
        elif run:
            break
    kickers = "".join(rank * copies for rank in RANKS if held[rank] == copies)
    if len(kickers) != copies * len(run) or held.total() != (3 + copies) * len(run):
        return None
    return Reading(category, "".join(rank * 3 for rank in run), kickers)


def whole_groups(hand: str) -> Iterator[Reading | None]:
    """The tests for a hand that is one group, in order."""
    held = Counter(hand)
    shape = sorted(held.values())
    most = "".join(rank * held[rank] for rank in held if held[rank] == max(shape))
    others = "".join(card for card in hand if card not in most)
    simple = {
        (1,): "solo",
        (2,): "pair",
        (3,): "trio",
        (1, 3): "trio+solo",
        (2, 3): "trio+pair",
        (1, 1, 4): "quad+solos",
        (2, 4): "quad+solos",
        (2, 2, 4): "quad+pairs",
        (4,): "bomb",
    }
    if tuple(shape) in simple:
        yield Reading(simple[tuple(shape)], most, others)
    if hand == "BR":
        yield Reading("rocket", hand)
    if len(hand) >= 5:
        yield run_of(held, 1, "solo chain")
    if len(hand) >= 6:
        yield run_of(held, 2, "pair chain")
        yield run_of(held, 3, "trio chain")
    if len(hand) >= 8:
        yield plane_of(held, 1, "plane+solos")
    if len(hand) >= 10:
        yield plane_of(held, 2, "plane+pairs")


class Rhcp:
    """The player, under rules given as axis -> value."""

    def __init__(self, rules: Mapping[str, object]) -> None:
        self.rules = rules
        self.known = {"": Value(0, 0)}

    def legal(self, group: Reading) -> bool:
        """Whether the rules have such a group."""
        return group in readings(in_order(group.main + group.kickers), self.rules)

    def whole(self, hand: str) -> Reading | None:
        """The group that the whole hand is."""
        return next((group for group in whole_groups(hand) if group and self.legal(group)), None)

    def rest(self, hand: str, group: Reading) -> Value:
        """What is left after a group."""
        return self.value(without(hand, group.main + group.kickers))

    def value(self, hand: str) -> Value:
        """V(h)."""
        if hand not in self.known:
            group = self.whole(hand)
            if group and group.category not in QUADS:
                self.known[hand] = Value(group_value(group), 1)
            else:
                group = self.lead(hand)
                rest = self.rest(hand, group)
                self.known[hand] = Value(group_value(group) + rest.total, 1 + rest.need)
        return self.known[hand]

    def best(self, hand: str, groups: Iterator[Reading], least: int) -> Reading | None:
        """The last of the legal groups whose rest scores best, and at least so much."""
        chosen = None
        for group in groups:
            if self.legal(group) and self.rest(hand, group).score >= least:
                chosen, least = group, self.rest(hand, group).score
        return chosen

    def lead(self, hand: str) -> Reading:
        """Lead(h)."""
        held = Counter(hand)
        group = self.whole(hand)
        if group and group.category not in QUADS:
            return group
        if held["B"] and held["R"] and self.value(without(hand, "BR")).need == 1:
            return Reading("rocket", "BR")
        found = self.best(hand, carriers(held), -25 - 7 * 21)
        if found:
            return found
        for rank in NORMAL:
            if held[rank] in (1, 2, 3):
                found = self.best(hand, of_lowest(held, rank), -25 - 7 * 21)
                assert found
                return found
        if held["B"] + held["R"] == 1:
            return Reading("solo", "B" if held["B"] else "R")
        return next(Reading("bomb", rank * 4) for rank in NORMAL if held[rank] == 4)

    def reply(self, hand: str, last: Reading) -> Reading | None:
        """Reply(h, g); None is a pass."""
        held = Counter(hand)
        rocket = Reading("rocket", "BR") if held["B"] and held["R"] else None
        bombs = [Reading("bomb", rank * 4) for rank in NORMAL if held[rank] == 4]
        if rocket and self.value(without(hand, "BR")).need == 1:
            return rocket
        if last.category == "rocket":
            return None
        if last.category == "bomb":
            return next((bomb for bomb in bombs if number(bomb.main[0]) > number(last.main[0])), rocket)
        whole = self.whole(hand)
        if whole:
            if whole.category == last.category and len(hand) == len(last.main + last.kickers):
                if number(whole.main[-1]) > number(last.main[-1]):
                    return whole
            if whole.category in ("bomb", "rocket") and last.category != "solo chain":
                return whole
        best = Value(self.value(hand).total, self.value(hand).need + 1)
        found = self.best(hand, answers(held, last), best.score)
        best = self.rest(hand, found) if found else best
        if last.category == "quad+pairs":
            strong = bombs[0] if bombs else rocket
            return (strong if best.total > 14 and strong else None) or found or strong
        if found:
            return found
        for bomb in bombs:
            if self.rest(hand, bomb).score >= best.score or self.rest(hand, bomb).total > 0:
                found, best = bomb, self.rest(hand, bomb)
        return found or (rocket if best.total > 20 else None)


def carriers(held: Counter[str]) -> Iterator[Reading]:
    """Step 3 of Lead: trios and planes with kickers."""
    for i, rank in enumerate(NORMAL):
        if held[rank] != 3:
            continue
        yield from (Reading("trio+solo", rank * 3, other) for other in RANKS if held[other] > 0 and other != rank)
        yield from (Reading("trio+pair", rank * 3, 2 * other) for other in NORMAL if held[other] > 1 and other != rank)
        for kind, least, longest in [("plane+solos", 1, 4), ("plane+pairs", 2, 3)]:
            for length in range(2, longest + 1):
                chain = CHAINED[i : i + length]
                if len(chain) < length or any(held[other] < 3 for other in chain):
                    break
                others = [other for other in RANKS if held[other] >= least and other not in chain]
                for kickers in combinations(others, length):
                    cards = "".join(kicker * least for kicker in kickers)
                    yield Reading(kind, "".join(other * 3 for other in chain), cards)


def chains(held: Counter[str], rank: str, copies: int, shortest: int) -> Iterator[str]:
    """The main cards of every chain from a rank on, the shortest first."""
    main = ""
    for other in CHAINED[RANKS.index(rank) :]:
        if held[other] < copies:
            return
        main += other * copies
        if len(main) >= shortest * copies:
            yield main


def of_lowest(held: Counter[str], rank: str) -> Iterator[Reading]:
    """Step 4 of Lead: what begins with a rank."""
    for copies, name in enumerate(["solo", "pair", "trio"], 1):
        if held[rank] >= copies:
            yield Reading(name, rank * copies)
    for copies, shortest, name in [(1, 5, "solo chain"), (2, 3, "pair chain"), (3, 2, "trio chain")]:
        yield from (Reading(name, main) for main in chains(held, rank, copies, shortest))


def answers(held: Counter[str], last: Reading) -> Iterator[Reading]:
    """Step 3 of Reply: every higher group of the same type and size."""
    copies = Counter(last.main)[last.main[0]]
    length = len(last.main) // copies
    for i in range(RANKS.index(last.main[0]) + 1, len(RANKS) + 1 - length):
        ranks = RANKS[i : i + length]
        exact = last.category == "plane+solos"
        if any(held[rank] < copies or (exact and held[rank] != 3) for rank in ranks):
            continue
        if length > 1 and ranks not in CHAINED:
            continue
        main = "".join(rank * copies for rank in ranks)
        if not last.kickers:
            yield Reading(last.category, main)
            continue
        each = 2 if last.category.endswith(("pair", "pairs")) else 1
        others = [rank for rank in RANKS if held[rank] >= each and rank not in ranks]
        size = len(last.kickers) // each
        plane = last.category.startswith("plane")
        if plane and size > (4 if each == 1 else 3):
            return
        for kickers in permutations(others, size) if plane else combinations(others, size):
            yield Reading(last.category, main, in_order("".join(kicker * each for kicker in kickers)))
