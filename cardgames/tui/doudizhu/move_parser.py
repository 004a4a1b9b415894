"""Parser for typed or chosen moves of Dou Di Zhu; its errors say why a move is not legal."""

from cardgames.core.state import State
from cardgames.doudizhu.cards import hand_from_text, hand_to_text, normalize_card_text, subtract_cards
from cardgames.doudizhu.moves.move_table import FIRST_MOVE, MOVE_TABLE, PASS, move_from_id
from cardgames.doudizhu.notation import action_text, parse_action, readings
from cardgames.doudizhu.rules.move_restrictions import MoveRestriction
from cardgames.doudizhu.state import PLAY
from cardgames.support.errors import InvalidInput
from cardgames.tui.doudizhu.wording import move_words


def parse(state: State, text: str) -> int:
    """Return the legal action that a person typed: cards, or a word such as `pass` or `bid 2`.

    Raises `InvalidInput` with the reason if no legal action is written so. If the cards can be read as several moves, it
    lists their texts.
    """
    word = _parse_word(text)
    if word is not None:
        return _allowed(state, word)
    actions = parse_cards(state, text)
    exact = [action for action in actions if action_text(action) == normalize_card_text(text)]
    if len(actions) > 1 and not exact:
        raise InvalidInput(f"{text.strip()} can be read as {' or '.join(map(action_text, actions))}: write one of them")
    return (exact or actions)[0]


def _parse_word(text: str) -> int | None:
    """Return the action of a word such as `pass` (or `p`), `bid 2` or `double`; None if `text` is not such a word."""
    try:
        action = PASS if text.strip().lower() == "p" else parse_action(text)
    except InvalidInput:
        return None
    return action if action < FIRST_MOVE else None


def _allowed(state: State, word: int) -> int:
    """Return an action that plays no cards, if it is legal; otherwise raise `InvalidInput` with what is allowed."""
    legal = state.legal_actions()
    if word in legal:
        return word
    if word == PASS:
        raise InvalidInput("you lead and may not pass: play any combination")
    words = [action_text(action) for action in legal if action < FIRST_MOVE]
    raise InvalidInput(f"{action_text(word)} is not allowed now: {_choice(state, words)}")


def _choice(state: State, words: list[str]) -> str:
    """Return the end of an error message, `choose from ...`, with the texts of the allowed actions."""
    return "choose from " + ", ".join([*words, "cards"] if state.record.phase == PLAY else words)


def parse_cards(state: State, text: str) -> list[int]:
    """Return all legal actions that play the cards written as `text`, such as `333+4`.

    A `+` separates the main cards of a move from its kickers. Without it, the cards may have several readings. Raises
    `InvalidInput` with the reason if no legal action plays these cards.
    """
    if state.record.phase != PLAY:
        words = [action_text(action) for action in state.legal_actions()]
        raise InvalidInput(f"no cards are played yet: {_choice(state, words)}")
    main, plus, kickers = text.partition("+")
    cards = hand_from_text(main + kickers)
    missing = subtract_cards(cards, int(state.record.hands[state.current_player()]))
    if not cards or missing:
        raise InvalidInput(f"you do not hold {hand_to_text(missing)}" if missing else "no cards are chosen")
    actions = [action for action in readings(cards) if not plus or MOVE_TABLE.main[action] == hand_from_text(main)]
    legal = set(state.legal_actions())
    allowed = [action for action in actions if action in legal]
    if not allowed:
        raise InvalidInput(_refusal(state, hand_to_text(cards), actions))
    return allowed


def _refusal(state: State, cards: str, actions: list[int]) -> str:
    """Return the reason why `cards` cannot be played, as text.

    `actions` are the moves that these cards form under the most permissive rules for combinations.
    """
    if not actions:
        return f"{cards} is not a combination"
    forbidding = [axis for axis in state.game.rules if isinstance(axis, MoveRestriction)]
    for action in actions:
        against = [axis for axis in forbidding if axis.forbids[str(axis.value)] & int(MOVE_TABLE.features[action])]
        if not against:
            return _too_low(cards, action, int(state.record.last))
    return f"{cards} is a {move_words(actions[0])}, which {' and '.join(map(str, against))} forbids"


def _too_low(cards: str, action: int, last: int) -> str:
    """Return the error message for a move `action` that does not beat the move `last`."""
    name = move_from_id(last).form.name
    if name == "rocket":
        return "nothing beats the rocket"
    wanted = "bomb" if name == "bomb" else f"{move_words(last)}, a bomb"
    return f"{cards}, a {move_words(action)}, does not beat {action_text(last)}: that takes a higher {wanted} or the rocket"
