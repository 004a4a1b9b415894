"""Slow referee for the moves of Dou Di Zhu: the rules in plain Python, by trying every choice of cards.

A move is a reading of its cards: the name of its category, the main cards and the kickers, both as text in ascending
order. `rules` maps each axis of the grammar to its value.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import NamedTuple

RANKS = "3456789TJQKA2BR"
CHAIN_RANKS = RANKS[:12]
MAX_EQUAL = {"different": 1, "two": 2, "three": 3, "four": 4}


class Reading(NamedTuple):
    """One way to read some cards as a move."""

    category: str
    main: str
    kickers: str = ""


def in_order(cards: str) -> str:
    """Return the cards in ascending order."""
    return "".join(sorted(cards, key=RANKS.index))


def consecutive(ranks: str) -> bool:
    """Return whether distinct ranks in ascending order are consecutive, without twos and jokers."""
    return ranks in CHAIN_RANKS


def without_kickers(cards: str, held: Mapping[str, int]) -> Iterator[Reading]:
    """Yield every reading of cards in ascending order as a move without kickers; `held` counts the cards of each rank."""
    if cards == "BR":
        yield Reading("rocket", cards)
        return
    copies = held[cards[0]]
    if set(held.values()) != {copies}:
        return
    ranks = "".join(held)
    if len(ranks) == 1:
        yield Reading({1: "solo", 2: "pair", 3: "trio", 4: "bomb"}[copies], cards)
    elif copies <= 3 and consecutive(ranks) and len(ranks) >= {1: 5, 2: 3, 3: 2}[copies]:
        yield Reading({1: "solo chain", 2: "pair chain", 3: "trio chain"}[copies], cards)


def solos_allowed(main: str, kickers: str, rules: Mapping[str, object]) -> bool:
    """Return whether the rules allow these single kickers beside the main ranks."""
    held = Counter(kickers)
    if max(held.values()) > MAX_EQUAL[str(rules["equal-kickers"])]:
        return False
    if held["B"] and held["R"]:
        choice = rules["joker-kickers"]
        if choice == "never" or (choice == "with-others" and len(kickers) == 2):
            return False
    adjoining = {
        rank
        for rank, copies in held.items()
        if copies >= 3 and any(abs(RANKS.index(rank) - RANKS.index(other)) == 1 for other in main)
    }
    return adjoining <= {"allowed": set(RANKS), "twos": {"2"}, "banned": set()}[str(rules["adjoining-kickers"])]


def pairs_allowed(kickers: str, rules: Mapping[str, object]) -> bool:
    """Return whether the rules allow these pair kickers (each rank written once per pair)."""
    return rules["pair-kickers"] == "equal" or len(set(kickers)) == len(kickers)


def main_rank_choices(held: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield every choice of main ranks of a move with kickers: the move's name and the ranks."""
    ranks = "".join(held)
    yield from (("quad", rank) for rank in ranks if held[rank] == 4)
    yield from (("trio", rank) for rank in ranks if held[rank] == 3)
    tripled = "".join(rank for rank in ranks if held[rank] == 3)
    for first, last in combinations(range(len(tripled)), 2):
        part = tripled[first : last + 1]
        if consecutive(part):
            yield "plane", part


def with_kickers(cards: str, held: Mapping[str, int], rules: Mapping[str, object]) -> Iterator[Reading]:
    """Yield every reading of cards in ascending order as a move with kickers."""
    for name, ranks in main_rank_choices(held):
        if rules[f"{name}-kickers"] in ("banned", "none"):
            continue
        num_kickers, plural = (2 if name == "quad" else len(ranks)), ("" if name == "trio" else "s")
        main = "".join(card for card in cards if card in ranks)
        kickers = "".join(card for card in cards if card not in ranks)
        if len(kickers) == num_kickers and solos_allowed(ranks, kickers, rules):
            yield Reading(f"{name}+solo{plural}", main, kickers)
        if name == "trio" and rules["trio-kickers"] == "solos":
            continue
        pairs = kickers[::2]
        if len(pairs) == num_kickers and kickers == "".join(2 * rank for rank in pairs) and pairs_allowed(pairs, rules):
            yield Reading(f"{name}+pair{plural}", main, kickers)


def readings(cards: str, rules: Mapping[str, object]) -> list[Reading]:
    """Return every reading of cards in ascending order as a legal move."""
    if not cards or (rules["size-cap"] == "20" and len(cards) > 20):
        return []
    held = Counter(cards)
    return [*without_kickers(cards, held), *with_kickers(cards, held, rules)]


def choices(hand: str) -> Iterator[str]:
    """Yield every subset of the cards of a hand, each once."""
    held = Counter(in_order(hand))
    for copies in product(*(range(max_copies + 1) for max_copies in held.values())):
        yield "".join(rank * count for rank, count in zip(held, copies, strict=True))


def leads(hand: str, rules: Mapping[str, object]) -> list[Reading]:
    """Return every legal move of a hand."""
    return [reading for cards in choices(hand) for reading in readings(cards, rules)]


def beats(move: Reading, other: Reading) -> bool:
    """Return whether a move beats another."""
    if other.category == "rocket":
        return False
    if move.category == "rocket":
        return True
    if move.category == "bomb" and other.category != "bomb":
        return True
    same_form = move.category == other.category and len(move.main) == len(other.main)
    return same_form and RANKS.index(move.main[0]) > RANKS.index(other.main[0])


def replies(hand: str, last: Reading, rules: Mapping[str, object]) -> list[Reading]:
    """Return every legal move of a hand that beats `last`; a pass is legal too."""
    return [move for move in leads(hand, rules) if beats(move, last)]
