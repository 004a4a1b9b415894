"""Texts of Uno for the line mode: lines of the table, parsing of typed moves, help on typing moves."""

from cardgames.core.state import State
from cardgames.support.errors import InvalidInput, short_repr
from cardgames.tui.generic_view import action_names, allowed, parse
from cardgames.tui.line_mode import LineMode, SessionView
from cardgames.tui.shared_wording import cards
from cardgames.tui.uno.view_model import ViewModel, full_view, seat_view
from cardgames.tui.uno.wording import COLORS, GROUPS, WILDS, challenge_hint, group_of, normalized, ways_to_type
from cardgames.uno.cards import DRAW, JUMP
from cardgames.uno.events import DEALT, DREW, JUMPED, RECEIVED, SHOWN

_HELP = """\
Type a move as it is listed, or its number. Cards: a color r g b y, then 0-9, s skip, v reverse, d draw two;
w:r (or wr) is a wild that names red, f:r (or fr) a wild draw four."""


def _parse(state: State, text: str) -> int:
    """Return the legal action that a person typed as `text`. Raises `InvalidInput` with what is allowed."""
    typed = normalized(text)
    matches = [action for action in state.legal_actions() if typed in ways_to_type(state.action_to_string(action))]
    if len(matches) == 1:
        return matches[0]
    if typed.startswith("jump") and typed != "jump":
        raise InvalidInput(f"{short_repr(text.strip())} names a card that is not the top card{allowed(state)}")
    if text.strip().lower() in WILDS:
        state.game.parse_action(text)  # raises an error that names the missing color
    return parse(state, text)


def _lines(session: SessionView, view_model: ViewModel) -> list[str]:
    """Return the table as lines of text: the other seats, the piles and the color, and the person's own hand."""
    lines = []
    for seat, hand in enumerate(view_model.hands):
        if hand is None:
            lines.append(f"  {session.name(seat)}: {cards(view_model.counts[seat])}")
        elif seat != session.person:
            lines.append(f"  {session.name(seat)}: {_grouped(hand)}")
    color = COLORS.get(view_model.color or "", "not named yet")
    direction = "clockwise" if view_model.direction > 0 else "counterclockwise"
    penalty = f", penalty {cards(view_model.pending)}" if view_model.pending else ""
    color += challenge_hint(session, view_model)
    lines.append(
        f"  top card {view_model.top}, color {color}, play goes {direction}, {cards(view_model.draw_pile)} to draw{penalty}"
    )
    if session.person is not None:
        lines.append(f"  your hand: {_grouped(view_model.hands[session.person] or ())}")
    return lines


def _grouped(hand: tuple[str, ...]) -> str:
    """Return the cards of a hand as text, grouped by color: `red r7 rs | wild w`."""
    groups = {name: [card for card in hand if group_of(card) == name] for name in GROUPS}
    return " | ".join(f"{name} {' '.join(held)}" for name, held in groups.items() if held)


LINE_MODE = LineMode(
    seat_view=seat_view,
    full_view=full_view,
    hidden_events=frozenset({DEALT}),
    card_events=frozenset({DREW, SHOWN, RECEIVED}),
    action_events={DRAW: DREW, JUMP: JUMPED},
    parse=_parse,
    explain_payoffs=lambda session: "",
    lines=_lines,
    action_names=action_names,
    hand=lambda hand: _grouped(tuple(hand.split())),
    help=lambda state: _HELP,
    leave="q",
)
