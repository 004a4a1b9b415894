"""Moves as text: their cards in ascending order (`33344456`), `pass`, `bid 2`, `call`.

Cards that can be read as several moves are written with the reading, main cards first: `333444555+666` and
`444555666+333`; the chain of four trios, which has no kickers, is plain `333444555666`.
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
from cardgames.doudizhu.rules.grammar import forbidden_features
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
    """Return the cards of all moves in ascending order, and the moves' ids."""
    order = FIRST_MOVE + np.argsort(MOVE_TABLE.cards[FIRST_MOVE:], kind="stable")
    return MOVE_TABLE.cards[order], order


def readings(cards: int) -> list[int]:
    """Return the ids of all moves with exactly these cards (a hand), ascending; most cards have one or none."""
    ordered, ids = _by_cards()
    matches = slice(*(int(np.searchsorted(ordered, np.uint64(cards), side)) for side in ("left", "right")))
    return [int(action) for action in ids[matches]]


def action_text(action: int) -> str:
    """Return an action id as text. Raises `InvalidInput` for an unknown id."""
    action = check_integer("an action", action)
    if action in _WORDS:
        return _WORDS[action]
    move = move_from_id(action)
    if move.kickers and len(readings(move.cards)) > 1:
        return f"{hand_to_text(move.main)}+{hand_to_text(move.kickers)}"
    return hand_to_text(move.cards)


def parse_action(text: str, rules: RuleSet | None = None) -> int:
    """Return the action id written as `text`, cards in any order; `rules` (default: any) tell which moves there are.

    A text without a `+` that has a reading without kickers means that one. Raises `InvalidInput`.
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
        raise InvalidInput(f"{short_repr(text)} is no move")
    if len(candidates) > 1:
        raise InvalidInput(f"{text!r} can be read as {' or '.join(map(action_text, candidates))}: write one of them")
    return candidates[0]
