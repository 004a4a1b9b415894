"""Conversion of Dou Di Zhu state records to dictionaries ready for JSON and back, with checks of the data read."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import DECK, hand_from_text, hand_size, hand_to_text, subtract_cards
from cardgames.doudizhu.moves.move_forms import BOMB, ROCKET
from cardgames.doudizhu.moves.move_table import FIRST_MOVE, MOVE_CARDS, MOVE_FORM_RANKS
from cardgames.doudizhu.notation import action_text
from cardgames.doudizhu.position_setup import check_bid, check_played, parse_bottom, read_played
from cardgames.doudizhu.state import (
    AUCTION,
    BOTTOM_SIZE,
    DOUBLING,
    HAND_SIZE,
    NUM_RECENT_ACTIONS,
    OVER,
    PHASES,
    PLAY,
    PLAYERS,
    empty_record,
)
from cardgames.support.errors import (
    InvalidInput,
    check_fields,
    check_integer_in,
    check_seat,
    check_value,
    is_list_of,
    parsing,
    unknown_name,
)

_MAX_COUNT = 32_000
_NUMBER_RANGES: Mapping[str, tuple[int, int]] = {
    "bid": (0, 3),
    "bombs": (0, 13),
    "rockets": (0, 1),
    "robs": (0, 3),
    "redeals": (0, _MAX_COUNT),
    "spoken": (0, _MAX_COUNT),
    "turns": (0, _MAX_COUNT),
    "decisions": (0, 2**30),
}
"""Name of an integer field in the dictionary -> its smallest and largest value."""
_ALLOWED_DOUBLES: Mapping[str, set[int]] = {"none": {1}, "double": {1, 2}, "super": {1, 2, 4}}
"""Value of the rule `doubling` -> allowed stake factors of a seat (field `doubles`)."""
_SEAT_FIELDS = ("landlord", "last_by", "winner", "bidder", "caller")
"""Names of the record fields that hold a seat, or -1 for none; None in the dictionary."""


def to_dict(record: Any) -> dict[str, Any]:
    """Convert a state record to a dictionary ready for JSON, with cards and actions as text.

    `from_dict` restores the same record.
    """
    num_recent = min(int(record.turns), NUM_RECENT_ACTIONS)
    return {
        "to_move": int(record.to_move),
        "hands": [hand_to_text(hand) for hand in record.hands],
        "bottom": hand_to_text(record.bottom),
        "last": action_text(int(record.last)) if record.last else None,
        "phase": PHASES[record.phase],
        **{name: int(record[name]) if record[name] >= 0 else None for name in _SEAT_FIELDS},
        "played": [hand_to_text(hand) for hand in record.played],
        "plays": [int(n) for n in record.play_counts],
        "doubles": [int(n) for n in record.doubles],
        "first_bidder": int(record.dealer),
        "passed": [seat for seat in range(PLAYERS) if record.passed >> seat & 1],
        "first": [action_text(int(action)) for action in record.first_actions],
        "recent": [
            action_text(int(record.recent_actions[t % NUM_RECENT_ACTIONS]))
            for t in range(record.turns - num_recent, record.turns)
        ],
        **{name: int(record[name]) for name in _NUMBER_RANGES},
        "rng": int(record.rng),
    }


def from_dict(rules: RuleSet, data: dict[str, Any]) -> Any:
    """Build the state record stored in a dictionary that `to_dict` wrote.

    Raises:
        InvalidInput: If a field is missing or invalid, or if the fields contradict each other or the rules.
    """
    with parsing("a position of Dou Di Zhu"):
        record = _read(rules, data)
    _check_cards(record)
    _check_phase(record, rules)
    _check_stake(record, rules)
    check_played(record)
    if record.last:
        _check_last(record)
    return record


def _check_three(name: str, values: Any) -> list[Any]:
    """Return `values` if it is a list of three entries, one per seat; else raise `InvalidInput` with the field's `name`."""
    if not isinstance(values, list) or len(values) != PLAYERS:
        raise InvalidInput(f"{name} must be a list of {PLAYERS} entries, not {values!r}")
    return values


def _check_form(data: dict[str, Any]) -> None:
    """Raise `InvalidInput`, naming the field, unless `data` has all fields of a position with the right types."""
    check_fields("a position of Dou Di Zhu", data, to_dict(empty_record()))
    for name in ("hands", "played", "first", "recent"):
        check_value(name, data[name], "a list of texts", is_list_of(str, data[name]))
    check_value("passed", data["passed"], "a list of seats", is_list_of(int, data["passed"]))
    for name in ("bottom", "phase"):
        check_value(name, data[name], "a text", isinstance(data[name], str))
    check_value("last", data["last"], "a text or null", data["last"] is None or isinstance(data["last"], str))
    if data["phase"] not in PHASES:
        raise unknown_name("phase", data["phase"], PHASES)


def _read(rules: RuleSet, data: dict[str, Any]) -> Any:
    """Build a state record from its dictionary. Each field is checked on its own, not against the other fields.

    Raises:
        InvalidInput: If a field is missing or has an invalid value.
    """
    _check_form(data)
    record = empty_record()
    record.phase = PHASES.index(data["phase"])
    record.to_move = check_integer_in("to_move", data["to_move"], -1, PLAYERS - 1)
    record.dealer = check_seat("first_bidder", data["first_bidder"], PLAYERS)
    for name in _SEAT_FIELDS:
        record[name] = -1 if data[name] is None else check_seat(name, data[name], PLAYERS)
    for name, (low, high) in _NUMBER_RANGES.items():
        record[name] = check_integer_in(name, data[name], low, high)
    for seat in range(PLAYERS):
        record.hands[seat] = hand_from_text(_check_three("hands", data["hands"])[seat])
        record.counts[seat] = hand_size(int(record.hands[seat]))
        record.played[seat] = hand_from_text(_check_three("played", data["played"])[seat])
        num_played = hand_size(int(record.played[seat]))
        record.play_counts[seat] = check_integer_in("plays", _check_three("plays", data["plays"])[seat], 0, num_played)
        record.doubles[seat] = check_integer_in("doubles", _check_three("doubles", data["doubles"])[seat], 1, 4)
        record.first_actions[seat] = read_played(_check_three("first", data["first"])[seat], rules)
    record.bottom = parse_bottom(data["bottom"]) if data["bottom"] else 0
    record.passed = sum(1 << check_seat("passed", seat, PLAYERS) for seat in set(data["passed"]))
    record.last = 0 if data["last"] is None else read_played(data["last"], rules)
    _read_recent(rules, record, data["recent"])
    record.rng = np.uint64(check_integer_in("rng", data["rng"], 0, 2**64 - 1))
    return record


def _read_recent(rules: RuleSet, record: Any, texts: list[str]) -> None:
    """Parse the texts of the latest actions of the play, oldest first, into the ring buffer `record.recent_actions`.

    Raises:
        InvalidInput: If the number of texts is not the smaller of `record.turns` and `NUM_RECENT_ACTIONS`.
    """
    num_recent, turns = min(int(record.turns), NUM_RECENT_ACTIONS), int(record.turns)
    if len(texts) != num_recent:
        raise InvalidInput(f"recent must list the last {num_recent} actions of the play, not {len(texts)}")
    for turn, text in zip(range(turns - num_recent, turns), texts, strict=True):
        record.recent_actions[turn % NUM_RECENT_ACTIONS] = read_played(text, rules)


def _check_cards(record: Any) -> None:
    """Raise `InvalidInput` if the cards of a state record are inconsistent.

    Hands, bottom cards and cards played must be the 54 cards of the deck. Hand and played cards of each seat must be
    17, for the landlord 20. The bottom cards must be the landlord's, held or played.
    """
    undealt_bottom = int(record.bottom) if record.landlord < 0 else 0
    all_cards = undealt_bottom + sum(int(hand) for hand in (*record.hands, *record.played))
    if all_cards != DECK:
        raise InvalidInput("hands, bottom and played together are not the 54 cards of the deck")
    for seat in range(PLAYERS):
        num_dealt = HAND_SIZE + BOTTOM_SIZE * (seat == record.landlord)
        if hand_size(int(record.hands[seat]) + int(record.played[seat])) != num_dealt:
            raise InvalidInput(f"the hand of seat {seat} and the cards it has played must be {num_dealt} together")
        if bool(record.play_counts[seat]) != bool(record.played[seat]):
            raise InvalidInput(f"plays and played contradict each other for seat {seat}")
    landlord_cards = int(record.hands[record.landlord]) + int(record.played[record.landlord])
    if record.landlord >= 0 and subtract_cards(int(record.bottom), landlord_cards):
        raise InvalidInput("the bottom cards are neither in the landlord's hand nor among the cards it has played")


def _check_phase(record: Any, rules: RuleSet) -> None:
    """Raise `InvalidInput` if a state record's phase contradicts its landlord, winner, bid, seat to move or the rules."""
    phase, has_landlord, won = record.phase, record.landlord >= 0, record.winner >= 0
    seats_without_cards = [seat for seat in range(PLAYERS) if not record.counts[seat]]
    has_caller = record.caller >= 0
    is_consistent = {
        AUCTION: not has_landlord and rules["bidding"] != "none" and record.bid < 3,
        DOUBLING: has_landlord and record.bid > 0 and rules["doubling"] != "none",
        PLAY: has_landlord and record.bid > 0,
        OVER: has_landlord == won and (not won or record.bid > 0),
    }
    if not is_consistent[int(phase)] or (phase < PLAY and record.turns) or (won and phase != OVER):
        raise InvalidInput(f"phase {PHASES[phase]} contradicts other fields of the position or the rules")
    if (record.to_move < 0) != (phase == OVER):
        raise InvalidInput(f"phase {PHASES[phase]} contradicts to_move {record.to_move}")
    if seats_without_cards != ([int(record.winner)] if won else []):
        raise InvalidInput("winner must be the one seat without cards, or null if there is none")
    if (record.bidder >= 0) != (record.bid > 0) and not has_landlord:
        raise InvalidInput("bid and bidder contradict each other")
    if phase == AUCTION and has_caller != (record.bid > 0 and rules["bidding"] == "call-rob"):
        raise InvalidInput("bid and caller contradict each other")


def _check_stake(record: Any, rules: RuleSet) -> None:
    """Raise `InvalidInput` if a record's bid, number of robs or stake factors cannot occur under the rules."""
    check_bid(int(record.bid), rules)
    if record.robs and rules["bidding"] != "call-rob":
        raise InvalidInput(f"robs must be 0 under bidding={rules['bidding']}, not {record.robs}")
    allowed = _ALLOWED_DOUBLES[str(rules["doubling"])]
    if not set(record.doubles.tolist()) <= allowed:
        raise InvalidInput(f"doubles must be among {sorted(allowed)} under doubling={rules['doubling']}")


def _check_last(record: Any) -> None:
    """Check the move to beat of a state record and set `record.passes`, the number of passes since that move.

    Raises:
        InvalidInput: If the seat `last_by` cannot have played the move, or if it is a bomb or rocket that is not
        counted.
    """
    by, to_move = int(record.last_by), int(record.to_move)
    played = int(record.played[by])
    over = record.phase == OVER
    if record.last < FIRST_MOVE or by < 0 or subtract_cards(int(MOVE_CARDS[record.last]), played) or by == to_move:
        raise InvalidInput(f"last_by {by} cannot have played the move to beat, {action_text(int(record.last))}")
    for name, form in (("bombs", BOMB), ("rockets", ROCKET)):
        if record[name] < (MOVE_FORM_RANKS[record.last] >> 4 == form):
            raise InvalidInput(f"{name} must be at least 1: the move to beat is {action_text(int(record.last))}")
    record.passes = 0 if over else (to_move - by - 1) % 3
