"""Text notation of cards and actions, written and parsed: `r5`, `gs`, `w`, `f:y`, `draw`, `catch 2`.

The notation is explained in `docs/reference/uno.md`.
"""

from collections.abc import Iterable

from cardgames.support.errors import (
    InvalidInput,
    check_integer,
    check_integer_in,
    check_value,
    parse_integer,
    short_repr,
)
from cardgames.uno import cards
from cardgames.uno.cards import (
    COLORS,
    FACES,
    JUMP,
    MAX_PLAYERS,
    NUM_ACTIONS,
    NUM_CARD_IDS,
    WILD,
)

_ACTION_WORDS = ["draw", "keep", "pass", "challenge", "accept", "uno", "quiet", "let go", "take", "no jump"]
COLOR_NAMES = ("red", "green", "blue", "yellow")
KIND_NAMES = (*tuple(color + face for color in COLORS for face in FACES[:WILD]), "w", "f")
"""Texts of paper 001's 54 kinds of card, in the order of `cards.KIND_OF_CARD`: colored cards, wild, wild draw four."""


def card_text(card: int, color: int | None = None) -> str:
    """Return the card id `card` as text, such as `r5` for red 5.

    A wild is written without its printed color; with `color`, the color it put in force, it is written as `w:b`.
    """
    face = FACES[card % 15]
    if card % 15 < WILD:
        return COLORS[card // 15] + face
    return face if color is None or color < 0 else f"{face}:{COLORS[color]}"


def exact_card_text(card: int) -> str:
    """Return a card id as text in which a wild has its printed color (`w:b`), so that every id has its own text."""
    return card_text(card, card // 15)


def hand_text(cards_in_hand: Iterable[int]) -> str:
    """Return the cards of a hand as one text, sorted by color, then face, wilds last."""
    ordered = sorted(cards_in_hand, key=lambda card: (card % 15 >= WILD, card % 15 if card % 15 >= WILD else 0, card))
    return " ".join(card_text(card) for card in ordered)


def _invalid_card(text: object) -> InvalidInput:
    """Return the error to raise for `text`, which is not a card."""
    return InvalidInput(
        f"{short_repr(text)} is not a card: write a color (r, g, b, y) and then 0-9, s (skip), v (reverse) or "
        "d (draw two); or write w (wild) or f (wild draw four)"
    )


def parse_card(text: str) -> tuple[int, bool]:
    """Return the card id written as `text`, and whether the text names exactly one card.

    `w` and `f` without a color stand for any wild; the id is then that of the wild with printed color red.

    Raises:
        InvalidInput: If `text` is not a card.
    """
    if not isinstance(text, str):
        raise _invalid_card(text)
    word = text.strip().lower()
    face, colon, color = word.partition(":")
    if face in ("w", "f") and (not colon or (len(color) == 1 and color in COLORS)):
        return 15 * (COLORS.index(color) if colon else 0) + FACES.index(face), bool(colon)
    if len(word) == 2 and word[0] in COLORS and word[1] in FACES[:WILD]:
        return 15 * COLORS.index(word[0]) + FACES.index(word[1]), True
    raise _invalid_card(text)


def parse_cards(text: str | Iterable[str | int]) -> list[int]:
    """Return the card ids written as `text`: one text with spaces between the cards, or a list of card texts or ids.

    Raises:
        InvalidInput: If one of the cards is not a card.
    """
    if not isinstance(text, Iterable):
        raise InvalidInput(f"cards are a text or a list, not {text!r}")
    words = text.split() if isinstance(text, str) else text
    return [
        parse_card(word)[0] if isinstance(word, str) else check_integer_in("a card id", word, 0, NUM_CARD_IDS - 1)
        for word in words
    ]


def action_text(action: int, top: int | None = None) -> str:
    """Return the action id `action` as text, such as `r5` or `draw`.

    A jump-in is written with its card if `top`, the id of the top card, is given.

    Raises:
        InvalidInput: If there is no such action id.
    """
    action = check_integer("an action", action)
    if 0 <= action < NUM_CARD_IDS:
        return card_text(action, action // 15)
    if NUM_CARD_IDS <= action < cards.CATCH:
        return _ACTION_WORDS[action - NUM_CARD_IDS]
    if cards.CATCH <= action < cards.SWAP:
        return f"catch {action - cards.CATCH}"
    if cards.SWAP <= action < JUMP:
        return f"swap {action - cards.SWAP}"
    if action == JUMP:
        return "jump" if top is None else f"jump {card_text(top)}"
    if cards.COLOR <= action < NUM_ACTIONS:
        return f"color {COLORS[action - cards.COLOR]}"
    raise InvalidInput(f"there is no action {action}")


def _parse_seat_action(word: str, rest: str) -> int:
    """Return the action id of `word`, which is `catch` or `swap`, for the seat index written as `rest`."""
    seat = parse_integer(rest)
    if seat is None or seat >= MAX_PLAYERS:
        raise InvalidInput(f"{word} takes a seat number from 0 to {MAX_PLAYERS - 1}, not {short_repr(rest)}")
    return (cards.CATCH if word == "catch" else cards.SWAP) + seat


def _parse_jump(card: str) -> int:
    """Return the action id of a jump-in; `card` is the text of its card, or empty."""
    if card and parse_card(card)[0] % 15 >= WILD:
        raise InvalidInput(f"a wild cannot be used to jump in: {card}")
    return JUMP


def parse_action(text: str) -> int:
    """Return the action id written as `text`, such as `r5`, `w:b`, `draw` or `catch 2`.

    Raises:
        InvalidInput: If `text` is not an action.
    """
    check_value("an action", text, "written as text", isinstance(text, str))
    words = " ".join(text.lower().split())
    if words in _ACTION_WORDS:
        return NUM_CARD_IDS + _ACTION_WORDS.index(words)
    word, _, rest = words.partition(" ")
    if word in ("catch", "swap"):
        return _parse_seat_action(word, rest)
    if word == "jump":
        return _parse_jump(rest)
    if word == "color" and len(rest) == 1 and rest in COLORS:
        return cards.COLOR + COLORS.index(rest)
    card, exact = parse_card(words)
    if not exact:
        raise InvalidInput(f"name a color for the wild: {words}:r, {words}:g, {words}:b or {words}:y")
    return card
