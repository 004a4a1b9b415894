"""Functions that put moves, roles, auction and stake of Dou Di Zhu into words."""

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
from cardgames.tui.line_mode import SessionView
from cardgames.tui.shared_wording import Choice

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
"""Form of a move, such as `pair chain` -> its name in the singular and plural; braces stand for the chain's length."""

_SPOKEN = {
    PASS: ("Pass", "p"),
    **{FIRST_BID + i: (f"Bid {i + 1}", str(i + 1)) for i in range(3)},
    CALL: ("Call landlord", "c"),
    ROB: ("Rob landlord", "r"),
    DOUBLE: ("Double", "d"),
    SUPER_DOUBLE: ("Super double: × 4", "s"),
}
"""Action that plays no cards (pass, bids, doubling) -> its label on a button, and the key that chooses it."""


def move_words(action: int) -> str:
    """Return the name of the form of a move, given as action id: `chain of 5 solos`."""
    form = move_from_id(action).form
    return _FORMS[form.name][0].format(form.length)


def reading_words(action: int) -> str:
    """Return which cards of a move are its main cards and which its kickers: `333444555 with 666`.

    A move without kickers is named by its form.
    """
    move = move_from_id(action)
    return f"{hand_to_text(move.main)} with {hand_to_text(move.kickers)}" if move.kickers else move_words(action)


def kinds_of_moves(actions: Iterable[int]) -> list[tuple[str, list[int]]]:
    """Group the moves among `actions`, which are in ascending order, by form.

    Returns:
        (name of the form, in the plural for several moves, and its moves) for each form. Actions without cards are left out.
    """
    moves = (action for action in actions if action >= FIRST_MOVE)
    kinds = [(name, list(group)) for name, group in groupby(moves, lambda action: move_from_id(action).form.name)]
    return [(move_words(group[0]) if len(group) == 1 else _FORMS[name][1], group) for name, group in kinds]


def by_rank(hand: str) -> str:
    """Return a hand as text with a space between different ranks: `3 44 555`."""
    return " ".join("".join(group) for _, group in groupby(hand))


def spoken_choices(view_model: ViewModel) -> list[Choice]:
    """Return the legal actions of the viewing seat that play no cards, with their labels and keys."""
    legal = [action for action in view_model.legal if action < FIRST_MOVE]
    return [Choice(action, action_text(action), *_SPOKEN[action]) for action in legal]


def role(view_model: ViewModel, seat: int, viewer: int | None = None) -> str:
    """Return the role of a seat: `landlord` or `peasant`; empty during the auction.

    If the seat `viewer` is a peasant, the other peasant is called `partner`.
    """
    if view_model.landlord is None:
        return ""
    if seat == view_model.landlord:
        return "landlord"
    return "partner" if viewer not in (None, seat, view_model.landlord) else "peasant"


def doubled(view_model: ViewModel, seat: int) -> str:
    """Return the factor by which a seat has multiplied its own stake, as text: `× 2`; empty if it has not doubled."""
    return f"× {view_model.doubles[seat]}" if view_model.doubles[seat] > 1 else ""


def stake(session: SessionView, view_model: ViewModel) -> str:
    """Return the stake of the round so far and the events that multiplied it, as text: `stake 3 × 2, 1 bomb`."""
    if not view_model.bid:
        return "no call yet" if session.game.rules["bidding"] == "call-rob" else "no bid yet"
    counted = [(view_model.robs, "rob"), (view_model.bombs, "bomb"), (view_model.rockets, "rocket")]
    events = [f"{number} {name}{'s' if number > 1 else ''}" for number, name in counted if number]
    by = ""
    if view_model.phase == "auction" and view_model.bidder is not None:
        verb = "called" if session.game.rules["bidding"] == "call-rob" else "bid"
        by = f", {verb} by {session.name(view_model.bidder)}"
    return ", ".join([f"stake {_number(view_model)}{by}", *events])


def _number(view_model: ViewModel) -> str:
    """Return the bid and the factor of the stake as text: `3 × 2`, or `3` if the factor is 1."""
    return f"{view_model.bid} × {view_model.factor}" if view_model.factor > 1 else f"{view_model.bid}"


def question(session: SessionView, view_model: ViewModel) -> tuple[str, str]:
    """Return title and text of the dialog in which the person decides in the auction or about doubling."""
    if view_model.phase == "doubling":
        assert view_model.landlord is not None
        lord = "You are" if view_model.landlord == session.person else f"{session.name(view_model.landlord)} is"
        return "Double?", f"{lord} the landlord. Doubling multiplies what you win or lose."
    alone = "The landlord takes three more cards and leads, alone against the other two."
    return "Be the landlord?", f"{_auction_state(session, view_model)} {alone}"


def _auction_state(session: SessionView, view_model: ViewModel) -> str:
    """Return a sentence on the player who would be the landlord if the auction ended now: `mcts 2 has bid 2.`"""
    by_calls = session.game.rules["bidding"] == "call-rob"
    if view_model.bidder is None:
        return "No call yet." if by_calls else "No bid yet."
    name = session.name(view_model.bidder)
    if not by_calls:
        return f"{name} has bid {view_model.bid}."
    return f"{name} has {'robbed' if view_model.robs else 'called'}; the stake is {_number(view_model)}."


def explain_payoffs(session: SessionView) -> str:
    """Return an explanation of a finished round's payoffs: the landlord, and everything that multiplied the stake."""
    view_model = session.line_mode.full_view(session.state)
    if view_model.landlord is None:
        return "nobody was the landlord"
    doubled = [
        f"{session.name(seat)} doubled × {factor}" for seat, factor in enumerate(view_model.doubles) if factor > 1
    ]
    return ", ".join(
        [
            f"landlord: {session.name(view_model.landlord)}",
            stake(session, view_model),
            *view_model.final_multipliers,
            *doubled,
        ]
    )
