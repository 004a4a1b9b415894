"""Positions set up by hand or read from plain data: finding a physical card for every card named."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cardgames.core import rng
from cardgames.core.errors import InvalidInput, unknown
from cardgames.uno import piles
from cardgames.uno.cards import COLORS, DECK, WILD
from cardgames.uno.events import held
from cardgames.uno.notation import (
    card_text,
    hand_text,
    parse_card,
    parse_cards,
    printed_text,
)
from cardgames.uno.state import OVER, PHASES, WAIT, blank

Cards = str | Iterable[str | int]

_MANY = 32_000
_NUMBERS: dict[str, tuple[int, int | None]] = {
    "turn": (0, None),
    "layer": (-1, None),
    "pending": (0, _MANY),
    "uncalled": (-1, None),
    "idle": (0, _MANY),
    "clock": (0, _MANY),
    "decisions": (0, 2**31 - 2),
    "laid": (0, 2**31 - 2),
    "dealer": (0, None),
}
"""Field -> least and greatest value; None stands for the last seat."""


class Box:
    """The cards of the deck not placed yet."""

    def __init__(self) -> None:
        self.left = [int(card) for card in DECK]

    def take(self, card: int, exact: bool = True) -> int:
        """Take one card, or any wild of its face, out of the box. Raises `InvalidInput` if none is left."""
        if card not in self.left and not (exact and card % 15 < WILD):
            others = [other for other in self.left if card % 15 >= WILD and other % 15 == card % 15]
            card = others[0] if others else card
        if card not in self.left:
            raise InvalidInput(f"there are not that many {card_text(card)} in the deck")
        self.left.remove(card)
        return card

    def take_all(self, text: Cards) -> list[int]:
        """Take the cards written as `text`."""
        return [self.take(card, exact) for card, exact in parse_cards(text)]

    def draw(self, n: int, random: np.random.Generator) -> list[int]:
        """Take `n` random cards. Raises `InvalidInput` if there are fewer."""
        if n > len(self.left):
            raise InvalidInput(f"the position needs {n} more cards, but only {len(self.left)} of the deck are left")
        random.shuffle(self.left)
        taken, self.left = self.left[:n], self.left[n:]
        return taken


def parse_color(text: str | None, default: int) -> int:
    """Return a colour's number. Raises `InvalidInput`."""
    if text is None:
        return default
    if text not in tuple(COLORS):
        raise unknown("colour", text, COLORS)
    return COLORS.index(text)


def _seat(name: str, seat: int, players: int) -> int:
    if not isinstance(seat, int) or not 0 <= seat < players:
        raise InvalidInput(f"{name} is a seat from 0 to {players - 1}, not {seat!r}")
    return seat


def fill_pile(record: Any, pile: Sequence[int], fixed: int) -> None:
    """Make `pile` (next card first, the first `fixed` in that order) the draw pile."""
    record.n_pile = len(pile)
    record.n_fixed = fixed
    record.pile[: len(pile)] = list(pile)[::-1]


def _fill_discard(record: Any, discard: Sequence[int]) -> None:
    record.n_discard = len(discard)
    record.discard[: len(discard)] = discard


def set_up(
    players: int,
    hand_size: int,
    *,
    hands: Sequence[Cards | int | None],
    top: str | None = None,
    color: str | None = None,
    to_move: int = 0,
    direction: int = 1,
    draw: Cards = (),
    pile: int | None = None,
    discard: Cards | None = None,
    dealer: int | None = None,
    seed: int = 0,
) -> Any:
    """Return the record of a position at the start of a turn; see `Uno.position`. Raises `InvalidInput`."""
    if top is None:
        raise InvalidInput("a position says nothing of top, the top card")
    hands = [int(hand) if isinstance(hand, str) and hand.strip().isdecimal() else hand for hand in hands]
    if len(hands) != players:
        raise InvalidInput(f"{len(hands)} hands were given for {players} players")
    if direction not in (1, -1):
        raise InvalidInput(f"direction is 1 or -1, not {direction!r}")
    record, box, random = blank(players), Box(), np.random.default_rng(rng.derive(seed, 1))
    record.rng = rng.derive(seed)
    named, exact = parse_card(top)
    if named % 15 >= WILD and not exact and color is None:
        raise InvalidInput(f"say which colour is in force on the {top}: {top}:r, {top}:g, {top}:b or {top}:y")
    record.top = box.take(named, exact=False)
    record.color = parse_color(color, named // 15)
    record.turn = record.to_move = _seat("to_move", to_move, players)
    record.dealer = players - 1 if dealer is None else _seat("dealer", dealer, players)
    record.direction = direction
    for hand in hands:
        if isinstance(hand, int) and (isinstance(hand, bool) or hand < 1):
            raise InvalidInput(f"a hand is its cards or how many it holds, at least 1, not {hand!r}")
    given = [None if hand is None or isinstance(hand, int) else box.take_all(hand) for hand in hands]
    following = box.take_all(draw)
    under = box.take_all(discard) if discard is not None else []
    for seat, (hand, wanted) in enumerate(zip(given, hands, strict=True)):
        cards = hand if hand is not None else box.draw(hand_size if wanted is None else int(wanted), random)  # type: ignore[arg-type]
        if not cards:
            raise InvalidInput(f"seat {seat} has no cards")
        for card in cards:
            piles.give(record, seat, card)
    rest = _split_rest(box, len(following), pile, discard is not None, random, under)
    fill_pile(record, following + rest, len(following))
    _fill_discard(record, [*under, int(record.top)])
    return record


def _split_rest(
    box: Box, following: int, pile: int | None, discard_given: bool, random: np.random.Generator, under: list[int]
) -> list[int]:
    """Return the pile's cards beyond those named; what it may not hold goes under the top card."""
    if pile is None:
        return box.draw(len(box.left), random)
    if pile < following:
        raise InvalidInput(f"the pile is to hold {pile} cards, but {following} next cards are named")
    rest = box.draw(pile - following, random)
    if box.left and discard_given:
        raise InvalidInput(
            f"{len(box.left)} cards are left over: neither in a hand, nor in the pile, nor in the discard pile"
        )
    under += box.draw(len(box.left), random)
    return rest


def _places(record: Any) -> dict[str, str]:
    """Return where each physical wild lies, which the text of a card does not tell."""
    places: dict[str, str] = {}
    for seat in range(record.players):
        places |= {printed_text(card): f"hand {seat}" for card in held(record, seat) if card % 15 >= WILD}
    for name, cards in (("pile", record.pile[: record.n_pile][::-1]), ("discard", record.discard[: record.n_discard])):
        places |= {printed_text(int(card)): f"{name} {i}" for i, card in enumerate(cards) if card % 15 >= WILD}
    return places


def to_dict(record: Any) -> dict[str, Any]:
    """Return a state record as plain data, from which `from_dict` makes the same record."""
    return {
        "to_move": int(record.to_move),
        "direction": int(record.direction),
        "top": card_text(int(record.top), int(record.color)),
        "color": COLORS[record.color] if record.color >= 0 else None,
        "hands": [hand_text(held(record, seat)) for seat in range(record.players)],
        "draw_pile": [card_text(int(card)) for card in record.pile[: record.n_pile][::-1]],
        "draw_fixed": int(record.n_fixed),
        "discard": [card_text(int(card)) for card in record.discard[: record.n_discard]],
        "pending": int(record.pending),
        "phase": PHASES[record.phase],
        "winner": int(record.winner) if record.winner >= 0 else None,
        "void": bool(record.void),
        "drawn": printed_text(int(record.drawn)) if record.drawn >= 0 else None,
        "prior_color": COLORS[record.prior_color] if record.prior_color >= 0 else None,
        "printed_top": printed_text(int(record.top)),
        "wilds": _places(record),
        "received": [int(n) for n in record.received],
        **{name: int(record[name]) for name in _NUMBERS},
        "rng": int(record.rng),
    }


def from_dict(players: int, data: dict[str, Any]) -> Any:
    """Return the state record that `to_dict` wrote. Raises `InvalidInput` for anything else."""
    try:
        return _read(players, data)
    except InvalidInput:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise InvalidInput(f"not a position of Uno: {type(error).__name__} {error}") from None


def _read(players: int, data: dict[str, Any]) -> Any:
    if len(data["hands"]) != players:
        raise InvalidInput(f"a position for {len(data['hands'])} players, not {players}")
    record, wilds, box = blank(players), data["wilds"], Box()

    def place(texts: Iterable[str], where: str, counted: bool) -> list[int]:
        found = []
        for i, text in enumerate(texts):
            card, _ = parse_card(text)
            if card % 15 >= WILD:
                here = f"{where} {i}" if counted else where
                printed = [
                    w for w, at in wilds.items() if at == here and w[0] == text[0] and parse_card(w)[0] in box.left
                ]
                card, _ = parse_card(printed[0])
            found.append(box.take(card))
        return found

    for seat, hand in enumerate(data["hands"]):
        for card in place(hand.split(), f"hand {seat}", counted=False):
            piles.give(record, seat, card)
    pile = place(data["draw_pile"], "pile", counted=True)
    fill_pile(record, pile, _within("draw_fixed", data["draw_fixed"], 0, len(pile)))
    _fill_discard(record, place(data["discard"], "discard", counted=True))
    if box.left:
        raise InvalidInput(f"{len(box.left)} cards of the deck are missing")
    record.top = _within("printed_top", parse_card(data["printed_top"])[0], 0, 59)
    record.color = -1 if data["color"] is None else parse_color(data["color"], 0)
    record.prior_color = -1 if data["prior_color"] is None else parse_color(data["prior_color"], 0)
    record.drawn = -1 if data["drawn"] is None else parse_card(data["drawn"])[0]
    record.phase = PHASES.index(data["phase"])
    record.winner = -1 if data["winner"] is None else _seat("winner", data["winner"], players)
    record.void = bool(data["void"])
    over = record.winner >= 0 or bool(record.void)
    if over != (record.phase == OVER) or record.phase == WAIT:
        raise InvalidInput(f"phase {data['phase']} does not go with winner {data['winner']} and void {data['void']}")
    record.to_move = -1 if over else _seat("to_move", data["to_move"], players)
    if data["direction"] not in (1, -1):
        raise InvalidInput(f"direction is 1 or -1, not {data['direction']!r}")
    record.direction = data["direction"]
    record.received[:] = [_within("received", n, 0, _MANY) for n in data["received"]]
    for name, (low, high) in _NUMBERS.items():
        record[name] = _within(name, data[name], low, players - 1 if high is None else high)
    record.rng = np.uint64(_within("rng", data["rng"], 0, 2**64 - 1))
    _check(record, data["phase"])
    return record


def _within(name: str, number: int, low: int, high: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
        raise InvalidInput(f"{name} is a whole number from {low} to {high}, not {number!r}")
    return number


def _check(record: Any, phase: str) -> None:
    """Raise `InvalidInput` for a question that nobody could be asked in this position."""
    asked = {
        "color": record.color < 0,
        "after-draw": record.drawn >= 0 and record.drawn in held(record, record.to_move),
        "answer": record.pending > 0,
        "catch": record.uncalled >= 0,
        "over": True,
        "play": record.color >= 0 and record.pending == 0,
        "swap": record.layer == record.to_move,
        "uno": record.layer == record.to_move,
        "jump": record.layer >= 0 and record.top in held(record, record.to_move),
    }
    if not asked[phase]:
        raise InvalidInput(f"phase {phase} does not go with the rest of the position")
    if record.n_discard and record.discard[record.n_discard - 1] != record.top:
        raise InvalidInput("the top card is not the last of the discard pile")
    if record.winner < 0 and any(record.counts[seat] == 0 for seat in range(record.players)):
        raise InvalidInput("a hand is empty, but nobody has won")
