"""A slow referee for decompositions: take any group out of a hand, split the rest likewise, throw away what came before."""

from collections import Counter
from collections.abc import Mapping

from tests.referees.doudizhu import Reading, in_order, leads


def decompositions(hand: str, rules: Mapping[str, object]) -> set[tuple[Reading, ...]]:
    """Every multiset of legal groups that uses up a hand, each in sorted order."""
    groups = [(group, Counter(group.main + group.kickers)) for group in leads(in_order(hand), rules)]
    known: dict[str, set[tuple[Reading, ...]]] = {"": {()}}

    def split(left: str) -> set[tuple[Reading, ...]]:
        if left not in known:
            held = Counter(left)
            known[left] = {
                tuple(sorted((group, *others)))
                for group, cards in groups
                if cards <= held
                for others in split(in_order("".join((held - cards).elements())))
            }
        return known[left]

    return split(in_order(hand))
