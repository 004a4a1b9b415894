"""One opponent's turn in plain Python, by enumeration of every hand it may hold.

`cardgames.uno.expectimax.opponent_replies` has closed forms of the same probabilities.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

SKIP, WILD, WILD_FOUR = 10, 13, 14


def _follows(card: int, top: int, match: str) -> bool:
    """Return whether a card that is no wild may be played on `top`."""
    same_face = card % 15 == top % 15 and (match == "symbol" or card % 15 < SKIP)
    return card // 15 == top // 15 or same_face


def _playable(hand: Sequence[int], top: int, rules: Mapping[str, str | int]) -> list[int]:
    """Return the cards of a hand that may be played on `top`."""
    playable = [
        card for card in hand if card % 15 == WILD or (card % 15 < WILD and _follows(card, top, str(rules["match"])))
    ]
    holds_color = any(card // 15 == top // 15 for card in hand if card % 15 < WILD)
    allows_wild_four = {"last-resort": not playable, "no-color": not holds_color}.get(str(rules["wild-four"]), True)
    return playable + [card for card in hand if card % 15 == WILD_FOUR and allows_wild_four]


def _draws(
    hand: Sequence[int], rest: Sequence[int], top: int, rules: Mapping[str, str | int]
) -> dict[tuple[str, int], Fraction]:
    """Return what a hand without playable cards does: (kind of reply, card) -> probability."""
    probabilities: dict[tuple[str, int], Fraction] = defaultdict(Fraction)
    if not rest or rules["drawn-card"] == "keep":
        return {("kept", top): Fraction(1)}
    playable = [card for card in rest if card in _playable([*hand, card], top, rules)]
    if rules["drawn-card"] != "rlcard" and rules["draw-how"] != "one":
        rest = playable or [-1]
    for card in rest:
        if rules["drawn-card"] == "rlcard":
            wild = card % 15 >= WILD
            kind = "idle" if wild else "laid" if card // 15 == top // 15 else "kept"
        else:
            kind = "laid" if card in playable else "kept"
        probabilities[kind, top if kind == "kept" else card] += Fraction(1, len(rest))
    return probabilities


def reply(
    unseen: Sequence[int], size: int, top: int, rules: Mapping[str, str | int]
) -> dict[tuple[str, int], Fraction]:
    """Return what an opponent with `size` of the `unseen` cards does on `top` (a wild: 15 * color in force + face).

    Keys are (kind of reply, card): `laid`, played; `idle`, played straight from the pile without effect; `kept`, with
    the top card; and `out`, with -1.
    """
    probabilities: dict[tuple[str, int], Fraction] = defaultdict(Fraction)
    deals = list(combinations(range(len(unseen)), size))
    for places in deals:
        hand = [unseen[i] for i in places]
        rest = [card for i, card in enumerate(unseen) if i not in places]
        playable = _playable(hand, top, rules)
        for card in playable:
            probabilities[("out", -1) if size == 1 else ("laid", card)] += Fraction(1, len(playable) * len(deals))
        if not playable:
            for kind_and_card, probability in _draws(hand, rest, top, rules).items():
                probabilities[kind_and_card] += probability / len(deals)
    return dict(probabilities)
