"""Dou Di Zhu in words."""

from cardgames.core.state import State
from cardgames.doudizhu.events import CARD_DEALT
from cardgames.doudizhu.moves.move_table import FIRST_MOVE
from cardgames.doudizhu.notation import action_text
from cardgames.tui.doudizhu.move_parser import parse
from cardgames.tui.doudizhu.view_model import Sight, seen_by_all, seen_by_seat
from cardgames.tui.doudizhu.wording import account, by_rank, doubled, kinds_of_moves, move_words, role, stake
from cardgames.tui.text_theme import Face, SessionView
from cardgames.tui.wording import cards

_FEW = 12
"""So many moves are listed, each with its number; a number alone would be a card."""
_HELP = """\
Type a move as its cards, in any order: 34567, QQQ88. 3 to 9 T J Q K A 2, B the black joker, R the red one.
pass, bid 1 to bid 3, call, rob, double, super double are words; #2 is the second move of a list."""


def _lines(table: SessionView, sight: Sight) -> list[str]:
    """Return the other seats, what is played for, what is to be beaten, and the own hand."""
    lines = []
    for seat, hand in enumerate(sight.hands):
        if seat != table.person:
            held = cards(sight.counts[seat]) if hand is None else by_rank(hand)
            last = f"last {sight.said[seat]}" if sight.said[seat] else ""
            facts = filter(None, [role(sight, seat, table.person), doubled(sight, seat), held, last])
            lines.append(f"  {table.name(seat)}: {', '.join(facts)}")
    bottom = by_rank(sight.bottom) or "hidden"
    lines.append(f"  {stake(table, sight)}; the landlord's three cards: {bottom}")
    if sight.last:
        assert sight.last_by is not None
        lines.append(
            f"  to beat: {action_text(sight.last)}, a {move_words(sight.last)}, by {table.name(sight.last_by)}"
        )
    elif sight.phase == "play" and sight.to_move == table.person:
        lines.append("  you lead")
    if table.person is not None:
        own = ", ".join(filter(None, [role(sight, table.person), doubled(sight, table.person)]))
        lines.append(f"  your hand{f' ({own})' if own else ''}: {by_rank(sight.hands[table.person] or '')}")
    return lines


def _offers(state: State) -> tuple[dict[str, int], str]:
    """Number the legal actions; show them if they are few, else sum them up by kind."""
    legal = state.legal_actions()
    numbered = {f"#{number}": action for number, action in enumerate(legal, start=1)}
    if len(legal) <= _FEW:
        return numbered, "  you may: " + "   ".join(f"{number} {action_text(a)}" for number, a in numbered.items())
    said = [action_text(action) for action in legal if action < FIRST_MOVE]
    kinds = [f"{len(moves)} {name}" for name, moves in kinds_of_moves(legal)]
    return numbered, f"  you may play: {', '.join([*said, *kinds])} (? lists them)"


def _help(state: State) -> str:
    """Return how moves are written, and all that are legal now."""
    legal = state.legal_actions()
    said = [f"  {action_text(action)}" for action in legal if action < FIRST_MOVE]
    played = [f"  {name}: {' '.join(map(action_text, moves))}" for name, moves in kinds_of_moves(legal)]
    return "\n".join([_HELP, "Now you may play:", *said, *played])


FACE = Face(
    seen_by_seat=seen_by_seat,
    seen_by_all=seen_by_all,
    untold=frozenset({CARD_DEALT}),
    parse=parse,
    account=account,
    lines=_lines,
    offers=_offers,
    hand=by_rank,
    help=_help,
    leave="x",
)
