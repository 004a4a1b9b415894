"""Positions set up by hand from some of their cards; cards that are not given are dealt at random."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput, check_seat, is_integer, parse_integer, short_repr, unknown_name
from cardgames.uno import piles
from cardgames.uno.cards import COLORS, DECK, WILD
from cardgames.uno.notation import (
    card_text,
    parse_card,
    parse_cards,
)
from cardgames.uno.state import blank

Cards = str | Iterable[str | int]


class UnplacedCards:
    """Cards of the deck that are not yet in a hand or pile of the position that is being set up."""

    def __init__(self) -> None:
        self.left = [int(card) for card in DECK]

    def take(self, card: int) -> int:
        """Remove `card` from the unplaced cards and return its id.

        If it is a wild that is already placed, another wild with the same face is taken instead.

        Raises:
            InvalidInput: If no such card is left.
        """
        if card not in self.left and card % 15 >= WILD:
            card = next((other for other in self.left if other % 15 == card % 15), card)
        if card not in self.left:
            raise InvalidInput(f"too many {card_text(card)}: the deck has no more of them")
        self.left.remove(card)
        return card

    def take_all(self, text: Cards) -> list[int]:
        """Remove the cards written as `text` from the unplaced cards and return their ids."""
        return [self.take(card) for card in parse_cards(text)]

    def draw(self, n: int, random: np.random.Generator) -> list[int]:
        """Remove `n` random cards from the unplaced cards and return their ids.

        Raises:
            InvalidInput: If fewer than `n` cards are left.
        """
        if n > len(self.left):
            raise InvalidInput(
                f"the position needs {short_repr(n)} more cards, but only {len(self.left)} of the deck are left"
            )
        random.shuffle(self.left)
        taken, self.left = self.left[:n], self.left[n:]
        return taken


def parse_color(text: str | None, default: int) -> int:
    """Return the color index (0 to 3) of the letter `text`, or `default` if `text` is None.

    Raises:
        InvalidInput: If `text` is not a color.
    """
    if text is None:
        return default
    if text not in tuple(COLORS):
        raise unknown_name("color", text, COLORS)
    return COLORS.index(text)


def check_direction(direction: object) -> int:
    """Return the direction of play `direction` as an int.

    Raises:
        InvalidInput: If it is not 1 or -1.
    """
    if is_integer(direction) and direction in (1, -1):
        return int(direction)
    raise InvalidInput(f"direction is 1 or -1, not {short_repr(direction)}")


def fill_pile(record: Any, pile: Sequence[int], fixed: int) -> None:
    """Make `pile` (next card first) the draw pile of a state record; its first `fixed` cards keep their order."""
    record.n_pile = len(pile)
    record.n_fixed = fixed
    record.pile[: len(pile)] = list(pile)[::-1]


def fill_discard(record: Any, discard: Sequence[int]) -> None:
    """Make `discard` (bottom card first, top card last) the discard pile of a state record."""
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
    """Return the state record of a position at the start of a turn, set up from its parts.

    `Uno.position` documents the parts, which are the keyword arguments.

    Raises:
        InvalidInput: If the parts are incomplete or contradict one another.
    """
    if top is None:
        raise InvalidInput("a position needs top, the top card")
    hands = [_parse_hand_size(hand) for hand in hands]
    if len(hands) != players:
        raise InvalidInput(f"{len(hands)} hands were given for {players} players")
    record, unplaced, random = blank(players), UnplacedCards(), np.random.default_rng(rng.derive(seed, 1))
    record.rng = rng.derive(seed)
    top_card, exact = parse_card(top)
    if top_card % 15 >= WILD and not exact and color is None:
        raise InvalidInput(f"top card {top} needs a color: {top}:r, {top}:g, {top}:b or {top}:y")
    record.top = unplaced.take(top_card)
    record.color = parse_color(color, top_card // 15)
    if top_card % 15 < WILD and record.color != top_card // 15:
        raise InvalidInput(
            f"only a wild can be on top with another color in force than its own: top {top} with color {color}"
        )
    record.turn = record.to_move = check_seat("to_move", to_move, players)
    record.dealer = players - 1 if dealer is None else check_seat("dealer", dealer, players)
    record.direction = check_direction(direction)
    for hand in hands:
        if isinstance(hand, bool) or (is_integer(hand) and hand < 1):
            raise InvalidInput(f"a hand is its cards or their number, at least 1, not {short_repr(hand)}")
    chosen_hands = [None if hand is None or is_integer(hand) else unplaced.take_all(hand) for hand in hands]  # type: ignore[arg-type]
    next_cards = unplaced.take_all(draw)
    under_top = unplaced.take_all(discard) if discard is not None else []
    for seat, (hand, hand_spec) in enumerate(zip(chosen_hands, hands, strict=True)):
        cards = hand if hand is not None else unplaced.draw(hand_size if hand_spec is None else int(hand_spec), random)  # type: ignore[arg-type]
        if not cards:
            raise InvalidInput(f"seat {seat} has no cards")
        for card in cards:
            piles.add_to_hand(record, seat, card)
    rest = _fill_pile_and_discard(unplaced, len(next_cards), pile, discard is not None, random, under_top)
    fill_pile(record, next_cards + rest, len(next_cards))
    fill_discard(record, [*under_top, int(record.top)])
    return record


def _parse_hand_size(hand: Cards | int | None) -> Cards | int | None:
    """Return a hand that is written as a number of cards, such as `"7"`, as that int; return another hand unchanged."""
    number = parse_integer(hand.strip()) if isinstance(hand, str) else None
    return hand if number is None else number


def _fill_pile_and_discard(
    unplaced: UnplacedCards,
    following: int,
    pile: int | None,
    has_discard: bool,
    random: np.random.Generator,
    under_top: list[int],
) -> list[int]:
    """Draw random `unplaced` cards for the rest of the draw pile, and return them.

    The draw pile has `pile` cards (None: all that are left), of which the first `following` are given already. Cards
    that do not fit into it are added to `under_top`, the cards under the top card.

    Raises:
        InvalidInput: If `pile` is less than `following`, or if cards are left over although the discards are given
            (`has_discard`).
    """
    if pile is None:
        return unplaced.draw(len(unplaced.left), random)
    if pile < following:
        raise InvalidInput(f"pile is {pile}, but draw names {following} cards")
    rest = unplaced.draw(pile - following, random)
    if unplaced.left and has_discard:
        raise InvalidInput(f"{len(unplaced.left)} cards are left over: they are in no hand, draw pile or discard pile")
    under_top += unplaced.draw(len(unplaced.left), random)
    return rest
