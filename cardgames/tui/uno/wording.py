"""Names of Uno's cards and actions in the terminal, and the texts of dialogs."""

from collections.abc import Sequence

from cardgames.tui.line_mode import SessionView
from cardgames.tui.shared_wording import Choice, cards
from cardgames.tui.uno.view_model import ViewModel

COLORS = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
GROUPS = (*COLORS.values(), "wild")
"""Groups of cards in which a hand is shown, in order: the four colors and the wilds."""

_SYMBOLS = {"s": "-skip", "v": "-rev", "d": "+2"}
_SEPARATORS = str.maketrans(",-", "  ")
WILDS = {"w": "Wild", "f": "Wild+4"}
_WORDS = {
    "draw": "Draw a card",
    "keep": "Keep it",
    "pass": "Pass",
    "challenge": "Challenge",
    "accept": "Accept",
    "uno": "Uno!",
    "quiet": "Stay quiet",
    "let go": "Let it go",
    "take": "Take the cards",
    "no jump": "Do not jump in",
}
_KEYS = {"quiet": "s", "jump": "j", "catch": "c", "color": ""}
"""Actions whose key is not the first letter of their text: first word of the text -> key."""


def group_of(card: str) -> str:
    """Return the name of a card's color, or `wild`; `card` may also be the action that plays the card."""
    return COLORS.get(card[0], "wild")


def is_card(action: str) -> bool:
    """Return whether an action, given as text, plays a card."""
    return (action[0] in WILDS and action[1:2] in ("", ":")) or (len(action) == 2 and action[0] in COLORS)


def card_name(card: str) -> str:
    """Return the name of a card given in notation: `R7` for `r7`, `G-skip` for `gs`, `Wild, blue` for `w:b`."""
    face, _, color = card.partition(":")
    if face in WILDS:
        return WILDS[face] + (f", {COLORS[color]}" if color else "")
    return card[0].upper() + _SYMBOLS.get(card[1], card[1])


def move_name(action: str) -> str:
    """Return the name of an action given as text: that of the card it plays, or else the text itself."""
    return card_name(action) if is_card(action) else action


def brief_name(action: str) -> str:
    """Return a short name, for narrow columns, of an action given as text: `R7`, `Wild B`, `draw`."""
    if not is_card(action):
        return action
    face, _, color = action.partition(":")
    return f"{card_name(face)} {color.upper()}".rstrip()


def normalized(text: str) -> str:
    """Return a text in lower case without blanks, commas and hyphens, to compare typed text with names."""
    return "".join(text.lower().translate(_SEPARATORS).split())


def ways_to_type(action: str) -> set[str]:
    """Return all texts, normalized, that a person may type for an action.

    They are the names of the action on cards and buttons and, if it does not play a card, its key.
    """
    names = {move_name(action), brief_name(action), action.replace(":", "")}
    if not is_card(action):
        names.add(_label(action))
        if _key(action).isalpha():  # in line mode a digit is a position in the list
            names.add(_key(action))
    return {normalized(name) for name in names}


def is_question(view_model: ViewModel, texts: Sequence[str]) -> bool:
    """Return whether the person's decision is shown in a dialog because it is not an ordinary turn.

    `texts` are the legal actions as text.
    """
    if view_model.phase == "after-draw":
        return "pass" not in texts
    return view_model.phase not in ("play", "over", "wait")


def choices(session: SessionView, view_model: ViewModel) -> list[Choice]:
    """Return the person's legal actions with a label and a key for each; the keys of actions that play cards are digits."""
    offers: list[Choice] = []
    for action in view_model.legal:
        text = session.state.action_to_string(action)
        cards_before = sum(is_card(offer.text) for offer in offers)
        key = str(cards_before + 1)[-1] if is_card(text) else _key(text)
        offers.append(Choice(action, text, _words(session, view_model, text), key))
    return offers


def _key(text: str) -> str:
    """Return the key for an action, given as text, that does not play a card."""
    word, _, rest = text.partition(" ")
    if word in ("swap", "color"):
        return rest
    return _KEYS.get(word, word[0])


def _words(session: SessionView, view_model: ViewModel, text: str) -> str:
    """Return the label of an action given as text: `Play R7`, `Take 4 cards`, `Catch mcts 2`."""
    word, _, rest = text.partition(" ")
    if is_card(text):
        return ("Stack " if view_model.phase == "answer" else "Play ") + card_name(text)
    if word == "swap":
        return f"{session.name(int(rest))}: {cards(view_model.counts[int(rest)])}"
    if word == "catch":
        return f"Catch {session.name(int(rest))}"
    if word == "jump":
        return f"Jump in with {card_name(rest)}"
    return f"Take {view_model.pending} cards" if text in ("take", "accept") else _label(text)


def _label(text: str) -> str:
    """Return the label of an action, given as text, that does not play a card: `Draw a card` for `draw`."""
    word, _, rest = text.partition(" ")
    return COLORS[rest].capitalize() if word == "color" else _WORDS.get(text, text.capitalize())


def challenge_hint(session: SessionView, view_model: ViewModel) -> str:
    """Return, as text, the color before the top card was played, on which the result of a challenge depends.

    It is empty if the viewing seat cannot challenge.
    """
    able = any(session.state.action_to_string(action) == "challenge" for action in view_model.legal)
    return f", before it was {COLORS[view_model.prior_color]}" if able and view_model.prior_color else ""


def question(session: SessionView, view_model: ViewModel) -> tuple[str, str]:
    """Return title and text of the dialog for a decision of the person that is not an ordinary turn."""
    offers = choices(session, view_model)
    if view_model.phase == "after-draw":
        drawn = card_name(next(offer.text for offer in offers if is_card(offer.text)).partition(":")[0])
        may_keep = any(offer.text == "keep" for offer in offers)
        return f"You drew {drawn}", "You may play it at once." if may_keep else "You have to play it."
    facts = {
        "pending": view_model.pending,
        "top": card_name(view_model.top.partition(":")[0]),
        "color": COLORS.get(view_model.color or ""),
        "before": challenge_hint(session, view_model),
        "caught": next((session.name(int(offer.text[6:])) for offer in offers if offer.text.startswith("catch")), ""),
    }
    title, text = _QUESTIONS[view_model.phase]
    return title.format_map(facts), text.format_map(facts)


_QUESTIONS = {
    "color": ("The first card is a wild", "Name the color to start with."),
    "swap": ("You played a 7", "With whom do you swap hands?"),
    "uno": ("One card left", "Call uno, or stay quiet and risk being caught."),
    "jump": ("Jump in?", "You hold the same card as the top card, {top}, and may play it out of turn."),
    "answer": ("{top} against you", "You may have to draw {pending} cards. The current color is {color}{before}."),
    "catch": ("Uno not called", "{caught} has one card and did not call uno."),
}
