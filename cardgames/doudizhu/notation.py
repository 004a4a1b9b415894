"""Writing and parsing actions as text: a move's cards in ascending order (`33344456`), or words (`pass`, `bid 2`, `call`).

If the same cards form several moves, the text names the main cards first, then the kickers: `333444555+666` and
`444555666+333`. The chain of four trios has no kickers and is written `333444555666`.
"""

import functools

import numpy as np
from numpy.typing import NDArray

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import hand_from_text, hand_to_text
from cardgames.doudizhu.moves.move_table import (
    CALL,
    DOUBLE,
    FIRST_BID,
    FIRST_MOVE,
    MOVE_TABLE,
    PASS,
    ROB,
    SUPER_DOUBLE,
    move_from_id,
)
from cardgames.doudizhu.rules.move_restrictions import forbidden_features
from cardgames.support.errors import InvalidInput, check_integer, check_value, short_repr, unknown_name

_WORDS = {
    PASS: "pass",
    **{FIRST_BID + i: f"bid {i + 1}" for i in range(3)},
    CALL: "call",
    ROB: "rob",
    DOUBLE: "double",
    SUPER_DOUBLE: "super double",
}


@functools.cache
def _by_cards() -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the cards of every move, sorted by their value as a hand (uint64), and the move ids in the same order.

    The result serves to find moves by their cards with a binary search.
    """
    order = FIRST_MOVE + np.argsort(MOVE_TABLE.cards[FIRST_MOVE:], kind="stable")
    return MOVE_TABLE.cards[order], order


def readings(cards: int) -> list[int]:
    """Return the ids of all moves that consist of exactly the hand `cards`, ascending. Most hands form one move or none."""
    sorted_cards, ids = _by_cards()
    matches = slice(*(int(np.searchsorted(sorted_cards, np.uint64(cards), side)) for side in ("left", "right")))
    return [int(action) for action in ids[matches]]


def action_text(action: int) -> str:
    """Return the text of an action id: its cards, ascending, or a word such as `pass` or `bid 2`.

    If the same cards form several moves, a `+` separates the main cards from the kickers.

    Raises:
        InvalidInput: If the id is unknown.
    """
    action = check_integer("an action", action)
    if action in _WORDS:
        return _WORDS[action]
    move = move_from_id(action)
    if move.kickers and len(readings(move.cards)) > 1:
        return f"{hand_to_text(move.main)}+{hand_to_text(move.kickers)}"
    return hand_to_text(move.cards)


def parse_action(text: str, rules: RuleSet | None = None) -> int:
    """Parse the text of an action (cards in any order, or a word such as `pass`) into its action id.

    If cards without a `+` form several moves, the text means the move without kickers, if one of the moves has none.

    Args:
        text: The action, such as `33344456`, `333444555+666` or `bid 2`.
        rules: Rules that determine which moves exist; by default every move of the move table exists.

    Raises:
        InvalidInput: If the text is not an action, or can be read as several moves.
    """
    check_value("an action", text, "written as text", isinstance(text, str))
    words = " ".join(text.lower().split())
    for action, word in _WORDS.items():
        if words == word:
            return action
    if any(words.startswith(word.split()[0]) for word in _WORDS.values()):
        raise unknown_name("action", text, _WORDS.values())
    main, plus, kickers = text.partition("+")
    cards = hand_from_text(main + kickers)
    forbidden = forbidden_features(rules) if rules is not None else 0
    candidates = [action for action in readings(cards) if not MOVE_TABLE.features[action] & forbidden]
    if plus:
        candidates = [action for action in candidates if MOVE_TABLE.main[action] == hand_from_text(main)]
    elif len(candidates) > 1:
        candidates = [action for action in candidates if MOVE_TABLE.main[action] == cards] or candidates
    if not candidates:
        raise InvalidInput(f"{short_repr(text)} is not a move")
    if len(candidates) > 1:
        raise InvalidInput(f"{text!r} is ambiguous: write {' or '.join(map(action_text, candidates))}")
    return candidates[0]
