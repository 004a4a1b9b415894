"""Words for the moves, the roles, the auction and the stake of Dou Di Zhu."""

from collections.abc import Iterable
from itertools import groupby

from cardgames.doudizhu.cards import hand_to_text
from cardgames.doudizhu.moves.move_table import (
    CALL,
    DOUBLE,
    FIRST_BID,
    FIRST_MOVE,
    PASS,
    ROB,
    SUPER_DOUBLE,
    move_from_id,
)
from cardgames.doudizhu.notation import action_text
from cardgames.tui.doudizhu.view_model import ViewModel
from cardgames.tui.text_theme import SessionView
from cardgames.tui.wording import Choice

_FORMS = {
    "solo": ("solo", "solos"),
    "pair": ("pair", "pairs"),
    "trio": ("trio", "trios"),
    "trio+solo": ("trio with a solo", "trios with a solo"),
    "trio+pair": ("trio with a pair", "trios with a pair"),
    "solo chain": ("chain of {} solos", "chains of solos"),
    "pair chain": ("chain of {} pairs", "chains of pairs"),
    "trio chain": ("chain of {} trios", "chains of trios"),
    "plane+solos": ("chain of {} trios with solos", "chains of trios with solos"),
    "plane+pairs": ("chain of {} trios with pairs", "chains of trios with pairs"),
    "quad+solos": ("quad with two solos", "quads with two solos"),
    "quad+pairs": ("quad with two pairs", "quads with two pairs"),
    "bomb": ("bomb", "bombs"),
    "rocket": ("rocket", "rockets"),
}
"""The name of a form of moves -> what one of them is called, and several; braces take the length."""

_SAID = {
    PASS: ("Pass", "p"),
    **{FIRST_BID + i: (f"Bid {i + 1}", str(i + 1)) for i in range(3)},
    CALL: ("Call: be landlord", "c"),
    ROB: ("Rob: be it instead", "r"),
    DOUBLE: ("Double", "d"),
    SUPER_DOUBLE: ("Super double: × 4", "s"),
}
"""What may be said -> its words and its key."""


def move_words(action: int) -> str:
    """Return what kind of move an action is: `chain of 5 solos`."""
    form = move_from_id(action).form
    return _FORMS[form.name][0].format(form.length)


def reading_words(action: int) -> str:
    """Return which of its cards a move counts by: `333444555 with 666`."""
    move = move_from_id(action)
    return f"{hand_to_text(move.main)} with {hand_to_text(move.kickers)}" if move.kickers else move_words(action)


def kinds_of_moves(actions: Iterable[int]) -> list[tuple[str, list[int]]]:
    """Return the moves among ascending `actions` by their kind, each with its name, in the plural where it is due."""
    moves = (action for action in actions if action >= FIRST_MOVE)
    kinds = [(name, list(group)) for name, group in groupby(moves, lambda action: move_from_id(action).form.name)]
    return [(move_words(group[0]) if len(group) == 1 else _FORMS[name][1], group) for name, group in kinds]


def by_rank(hand: str) -> str:
    """Return a hand with a space between its ranks: `3 44 555`."""
    return " ".join("".join(group) for _, group in groupby(hand))


def sayings(view_model: ViewModel) -> list[Choice]:
    """Return what the viewer may say now, a pass included."""
    legal = [action for action in view_model.legal if action < FIRST_MOVE]
    return [Choice(action, action_text(action), *_SAID[action]) for action in legal]


def role(view_model: ViewModel, seat: int, viewer: int | None = None) -> str:
    """Return what a seat is; to a `viewer` who is a peasant the other one is the partner."""
    if view_model.landlord is None:
        return ""
    if seat == view_model.landlord:
        return "landlord"
    return "partner" if viewer not in (None, seat, view_model.landlord) else "peasant"


def doubled(view_model: ViewModel, seat: int) -> str:
    """Return what a seat has multiplied its own stake by; nothing if it has not."""
    return f"× {view_model.doubles[seat]}" if view_model.doubles[seat] > 1 else ""


def stake(table: SessionView, view_model: ViewModel) -> str:
    """Return what the round is played for, as far as it is known."""
    if not view_model.bid:
        return "nobody has called" if table.game.rules["bidding"] == "call-rob" else "no bid yet"
    counted = [(view_model.robs, "rob"), (view_model.bombs, "bomb"), (view_model.rockets, "rocket")]
    events = [f"{number} {name}{'s' if number > 1 else ''}" for number, name in counted if number]
    by = (
        f" by {table.name(view_model.bidder)}"
        if view_model.phase == "auction" and view_model.bidder is not None
        else ""
    )
    return ", ".join([f"stake {_number(view_model)}{by}", *events])


def _number(view_model: ViewModel) -> str:
    return f"{view_model.bid} × {view_model.factor}" if view_model.factor > 1 else f"{view_model.bid}"


def question(table: SessionView, view_model: ViewModel) -> tuple[str, str]:
    """Return the title and the text of what the viewer is asked before the play."""
    if view_model.phase == "doubling":
        assert view_model.landlord is not None
        lord = "You are" if view_model.landlord == table.person else f"{table.name(view_model.landlord)} is"
        return "Double?", f"{lord} the landlord. Doubling multiplies what you win or lose."
    alone = "The landlord takes three more cards and leads, alone against the other two."
    if view_model.bidder is None:
        return "Be the landlord?", f"Nobody wants to be it yet. {alone}"
    return (
        "Be the landlord?",
        f"So far {table.name(view_model.bidder)} would be it, at stake {_number(view_model)}. {alone}",
    )


def explain_payoffs(table: SessionView) -> str:
    """Return who was the landlord, and what multiplied the stake."""
    view_model = table.text_theme.full_view(table.state)
    if view_model.landlord is None:
        return "nobody was the landlord"
    doubled = [f"{table.name(seat)} doubled × {factor}" for seat, factor in enumerate(view_model.doubles) if factor > 1]
    return ", ".join(
        [f"landlord: {table.name(view_model.landlord)}", stake(table, view_model), *view_model.at_the_end, *doubled]
    )
