"""Words for Uno's cards, actions and questions, as people read them on the screen."""

from collections.abc import Sequence

from cardgames.tui.text_theme import SessionView
from cardgames.tui.uno.view_model import ViewModel
from cardgames.tui.wording import Choice, cards

COLORS = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
GROUPS = (*COLORS.values(), "wild")
"""The groups of a hand, in order."""

_SYMBOLS = {"s": " skip", "v": " rev", "d": " +2"}
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
"""Keys that are not the first letter of an action's text."""


def group_of(card: str) -> str:
    """Return which group of a hand a card, or an action that plays it, belongs to: a colour's name or `wild`."""
    return COLORS.get(card[0], "wild")


def is_card(action: str) -> bool:
    """Return whether the text of an action is that of a card played."""
    return (action[0] in WILDS and action[1:2] in ("", ":")) or (len(action) == 2 and action[0] in COLORS)


def card_name(card: str) -> str:
    """Return a card as people read it: `R7`, `G skip`, `Wild`, and for `w:b` `Wild, blue`."""
    face, _, color = card.partition(":")
    if face in WILDS:
        return WILDS[face] + (f", {COLORS[color]}" if color else "")
    return card[0].upper() + _SYMBOLS.get(card[1], card[1])


def move_name(action: str) -> str:
    """Return an action as people read it."""
    return card_name(action) if is_card(action) else action


def brief_name(action: str) -> str:
    """Return an action for narrow columns: `R7`, `Wild B`, `draw`."""
    if not is_card(action):
        return action
    face, _, color = action.partition(":")
    return f"{card_name(face)} {color.upper()}".rstrip()


def squeezed(text: str) -> str:
    """Return what is typed or shown without capitals, blanks and commas."""
    return "".join(text.lower().replace(",", " ").split())


def ways_to_type(action: str) -> set[str]:
    """Return what may be typed for an action, squeezed: its names on cards and buttons and, if it is no card, its letter."""
    names = {move_name(action), brief_name(action), action.replace(":", "")}
    if not is_card(action):
        names.add(_label(action))
        if _key(action).isalpha():  # line by line a digit is a place in the list
            names.add(_key(action))
    return {squeezed(name) for name in names}


def is_question(view_model: ViewModel, texts: Sequence[str]) -> bool:
    """Return whether the viewer's decision is one to be asked apart from an ordinary turn."""
    if view_model.phase == "after-draw":
        return "pass" not in texts
    return view_model.phase not in ("play", "over", "wait")


def choices(table: SessionView, view_model: ViewModel) -> list[Choice]:
    """Return the viewer's legal actions as offers, each with a key of its own; cards played have digits for keys."""
    action_names: list[Choice] = []
    for action in view_model.legal:
        text = table.state.action_to_string(action)
        cards_before = sum(is_card(offer.text) for offer in action_names)
        key = str(cards_before + 1)[-1] if is_card(text) else _key(text)
        action_names.append(Choice(action, text, _words(table, view_model, text), key))
    return action_names


def _key(text: str) -> str:
    word, _, rest = text.partition(" ")
    if word in ("swap", "color"):
        return rest
    return _KEYS.get(word, word[0])


def _words(table: SessionView, view_model: ViewModel, text: str) -> str:
    word, _, rest = text.partition(" ")
    if is_card(text):
        return ("Stack " if view_model.phase == "answer" else "Play ") + card_name(text)
    if word == "swap":
        return f"{table.name(int(rest))}: {cards(view_model.counts[int(rest)])}"
    if word == "catch":
        return f"Catch {table.name(int(rest))}"
    if word == "jump":
        return f"Jump in with {card_name(rest)}"
    return f"Take {view_model.pending} cards" if text in ("take", "accept") else _label(text)


def _label(text: str) -> str:
    """Return what a button calls an action that is no card, whatever the table."""
    word, _, rest = text.partition(" ")
    return COLORS[rest].capitalize() if word == "color" else _WORDS.get(text, text.capitalize())


def challenged(table: SessionView, view_model: ViewModel) -> str:
    """Return what a challenge would be about, the colour in force before the top card; nothing for who cannot challenge."""
    able = any(table.state.action_to_string(action) == "challenge" for action in view_model.legal)
    return f", before it {COLORS[view_model.prior_color]}" if able and view_model.prior_color else ""


def question(table: SessionView, view_model: ViewModel) -> tuple[str, str]:
    """Return the title and the text of the question the viewer has to answer."""
    action_names = choices(table, view_model)
    if view_model.phase == "after-draw":
        drawn = card_name(next(offer.text for offer in action_names if is_card(offer.text)).partition(":")[0])
        may_keep = any(offer.text == "keep" for offer in action_names)
        return f"You drew {drawn}", "You may play it at once." if may_keep else "You have to play it."
    facts = {
        "pending": view_model.pending,
        "top": card_name(view_model.top.partition(":")[0]),
        "color": COLORS.get(view_model.color or ""),
        "before": challenged(table, view_model),
        "caught": next(
            (table.name(int(offer.text[6:])) for offer in action_names if offer.text.startswith("catch")), ""
        ),
    }
    title, text = _QUESTIONS[view_model.phase]
    return title.format_map(facts), text.format_map(facts)


_QUESTIONS = {
    "color": ("A wild is turned up", "Name the colour that play begins with."),
    "swap": ("You laid a 7", "Whose hand do you take in exchange for yours?"),
    "uno": ("One card left", "Call uno, or stay quiet and hope that nobody notices."),
    "jump": ("Jump in?", "You hold the very card that lies on top, {top}, and may lay it out of turn."),
    "answer": ("{top} against you", "{pending} cards are waiting for you. The colour in force is {color}{before}."),
    "catch": ("Forgotten uno", "{caught} has one card and did not call uno."),
}
