"""What the cards a person chose may mean now, or why they cannot be played."""

from cardgames.core.state import State
from cardgames.doudizhu.cards import hand_from_text, hand_to_text, normalize_card_text, subtract_cards
from cardgames.doudizhu.moves.move_table import FIRST_MOVE, MOVE_TABLE, PASS, move_from_id
from cardgames.doudizhu.notation import action_text, parse_action, readings
from cardgames.doudizhu.rules.grammar import GrammarAxis
from cardgames.doudizhu.state import PLAY
from cardgames.support.errors import InvalidInput
from cardgames.tui.doudizhu.wording import move_words


def parse(state: State, text: str) -> int:
    """Return the legal action written as `text`. Raises `InvalidInput`, saying why there is none, or between which of
    several one has to choose.
    """
    said = _parse_word(text)
    if said is not None:
        return _allowed(state, said)
    found = meant(state, text)
    exact = [action for action in found if action_text(action) == normalize_card_text(text)]
    if len(found) > 1 and not exact:
        raise InvalidInput(f"{text.strip()} can be read as {' or '.join(map(action_text, found))}: write one of them")
    return (exact or found)[0]


def _parse_word(text: str) -> int | None:
    """Return what is said, not played, a pass perhaps as its key; None for cards."""
    try:
        action = PASS if text.strip().lower() == "p" else parse_action(text)
    except InvalidInput:
        return None
    return action if action < FIRST_MOVE else None


def _allowed(state: State, said: int) -> int:
    legal = state.legal_actions()
    if said in legal:
        return said
    if said == PASS:
        raise InvalidInput("you lead and may not pass: play any cards that go together")
    words = [action_text(action) for action in legal if action < FIRST_MOVE]
    raise InvalidInput(f"{action_text(said)} is not allowed now: {_choice(state, words)}")


def _choice(state: State, words: list[str]) -> str:
    return "choose from " + ", ".join([*words, "cards"] if state.record.phase == PLAY else words)


def meant(state: State, text: str) -> list[int]:
    """Return the legal actions that play the cards written as `text`, main cards before a `+` if there is one.

    Raises `InvalidInput`, saying why there is none.
    """
    if state.record.phase != PLAY:
        words = [action_text(action) for action in state.legal_actions()]
        raise InvalidInput(f"no cards are played yet: {_choice(state, words)}")
    main, plus, kickers = text.partition("+")
    cards = hand_from_text(main + kickers)
    missing = subtract_cards(cards, int(state.record.hands[state.current_player()]))
    if not cards or missing:
        raise InvalidInput(f"you do not hold {hand_to_text(missing)}" if missing else "no cards are chosen")
    found = [action for action in readings(cards) if not plus or MOVE_TABLE.main[action] == hand_from_text(main)]
    legal = set(state.legal_actions())
    allowed = [action for action in found if action in legal]
    if not allowed:
        raise InvalidInput(_refusal(state, hand_to_text(cards), found))
    return allowed


def _refusal(state: State, cards: str, found: list[int]) -> str:
    """Return why `cards` cannot be played, which the most liberal grammar reads as `found`."""
    if not found:
        return f"{cards} is no combination"
    forbidding = [axis for axis in state.game.rules if isinstance(axis, GrammarAxis)]
    for action in found:
        against = [axis for axis in forbidding if axis.forbids[str(axis.value)] & int(MOVE_TABLE.features[action])]
        if not against:
            return _too_low(cards, action, int(state.record.last))
    return f"{cards} is a {move_words(found[0])}, which {' and '.join(map(str, against))} forbids"


def _too_low(cards: str, action: int, last: int) -> str:
    name = move_from_id(last).form.name
    if name == "rocket":
        return "nothing beats the rocket"
    wanted = "bomb" if name == "bomb" else f"{move_words(last)}, a bomb"
    return f"{cards}, a {move_words(action)}, does not beat {action_text(last)}: that takes a higher {wanted} or the rocket"
