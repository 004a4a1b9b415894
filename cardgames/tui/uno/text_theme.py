"""Uno in words."""

from cardgames.core.state import State
from cardgames.support.errors import InvalidInput, short_repr
from cardgames.tui.generic_view import allowed, offers, parse
from cardgames.tui.text_theme import Face, SessionView
from cardgames.tui.uno.view_model import Sight, seen_by_all, seen_by_seat
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


def _lines(table: SessionView, sight: Sight) -> list[str]:
    """Return the other hands, the pile and the own hand."""
    lines = []
    for seat, hand in enumerate(sight.hands):
        if hand is None:
            lines.append(f"  {table.name(seat)}: {cards(sight.counts[seat])}")
        elif seat != table.person:
            lines.append(f"  {table.name(seat)}: {_grouped(hand)}")
    color = COLORS.get(sight.color or "", "not named yet")
    way = "rising seats" if sight.direction > 0 else "falling seats"
    owed = f", {sight.pending} cards pending" if sight.pending else ""
    color += challenged(table, sight)
    lines.append(f"  top card {sight.top}, colour {color}, play goes to {way}, {cards(sight.draw_pile)} to draw{owed}")
    if table.person is not None:
        lines.append(f"  your hand: {_grouped(sight.hands[table.person] or ())}")
    return lines


def _grouped(hand: tuple[str, ...]) -> str:
    """Return a hand's cards by colour."""
    groups = {name: [card for card in hand if group_of(card) == name] for name in GROUPS}
    return " | ".join(f"{name} {' '.join(held)}" for name, held in groups.items() if held)


FACE = Face(
    seen_by_seat=seen_by_seat,
    seen_by_all=seen_by_all,
    untold=frozenset({DEALT}),
    parse=_parse,
    account=lambda table: "",
    lines=_lines,
    offers=offers,
    hand=lambda hand: _grouped(tuple(hand.split())),
    help=lambda state: _HELP,
    leave="q",
)
