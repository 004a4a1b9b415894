"""State records of Uno as plain data for JSON (`to_dict`), and the validated way back (`from_dict`)."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from cardgames.core.rules import RuleSet
from cardgames.support.errors import (
    InvalidInput,
    check_fields,
    check_integer_in,
    check_seat,
    check_value,
    is_integer,
    is_list_of,
    parsing,
    unknown_name,
)
from cardgames.uno import piles
from cardgames.uno.cards import COLORS, DRAW_TWO, WILD, WILD_FOUR
from cardgames.uno.cards_since_draw import UNKNOWN_COUNT, pack_counts, unpack_counts
from cardgames.uno.events import cards_in_hand
from cardgames.uno.notation import card_text, exact_card_text, hand_text, parse_card
from cardgames.uno.position_setup import UnplacedCards, check_direction, fill_discard, fill_pile, parse_color
from cardgames.uno.state import MAX_CLOCK, OVER, PHASES, WAIT, blank

_MAX_COUNT = 32_000
_SEVEN = 7
_INTEGER_FIELDS: dict[str, tuple[str, int, int | None]] = {
    "turn": ("turn", 0, None),
    "layer": ("top_card_seat", -1, None),
    "pending": ("pending", 0, 32),
    "uncalled": ("uncalled", -1, None),
    "idle": ("idle", 0, _MAX_COUNT),
    "clock": ("clock", 0, MAX_CLOCK),
    "decisions": ("decisions", 0, 2**30),
    "laid": ("laid", 0, 2**30),
    "dealer": ("dealer", 0, None),
}
"""JSON key -> field of the state record, its lowest value and its highest value (None: the index of the last seat).

`pending` is at most 32, the number of cards that all draw cards of the deck together make a player draw. The limits of
counters leave room for one more round.
"""
_NO_CALL_DECISION: dict[str, tuple[str, ...]] = {"uno-call": ("off", "automatic")}
_IMPOSSIBLE_PHASES: dict[str, dict[str, tuple[str, ...]]] = {
    "after-draw": {"drawn-card": ("keep", "rlcard")},
    "catch": _NO_CALL_DECISION,
    "color": {"start-effects": ("rlcard",), "wild-color": ("ignored",)},
    "jump": {"jump-in": ("none",)},
    "swap": {"seven-zero": ("none", "zero")},
    "uno": _NO_CALL_DECISION,
}
"""Phase -> rule -> the values of that rule under which a round never comes to this phase."""


def _wild_locations(record: Any) -> dict[str, str]:
    """Return the place of each wild by its text with printed color, such as `{"w:b": "hand 2", "f:r": "pile 0"}`.

    Elsewhere cards are written without the printed color, so the text of a wild does not say which of the four it is.
    """
    locations: dict[str, str] = {}
    for seat in range(record.players):
        locations |= {
            exact_card_text(card): f"hand {seat}" for card in cards_in_hand(record, seat) if card % 15 >= WILD
        }
    for name, cards in (("pile", record.pile[: record.n_pile][::-1]), ("discard", record.discard[: record.n_discard])):
        locations |= {exact_card_text(int(card)): f"{name} {i}" for i, card in enumerate(cards) if card % 15 >= WILD}
    return locations


def _counts_to_json(word: int) -> list[int | None]:
    """Return a seat's packed counts `word` (`uno.cards_since_draw`) as a list of four, with None for unknown counts."""
    return [count if count < UNKNOWN_COUNT else None for count in unpack_counts(word)]


def _counts_from_json(counts: object) -> int:
    """Return a list of four counts (`uno.cards_since_draw`; None: unknown), read from JSON, packed into one integer.

    Raises:
        InvalidInput: If `counts` is not a list of four numbers or nulls.
    """
    is_valid = isinstance(counts, list) and len(counts) == 4
    check_value("lacked", counts, "a list of 4 numbers or nulls for each seat", is_valid)
    values: list[Any] = counts  # type: ignore[assignment]
    return pack_counts(
        [UNKNOWN_COUNT if n is None else check_integer_in("lacked", n, 0, UNKNOWN_COUNT - 1) for n in values]
    )


def to_dict(record: Any) -> dict[str, Any]:
    """Return a state record as plain data for JSON, from which `from_dict` makes the same record."""
    return {
        "to_move": int(record.to_move),
        "direction": int(record.direction),
        "top": card_text(int(record.top), int(record.color)),
        "color": COLORS[record.color] if record.color >= 0 else None,
        "hands": [hand_text(cards_in_hand(record, seat)) for seat in range(record.players)],
        "draw_pile": [card_text(int(card)) for card in record.pile[: record.n_pile][::-1]],
        "draw_fixed": int(record.n_fixed),
        "discard": [card_text(int(card)) for card in record.discard[: record.n_discard]],
        "pending": int(record.pending),
        "phase": PHASES[record.phase],
        "winner": int(record.winner) if record.winner >= 0 else None,
        "void": bool(record.void),
        "drawn": exact_card_text(int(record.drawn)) if record.drawn >= 0 else None,
        "prior_color": COLORS[record.prior_color] if record.prior_color >= 0 else None,
        "printed_top": exact_card_text(int(record.top)),
        "wilds": _wild_locations(record),
        "received": [int(n) for n in record.received],
        "lacked": [_counts_to_json(int(word)) for word in record.cards_since_draw[: record.players]],
        **{key: int(record[field]) for key, (field, _, _) in _INTEGER_FIELDS.items()},
        "rng": int(record.rng),
    }


def from_dict(rules: RuleSet, players: int, data: dict[str, Any]) -> Any:
    """Return the state record that `to_dict` wrote as `data`.

    Raises:
        InvalidInput: If `data` has another form, or is not a position for these rules and this number of players.
    """
    with parsing("a position of Uno"):
        record = _parse_record(players, data)
    _check_phase(rules, players, data["phase"])
    return record


def _check_phase(rules: RuleSet, players: int, phase: str) -> None:
    """Raise `InvalidInput` if the phase named `phase` cannot occur under these rules with this number of players."""
    never = any(rules[axis] in values for axis, values in _IMPOSSIBLE_PHASES.get(phase, {}).items())
    if never or (phase == "swap" and players == 2):
        raise InvalidInput(f"phase {phase} does not exist under these rules")


def _check_schema(data: dict[str, Any]) -> None:
    """Raise `InvalidInput`, naming the field, if `data` lacks a field of a position or has one of the wrong type."""
    check_fields("a position of Uno", data, to_dict(blank(2)))
    for name in ("hands", "draw_pile", "discard"):
        check_value(name, data[name], "a list of texts", is_list_of(str, data[name]))
    for name in ("top", "printed_top", "phase"):
        check_value(name, data[name], "a text", isinstance(data[name], str))
    for name in ("color", "prior_color", "drawn"):
        check_value(name, data[name], "a text or null", data[name] is None or isinstance(data[name], str))
    wilds = data["wilds"]
    texts = isinstance(wilds, dict) and is_list_of(str, list(wilds.values()))
    check_value("wilds", wilds, "an object of texts", texts)
    received = data["received"]
    check_value("received", received, "a list of 8", isinstance(received, list) and len(received) == 8)
    check_value("lacked", data["lacked"], "a list", isinstance(data["lacked"], list))
    check_value("void", data["void"], "true or false", isinstance(data["void"], bool))
    if data["phase"] not in PHASES:
        raise unknown_name("phase", data["phase"], PHASES)


def _parse_record(players: int, data: dict[str, Any]) -> Any:
    """Return the state record for the plain data of a position. Raises `InvalidInput` if any field is wrong."""
    _check_schema(data)
    if len(data["hands"]) != players:
        raise InvalidInput(f"the position has {len(data['hands'])} players, the game has {players}")
    record = blank(players)
    _place_cards(record, data)
    record.top = check_integer_in("printed_top", parse_card(data["printed_top"])[0], 0, 59)
    record.color = -1 if data["color"] is None else parse_color(data["color"], 0)
    record.prior_color = -1 if data["prior_color"] is None else parse_color(data["prior_color"], 0)
    record.drawn = -1 if data["drawn"] is None else parse_card(data["drawn"])[0]
    record.phase = PHASES.index(data["phase"])
    record.winner = -1 if data["winner"] is None else check_seat("winner", data["winner"], players)
    record.void = bool(data["void"])
    over = record.winner >= 0 or bool(record.void)
    if over != (record.phase == OVER) or record.phase == WAIT or (record.winner >= 0 and record.void):
        raise InvalidInput(f"phase {data['phase']} contradicts winner {data['winner']} and void {data['void']}")
    to_move = data["to_move"]
    if over:
        check_value("to_move", to_move, "-1 once the round is over", is_integer(to_move) and to_move == -1)
    record.to_move = -1 if over else check_seat("to_move", to_move, players)
    record.direction = check_direction(data["direction"])
    record.received[:] = [check_integer_in("received", n, 0, MAX_CLOCK) for n in data["received"]]
    if len(data["lacked"]) != players:
        raise InvalidInput(f"lacked has entries for {len(data['lacked'])} players, not {players}")
    record.cards_since_draw[:players] = [_counts_from_json(counts) for counts in data["lacked"]]
    for key, (field, low, high) in _INTEGER_FIELDS.items():
        record[field] = check_integer_in(key, data[key], low, players - 1 if high is None else high)
    record.rng = np.uint64(check_integer_in("rng", data["rng"], 0, 2**64 - 1))
    _check_consistency(record, data["phase"], data["top"])
    return record


def _place_cards(record: Any, data: dict[str, Any]) -> None:
    """Put every card of the deck into the hand or pile of `record` where `data` lists it.

    Raises:
        InvalidInput: If cards are missing or there are too many of them.
    """
    wilds, unplaced = data["wilds"], UnplacedCards()

    def take_cards(texts: Iterable[str], where: str, is_numbered: bool) -> list[int]:
        card_ids = []
        for i, text in enumerate(texts):
            card, _ = parse_card(text)
            if card % 15 >= WILD:
                here = f"{where} {i}" if is_numbered else where
                printed = [
                    wild
                    for wild, wild_location in wilds.items()
                    if wild_location == here and wild[:1] == text[:1] and parse_card(wild)[0] in unplaced.left
                ]
                if not printed:
                    raise InvalidInput(f"wilds names no {text} for {here}")
                card, _ = parse_card(printed[0])
            card_ids.append(unplaced.take(card))
        return card_ids

    for seat, hand in enumerate(data["hands"]):
        for card in take_cards(hand.split(), f"hand {seat}", is_numbered=False):
            piles.add_to_hand(record, seat, card)
    pile = take_cards(data["draw_pile"], "pile", is_numbered=True)
    fill_pile(record, pile, check_integer_in("draw_fixed", data["draw_fixed"], 0, len(pile)))
    fill_discard(record, take_cards(data["discard"], "discard", is_numbered=True))
    if unplaced.left:
        raise InvalidInput(f"{len(unplaced.left)} cards of the deck are missing")


def _check_consistency(record: Any, phase: str, top: str) -> None:
    """Raise `InvalidInput` if the phase, the top card or the winner contradicts the rest of the position."""
    is_possible = {
        "color": record.color < 0,
        "after-draw": record.drawn >= 0 and record.drawn in cards_in_hand(record, record.to_move),
        "answer": record.pending > 0 and record.turn == record.to_move and 0 <= record.top_card_seat != record.to_move,
        "catch": 0 <= record.uncalled != record.to_move and record.counts[record.uncalled] == 1,
        "over": record.winner < 0 or record.counts[record.winner] == 0,
        "play": record.color >= 0 and record.pending == 0 and record.turn == record.to_move,
        "swap": record.top_card_seat == record.to_move and record.top % 15 == _SEVEN,
        "uno": record.top_card_seat == record.to_move and record.counts[record.top_card_seat] == 1,
        "jump": record.top_card_seat >= 0 and record.top in cards_in_hand(record, record.to_move),
    }
    if not is_possible[phase]:
        raise InvalidInput(f"phase {phase} contradicts the rest of the position")
    if record.pending and record.top % 15 not in (DRAW_TWO, WILD_FOUR):
        raise InvalidInput(f"pending is more than 0, but the top card is {top}, which is not a draw card")
    if record.n_discard and record.discard[record.n_discard - 1] != record.top:
        raise InvalidInput("printed_top is not the last card of the discard pile")
    shown = card_text(int(record.top), int(record.color))
    if top != shown:
        raise InvalidInput(f"printed_top and color make the top card {shown}, not {top}")
    if record.top % 15 < WILD and record.color != record.top // 15:
        raise InvalidInput(f"only a wild can be on top with another color in force than its own: top {top}")
    if record.top % 15 == WILD_FOUR and record.top_card_seat >= 0 and record.prior_color < 0:
        raise InvalidInput("prior_color, the color in force before the wild draw four, is missing")
    if record.winner < 0 and any(record.counts[seat] == 0 for seat in range(record.players)):
        raise InvalidInput("a hand is empty, but nobody has won")
