"""Slow referee for decompositions: removes each group in turn, splits the rest recursively, and drops duplicates."""

from collections import Counter
from collections.abc import Mapping

from tests.referees.doudizhu import Reading, in_order, leads


def decompositions(hand: str, rules: Mapping[str, object]) -> set[tuple[Reading, ...]]:
    """Return every multiset of legal groups that uses up a hand, each in sorted order."""
    groups = [(group, Counter(group.main + group.kickers)) for group in leads(in_order(hand), rules)]
    memo: dict[str, set[tuple[Reading, ...]]] = {"": {()}}

    def split(remaining: str) -> set[tuple[Reading, ...]]:
        if remaining not in memo:
            held = Counter(remaining)
            memo[remaining] = {
                tuple(sorted((group, *others)))
                for group, cards in groups
                if cards <= held
                for others in split(in_order("".join((held - cards).elements())))
            }
        return memo[remaining]

    return split(in_order(hand))
