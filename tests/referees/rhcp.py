"""Slow referee for `rhcp`: plain recursion, with candidates in the order of the original rules document, section 5.

The original rules document is not part of this project. A hand is text in ascending order, a group a `Reading` of the
moves' referee. Groups that the rules forbid are neither considered nor recognized.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations
from typing import NamedTuple

from tests.referees.doudizhu import RANKS, Reading, in_order, readings

NORMAL, CHAINED = RANKS[:13], RANKS[:12]
QUADS = ("quad+solos", "quad+pairs")


class Value(NamedTuple):
    """Value of a hand: sum of group values and number of turns."""

    total: int
    need: int

    @property
    def score(self) -> int:
        """Sum minus the cost of the turns (7 each)."""
        return self.total - 7 * self.need


def rank_number(rank: str) -> int:
    """Return the number of a rank: 3 to 17, from the three to the red joker."""
    return RANKS.index(rank) + 3


def group_value(group: Reading) -> int:
    """Return the points of a group."""
    top = rank_number(group.main[-1])
    if group.category in ("solo", "pair", "trio", "trio+solo", "trio+pair"):
        return top - 10
    if group.category in ("solo chain", "pair chain"):
        return top - 9
    if group.category in ("trio chain", "plane+solos", "plane+pairs"):
        return (top - 2) // 2
    return {"bomb": top + 4, "rocket": 20}.get(group.category, (top - 3) // 2)


def without(hand: str, cards: str) -> str:
    """Return a hand without some cards."""
    left = Counter(hand)
    left.subtract(cards)
    assert min(left.values()) >= 0
    return in_order("".join(left.elements()))


def run_of(held: Counter[str], copies: int, category: str) -> Reading | None:
    """Return the first maximal run of ranks held exactly `copies` times, if it is the whole hand."""
    run = ""
    for rank in CHAINED:
        if held[rank] == copies:
            run += rank
        elif run:
            break
    main = "".join(rank * copies for rank in run)
    return Reading(category, main) if len(main) == held.total() else None


def plane_of(held: Counter[str], copies: int, category: str) -> Reading | None:
    """Return the first maximal run of trios with as many kickers of `copies` cards, if that is the whole hand."""
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
    """Yield the results of the tests for a hand that is one group, in order."""
    held = Counter(hand)
    shape = sorted(held.values())
    main = "".join(rank * held[rank] for rank in held if held[rank] == max(shape))
    others = "".join(card for card in hand if card not in main)
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
        yield Reading(simple[tuple(shape)], main, others)
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
    """The `rhcp` player, under rules given as a mapping from axis to value."""

    def __init__(self, rules: Mapping[str, object]) -> None:
        self.rules = rules
        self.known = {"": Value(0, 0)}

    def legal(self, group: Reading) -> bool:
        """Return whether the rules allow a group."""
        return group in readings(in_order(group.main + group.kickers), self.rules)

    def whole(self, hand: str) -> Reading | None:
        """Return the group that is the whole hand, None if it is not one group."""
        return next((group for group in whole_groups(hand) if group and self.legal(group)), None)

    def rest(self, hand: str, group: Reading) -> Value:
        """Return the value of the rest of a hand without a group."""
        return self.value(without(hand, group.main + group.kickers))

    def value(self, hand: str) -> Value:
        """Return the value V(h) of a hand."""
        if hand not in self.known:
            group = self.whole(hand)
            if group and group.category not in QUADS:
                self.known[hand] = Value(group_value(group), 1)
            else:
                group = self.lead(hand)
                rest = self.rest(hand, group)
                self.known[hand] = Value(group_value(group) + rest.total, 1 + rest.need)
        return self.known[hand]

    def best(self, hand: str, groups: Iterator[Reading], best_score: int) -> Reading | None:
        """Return the last of the legal groups whose rest scores best, and at least `best_score`."""
        chosen = None
        for group in groups:
            if self.legal(group) and self.rest(hand, group).score >= best_score:
                chosen, best_score = group, self.rest(hand, group).score
        return chosen

    def lead(self, hand: str) -> Reading:
        """Return the lead, Lead(h)."""
        held = Counter(hand)
        group = self.whole(hand)
        if group and group.category not in QUADS:
            return group
        if held["B"] and held["R"] and self.value(without(hand, "BR")).need == 1:
            return Reading("rocket", "BR")
        group = self.best(hand, leads_with_kickers(held), -25 - 7 * 21)
        if group:
            return group
        for rank in NORMAL:
            if held[rank] in (1, 2, 3):
                group = self.best(hand, groups_at_lowest_rank(held, rank), -25 - 7 * 21)
                assert group
                return group
        if held["B"] + held["R"] == 1:
            return Reading("solo", "B" if held["B"] else "R")
        return next(Reading("bomb", rank * 4) for rank in NORMAL if held[rank] == 4)

    def reply(self, hand: str, last: Reading) -> Reading | None:
        """Return the reply, Reply(h, g); None for a pass."""
        held = Counter(hand)
        rocket = Reading("rocket", "BR") if held["B"] and held["R"] else None
        bombs = [Reading("bomb", rank * 4) for rank in NORMAL if held[rank] == 4]
        if rocket and self.value(without(hand, "BR")).need == 1:
            return rocket
        if last.category == "rocket":
            return None
        if last.category == "bomb":
            return next((bomb for bomb in bombs if rank_number(bomb.main[0]) > rank_number(last.main[0])), rocket)
        whole = self.whole(hand)
        if whole:
            if whole.category == last.category and len(hand) == len(last.main + last.kickers):
                if rank_number(whole.main[-1]) > rank_number(last.main[-1]):
                    return whole
            if whole.category in ("bomb", "rocket") and last.category != "solo chain":
                return whole
        best = Value(self.value(hand).total, self.value(hand).need + 1)
        chosen = self.best(hand, higher_groups(held, last), best.score)
        best = self.rest(hand, chosen) if chosen else best
        if last.category == "quad+pairs":
            strong = bombs[0] if bombs else rocket
            return (strong if best.total > 14 and strong else None) or chosen or strong
        if chosen:
            return chosen
        for bomb in bombs:
            if self.rest(hand, bomb).score >= best.score or self.rest(hand, bomb).total > 0:
                chosen, best = bomb, self.rest(hand, bomb)
        return chosen or (rocket if best.total > 20 else None)


def leads_with_kickers(held: Counter[str]) -> Iterator[Reading]:
    """Yield the candidates of step 3 of Lead: trios and planes with kickers."""
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
    """Yield the main cards of every chain that starts at a rank, shortest first."""
    main = ""
    for other in CHAINED[RANKS.index(rank) :]:
        if held[other] < copies:
            return
        main += other * copies
        if len(main) >= shortest * copies:
            yield main


def groups_at_lowest_rank(held: Counter[str], rank: str) -> Iterator[Reading]:
    """Yield the candidates of step 4 of Lead: groups that start at a rank."""
    for copies, name in enumerate(["solo", "pair", "trio"], 1):
        if held[rank] >= copies:
            yield Reading(name, rank * copies)
    for copies, shortest, name in [(1, 5, "solo chain"), (2, 3, "pair chain"), (3, 2, "trio chain")]:
        yield from (Reading(name, main) for main in chains(held, rank, copies, shortest))


def higher_groups(held: Counter[str], last: Reading) -> Iterator[Reading]:
    """Yield the candidates of step 3 of Reply: every higher group of the same type and size."""
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
        kicker_size = 2 if last.category.endswith(("pair", "pairs")) else 1
        others = [rank for rank in RANKS if held[rank] >= kicker_size and rank not in ranks]
        size = len(last.kickers) // kicker_size
        plane = last.category.startswith("plane")
        if plane and size > (4 if kicker_size == 1 else 3):
            return
        for kickers in permutations(others, size) if plane else combinations(others, size):
            yield Reading(last.category, main, in_order("".join(kicker * kicker_size for kicker in kickers)))
