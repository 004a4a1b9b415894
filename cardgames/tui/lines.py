"""What the line-by-line front end says of a table: how each game's table looks in words."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from cardgames.core.game import Game
from cardgames.tui.table import Table
from cardgames.tui.wording import COLORS, GROUPS, cards, group_of


@dataclass(frozen=True)
class Lines:
    """One game in words."""

    help: str
    """How moves are written."""
    situation: Callable[[Table], Iterator[str]]
    """The table as the person sees it, or without a person all of it, but for the moves he may choose from."""
    hand: Callable[[str], str]
    """A hand, as `Game.hands_of` writes it, grouped."""


def _by_color(hand: str) -> str:
    held = hand.split()
    groups = {name: [card for card in held if group_of(card) == name] for name in GROUPS}
    return " | ".join(f"{name} {' '.join(cards)}" for name, cards in groups.items() if cards)


def _by_rank(hand: str) -> str:
    return " ".join("".join(group) for _, group in groupby(hand))


def _uno(table: Table) -> Iterator[str]:
    sight = table.sight()
    for seat, hand in enumerate(sight.hands):
        if seat != table.person:
            yield f"{table.name(seat)}: {cards(sight.counts[seat]) if hand is None else _by_color(' '.join(hand))}"
    color = COLORS.get(sight.color or "", "not named yet")
    way = "rising seats" if sight.direction > 0 else "falling seats"
    owed = f", {sight.pending} cards pending" if sight.pending else ""
    yield f"top card {sight.top}, colour {color}, play goes to {way}, {cards(sight.draw_pile)} to draw{owed}"
    if table.person is not None:
        yield f"your hand: {_by_color(' '.join(sight.hands[table.person] or ()))}"


def _doudizhu(table: Table) -> Iterator[str]:
    person = table.person
    seen = table.state.to_dict() if person is None else table.state.observation(person).to_dict()
    landlord = seen["landlord"]
    for seat in range(table.game.num_players):
        role = "" if landlord is None else " (landlord)" if seat == landlord else " (peasant)"
        if person is None:
            yield f"{table.name(seat)}{role}: {_by_rank(seen['hands'][seat])}"
        elif seat != person:
            yield f"{table.name(seat)}{role}: {cards(seen['counts'][seat])}"
    stake = f"stake {seen['bid']}" if seen["bid"] else "no bid yet"
    factors = {"bombs": seen["bombs"] + seen["rockets"], "robs": seen["robs"]}
    more = "".join(f", {number} {name}" for name, number in factors.items() if number)
    yield f"{stake}{more}, at the bottom: {_by_rank(seen['bottom']) or 'hidden'}"
    if seen["last"] is not None:
        yield f"to beat: {seen['last']} by {table.name(seen['last_by'])}"
    elif seen["phase"] == "play":
        yield f"{table.name(seen['to_move'])} may lead anything"
    if person is not None:
        yield f"your hand: {_by_rank(seen['hand'])}"


def _any(table: Table) -> Iterator[str]:
    seen = table.state.to_dict() if table.person is None else table.state.observation(table.person).to_dict()
    for name, value in seen.items():
        if name not in ("history", "legal_actions"):
            yield f"{name}: {value}"


_GAMES = {
    "uno": Lines(
        "Cards: a colour r g b y, then 0-9, s skip, v reverse, d draw two;\n"
        "w:r or f:r is a wild, or a wild draw four, that names red.",
        _uno,
        _by_color,
    ),
    "doudizhu": Lines(
        "Cards: 3456789TJQKA2, B the black joker, R the red one; a move is its cards (QQQ88), or pass;\n"
        "before the play: pass, bid 1 to bid 3, call, rob, double.",
        _doudizhu,
        _by_rank,
    ),
}


def lines_of(game: Game) -> Lines:
    """Return how `game` is put in words; a game of others as plain data."""
    return _GAMES.get(game.name, Lines("", _any, str))
