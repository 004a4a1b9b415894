"""Texts of Dou Di Zhu for the line mode: lines of the table, list of legal actions, help on typing moves."""

from cardgames.core.state import State
from cardgames.doudizhu.events import CARD_DEALT
from cardgames.doudizhu.moves.move_table import FIRST_MOVE
from cardgames.doudizhu.notation import action_text
from cardgames.tui.doudizhu.move_parser import parse
from cardgames.tui.doudizhu.view_model import ViewModel, full_view, seat_view
from cardgames.tui.doudizhu.wording import by_rank, doubled, explain_payoffs, kinds_of_moves, move_words, role, stake
from cardgames.tui.line_mode import LineMode, SessionView
from cardgames.tui.shared_wording import cards

_FEW = 12
"""Maximum number of legal actions that are listed with numbers; more are summarized by kind.

Numbers are written `#2`, since a plain digit is a card.
"""
_HELP = """\
Type a move as its cards, in any order: 34567, QQQ88. 3 to 9 T J Q K A 2, B black joker, R red joker.
pass, bid 1 to bid 3, call, rob, double and super double are typed as words; #2 is the second move of a list."""


def _lines(session: SessionView, view_model: ViewModel) -> list[str]:
    """Return the table as lines of text: the other seats, the stake, the move to beat and the person's own hand."""
    lines = []
    for seat, hand in enumerate(view_model.hands):
        if seat != session.person:
            held = cards(view_model.counts[seat]) if hand is None else by_rank(hand)
            last = f"last {view_model.last_actions[seat]}" if view_model.last_actions[seat] else ""
            facts = filter(None, [role(view_model, seat, session.person), doubled(view_model, seat), held, last])
            lines.append(f"  {session.name(seat)}: {', '.join(facts)}")
    bottom = by_rank(view_model.bottom) or "hidden"
    lines.append(f"  {stake(session, view_model)}; the landlord's three cards: {bottom}")
    if view_model.last:
        assert view_model.last_by is not None
        by = session.name(view_model.last_by)
        lines.append(f"  to beat: {action_text(view_model.last)}, a {move_words(view_model.last)}, by {by}")
    elif view_model.phase == "play" and view_model.to_move == session.person:
        lines.append("  you lead")
    if session.person is not None:
        own = ", ".join(filter(None, [role(view_model, session.person), doubled(view_model, session.person)]))
        lines.append(f"  your hand{f' ({own})' if own else ''}: {by_rank(view_model.hands[session.person] or '')}")
    return lines


def _offers(state: State) -> tuple[dict[str, int], str]:
    """Return (number to type -> legal action), and a line of text that lists the actions.

    If there are more than `_FEW`, the line has only the number of moves of each kind.
    """
    legal = state.legal_actions()
    numbered = {f"#{number}": action for number, action in enumerate(legal, start=1)}
    if len(legal) <= _FEW:
        return numbered, "  you may: " + "   ".join(f"{number} {action_text(a)}" for number, a in numbered.items())
    words = [action_text(action) for action in legal if action < FIRST_MOVE]
    kinds = [f"{len(moves)} {name}" for name, moves in kinds_of_moves(legal)]
    return numbered, f"  you may play: {', '.join([*words, *kinds])} (? lists them)"


def _help(state: State) -> str:
    """Return the help text: how moves are typed, and all legal moves by kind."""
    legal = state.legal_actions()
    words = [f"  {action_text(action)}" for action in legal if action < FIRST_MOVE]
    played = [f"  {name}: {' '.join(map(action_text, moves))}" for name, moves in kinds_of_moves(legal)]
    return "\n".join([_HELP, "Legal moves now:", *words, *played])


LINE_MODE = LineMode(
    seat_view=seat_view,
    full_view=full_view,
    hidden_events=frozenset({CARD_DEALT}),
    card_events=frozenset(),
    action_events={},
    parse=parse,
    explain_payoffs=explain_payoffs,
    lines=_lines,
    action_names=_offers,
    hand=by_rank,
    help=_help,
    leave="x",
)
