"""Uno in words."""

from cardgames.core.state import State
from cardgames.support.errors import InvalidInput, short_repr
from cardgames.tui.generic_view import action_names, allowed, parse
from cardgames.tui.text_theme import SessionView, TextTheme
from cardgames.tui.uno.view_model import ViewModel, full_view, seat_view
from cardgames.tui.uno.wording import COLORS, GROUPS, WILDS, challenged, group_of, squeezed, ways_to_type
from cardgames.tui.wording import cards
from cardgames.uno.events import DEALT

_HELP = """\
Type a move as it is listed, or its number. Cards: a colour r g b y, then 0-9, s skip, v reverse, d draw two;
w:r or f:r (or wr, fr) is a wild, or a wild draw four, that names red."""


def _parse(state: State, text: str) -> int:
    typed = squeezed(text)
    meant = [action for action in state.legal_actions() if typed in ways_to_type(state.action_to_string(action))]
    if len(meant) == 1:
        return meant[0]
    if typed.startswith("jump") and typed != "jump":
        raise InvalidInput(f"{short_repr(text.strip())} names a card that does not lie on top{allowed(state)}")
    if text.strip().lower() in WILDS:
        state.game.parse_action(text)  # says that a colour is missing
    return parse(state, text)


def _lines(table: SessionView, view_model: ViewModel) -> list[str]:
    """Return the other hands, the pile and the own hand."""
    lines = []
    for seat, hand in enumerate(view_model.hands):
        if hand is None:
            lines.append(f"  {table.name(seat)}: {cards(view_model.counts[seat])}")
        elif seat != table.person:
            lines.append(f"  {table.name(seat)}: {_grouped(hand)}")
    color = COLORS.get(view_model.color or "", "not named yet")
    way = "rising seats" if view_model.direction > 0 else "falling seats"
    owed = f", {view_model.pending} cards pending" if view_model.pending else ""
    color += challenged(table, view_model)
    lines.append(
        f"  top card {view_model.top}, colour {color}, play goes to {way}, {cards(view_model.draw_pile)} to draw{owed}"
    )
    if table.person is not None:
        lines.append(f"  your hand: {_grouped(view_model.hands[table.person] or ())}")
    return lines


def _grouped(hand: tuple[str, ...]) -> str:
    """Return a hand's cards by colour."""
    groups = {name: [card for card in hand if group_of(card) == name] for name in GROUPS}
    return " | ".join(f"{name} {' '.join(held)}" for name, held in groups.items() if held)


TEXT_THEME = TextTheme(
    seat_view=seat_view,
    full_view=full_view,
    hidden_events=frozenset({DEALT}),
    parse=_parse,
    explain_payoffs=lambda table: "",
    lines=_lines,
    action_names=action_names,
    hand=lambda hand: _grouped(tuple(hand.split())),
    help=lambda state: _HELP,
    leave="q",
)
