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
from cardgames.tui.doudizhu.view_model import Sight
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


def sayings(sight: Sight) -> list[Choice]:
    """Return what the viewer may say now, a pass included."""
    legal = [action for action in sight.legal if action < FIRST_MOVE]
    return [Choice(action, action_text(action), *_SAID[action]) for action in legal]


def role(sight: Sight, seat: int, viewer: int | None = None) -> str:
    """Return what a seat is; to a `viewer` who is a peasant the other one is the partner."""
    if sight.landlord is None:
        return ""
    if seat == sight.landlord:
        return "landlord"
    return "partner" if viewer not in (None, seat, sight.landlord) else "peasant"


def doubled(sight: Sight, seat: int) -> str:
    """Return what a seat has multiplied its own stake by; nothing if it has not."""
    return f"× {sight.doubles[seat]}" if sight.doubles[seat] > 1 else ""


def stake(table: SessionView, sight: Sight) -> str:
    """Return what the round is played for, as far as it is known."""
    if not sight.bid:
        return "nobody has called" if table.game.rules["bidding"] == "call-rob" else "no bid yet"
    counted = [(sight.robs, "rob"), (sight.bombs, "bomb"), (sight.rockets, "rocket")]
    events = [f"{number} {name}{'s' if number > 1 else ''}" for number, name in counted if number]
    by = f" by {table.name(sight.bidder)}" if sight.phase == "auction" and sight.bidder is not None else ""
    return ", ".join([f"stake {_number(sight)}{by}", *events])


def _number(sight: Sight) -> str:
    return f"{sight.bid} × {sight.factor}" if sight.factor > 1 else f"{sight.bid}"


def question(table: SessionView, sight: Sight) -> tuple[str, str]:
    """Return the title and the text of what the viewer is asked before the play."""
    if sight.phase == "doubling":
        assert sight.landlord is not None
        lord = "You are" if sight.landlord == table.person else f"{table.name(sight.landlord)} is"
        return "Double?", f"{lord} the landlord. Doubling multiplies what you win or lose."
    alone = "The landlord takes three more cards and leads, alone against the other two."
    if sight.bidder is None:
        return "Be the landlord?", f"Nobody wants to be it yet. {alone}"
    return "Be the landlord?", f"So far {table.name(sight.bidder)} would be it, at stake {_number(sight)}. {alone}"


def account(table: SessionView) -> str:
    """Return who was the landlord, and what multiplied the stake."""
    sight = table.face.seen_by_all(table.state)
    if sight.landlord is None:
        return "nobody was the landlord"
    doubled = [f"{table.name(seat)} doubled × {factor}" for seat, factor in enumerate(sight.doubles) if factor > 1]
    return ", ".join([f"landlord: {table.name(sight.landlord)}", stake(table, sight), *sight.at_the_end, *doubled])
