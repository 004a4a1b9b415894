"""Positions set up by hand: finding a place for all cards that are not named."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import NUM_RANKS, hand_from_text, hand_size, subtract_cards
from cardgames.doudizhu.moves.move_table import FIRST_MOVE, MOVE_CARDS, MOVE_FORM_RANKS, NUM_HOLDABLE_ACTIONS, PASS
from cardgames.doudizhu.moves.move_types import BOMB, ROCKET
from cardgames.doudizhu.notation import parse_action
from cardgames.doudizhu.state import AUCTION, BOTTOM_SIZE, HAND_SIZE, PLAY, PLAYERS, empty_record
from cardgames.doudizhu.unplaced_cards import UnplacedCards
from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput, check_integer_in, check_seat, is_integer, parse_integer, short_repr

Hand = str | int | None

_COUNTED_MOVES = {"bombs": tuple(4 << 4 * rank for rank in range(NUM_RANKS - 2)), "rockets": (hand_from_text("BR"),)}
"""Field of a record -> the moves it counts, as cards."""


def read_played(text: str, rules: RuleSet) -> int:
    """Return the action written as `text` that somebody has taken. Raises `InvalidInput`, also for what no hand can hold."""
    action = parse_action(text, rules)
    if action >= NUM_HOLDABLE_ACTIONS:
        raise InvalidInput(f"nobody can have played {text}")
    return action


def set_up(
    rules: RuleSet,
    *,
    hands: Sequence[Hand],
    landlord: int | None = None,
    to_move: int | None = None,
    last: str | None = None,
    last_by: int | None = None,
    bottom: str | None = None,
    bid: int = 1,
    bombs: int = 0,
    rockets: int = 0,
    seed: int = 0,
) -> Any:
    """Return the record of a position in the play, or without a landlord at the start of the auction; see
    `DouDiZhu.position`. Raises `InvalidInput`.
    """
    if len(hands) != PLAYERS:
        raise InvalidInput(f"hands are those of {PLAYERS} seats, not {short_repr(hands)}")
    hands = [_read_number(hand) for hand in hands]
    record, unplaced, random = empty_record(), UnplacedCards(), np.random.default_rng(rng.derive(seed, 1))
    record.rng = rng.derive(seed)
    if landlord is None:
        if (last, last_by, bid, bombs, rockets) != (None, None, 1, 0, 0):
            raise InvalidInput(
                "nothing has been played or bid where an auction begins: leave out last, last_by, bid, bombs and rockets, "
                "or name the landlord"
            )
        _fill_auction(record, rules, hands, bottom, unplaced, random)
        record.dealer = record.to_move = check_seat("to_move", 0 if to_move is None else to_move, PLAYERS)
        return record
    record.landlord = record.bidder = record.dealer = check_seat("landlord", landlord, PLAYERS)
    record.phase = PLAY
    for name, number, most in (("bid", bid, 3), ("bombs", bombs, 13), ("rockets", rockets, 1)):
        record[name] = check_integer_in(name, number, int(name == "bid"), most)
    record.to_move = check_seat("to_move", landlord if to_move is None else to_move, PLAYERS)
    if last is not None:
        _set_last_move(record, rules, last, last_by)
    elif last_by is not None:
        raise InvalidInput("last_by says who played the move to beat: say which, as last")
    check_bid(bid, rules)
    _fill_play(record, hands, bottom, unplaced, random)
    check_played(record)
    return record


def check_bid(bid: int, rules: RuleSet) -> None:
    """Raise `InvalidInput` for a bid that nobody can make."""
    if bid > 1 and rules["bidding"] != "score":
        raise InvalidInput(f"bid is 1 under bidding={rules['bidding']}, not {bid}")


def check_played(record: Any) -> None:
    """Raise `InvalidInput` unless those have played who must have, and bombs and rockets are among their cards."""
    played = [int(cards) for cards in record.played]
    for name, kind in _COUNTED_MOVES.items():
        most = sum(subtract_cards(cards, theirs) == 0 for cards in kind for theirs in played)
        if record[name] > most:
            raise InvalidInput(f"{name} is at most {most} by the cards played, not {record[name]}")
    if record.landlord >= 0 and any(played) and not played[record.landlord]:
        raise InvalidInput("the landlord leads: he has played, if anybody has")
    if record.phase == PLAY and not record.last and not played[record.to_move]:
        if any(played):
            raise InvalidInput(f"seat {record.to_move} has not played, so it cannot have taken the lead")
        if record.to_move != record.landlord:
            raise InvalidInput("nobody has played: the landlord leads")
    if record.phase == PLAY and record.play_counts[record.landlord] == 1 and _has_landlord_played_twice(record):
        raise InvalidInput("others have played, so the landlord, who is ahead, has played twice at least")


def _read_number(hand: Hand) -> Hand:
    """Return what a hand written `?5` or `?` stands for, any other as it is."""
    if not isinstance(hand, str) or not hand.startswith("?"):
        return hand
    text = hand[1:].strip()
    number = parse_integer(text)
    return hand if text and number is None else number


def _fill_auction(
    record: Any,
    rules: RuleSet,
    hands: Sequence[Hand],
    bottom: str | None,
    unplaced: UnplacedCards,
    random: np.random.Generator,
) -> None:
    """Deal 17 cards to each seat, those given among them."""
    if rules["bidding"] == "none":
        raise InvalidInput("these rules have no auction: say who is the landlord")
    record.phase = AUCTION
    given = [unplaced.take(hand_from_text(hand)) if isinstance(hand, str) else 0 for hand in hands]
    aside = unplaced.take(hand_from_text(bottom)) if bottom is not None else 0
    for seat, (hand, requested) in enumerate(zip(given, hands, strict=True)):
        if requested not in (None, HAND_SIZE) and hand_size(hand) != HAND_SIZE:
            held = hand_size(hand) if isinstance(requested, str) else short_repr(requested)
            raise InvalidInput(f"in the auction each seat has {HAND_SIZE} cards, not {held}")
        record.hands[seat] = hand or unplaced.draw(HAND_SIZE, random)
        record.counts[seat] = HAND_SIZE
    if bottom is not None and hand_size(aside) != BOTTOM_SIZE:
        raise InvalidInput(f"{BOTTOM_SIZE} cards lie at the bottom, not {hand_size(aside)}")
    record.bottom = aside or unplaced.draw(BOTTOM_SIZE, random)


def _set_last_move(record: Any, rules: RuleSet, last: str, last_by: int | None) -> None:
    """Note the move to beat, who played it, and the passes since."""
    action, to_move = read_played(last, rules), int(record.to_move)
    if action < FIRST_MOVE:
        raise InvalidInput(f"last is the move to beat, not {last!r}")
    by = (to_move + 2) % 3 if last_by is None else check_seat("last_by", last_by, PLAYERS)
    if by == to_move:
        raise InvalidInput("who played the move to beat is not to move: leave out last if everybody has passed")
    record.last, record.last_by, record.passes = action, by, (to_move - by - 1) % 3
    record.recent_actions[0], record.recent_actions[1] = action, PASS
    record.turns = 1 + record.passes
    record.played[by] = MOVE_CARDS[action]
    form = int(MOVE_FORM_RANKS[action]) >> 4
    record.bombs = max(int(record.bombs), int(form == BOMB))
    record.rockets = max(int(record.rockets), int(form == ROCKET))


def _fill_play(
    record: Any, hands: Sequence[Hand], bottom: str | None, unplaced: UnplacedCards, random: np.random.Generator
) -> None:
    """Fill the hands, and take all other cards to have been played, each by a random seat that has cards missing."""
    landlord = int(record.landlord)
    given = [unplaced.take(hand_from_text(hand)) if isinstance(hand, str) else 0 for hand in hands]
    for seat in range(PLAYERS):
        unplaced.take(int(record.played[seat]))
    if bottom is not None:
        record.bottom = parse_bottom(bottom)
        rest = unplaced.take(subtract_cards(int(record.bottom), given[landlord] + int(record.played[landlord])))
        if isinstance(hands[landlord], str):
            record.played[landlord] += np.uint64(rest)
        else:
            unplaced.reserved[landlord] = rest
    _count_hands(record, hands, given)
    moves = _place_played_bombs(record, unplaced, random)
    if unplaced.reserved[landlord]:
        held, shed = unplaced.divide_reserved(
            landlord, int(record.counts[landlord]), _num_unnamed_played(record, landlord), random
        )
        given[landlord] += held
        record.played[landlord] += np.uint64(shed)
    for seat in range(PLAYERS):
        record.hands[seat] = given[seat] + unplaced.draw(int(record.counts[seat]) - hand_size(given[seat]), random)
    for seat in range(PLAYERS):
        record.played[seat] += np.uint64(unplaced.draw(_num_unnamed_played(record, seat), random))
        record.play_counts[seat] = _plays(int(record.played[seat]), moves[seat])


def _count_hands(record: Any, hands: Sequence[Hand], given: Sequence[int]) -> None:
    """Note how many cards each hand is to hold, of those `given` at least; raise `InvalidInput` for what it cannot."""
    for seat, requested in enumerate(hands):
        held, shed = hand_size(given[seat]), hand_size(int(record.played[seat]))
        size = (
            held if isinstance(requested, str) else _num_cards(seat, requested, held, _num_dealt(record, seat) - shed)
        )
        record.counts[seat] = size
        if _num_unnamed_played(record, seat) < 0 or size == 0:
            raise InvalidInput(
                f"seat {seat} had {_num_dealt(record, seat)} cards: it cannot hold {size} and have played {shed}"
            )
    # where somebody has played, so has the landlord, and whoever leads: as many as he could have is a card less
    for seat in (record.landlord, record.landlord if record.last else record.to_move):
        if (
            hands[seat] is None
            and _others_have_played(record, seat)
            and record.counts[seat] == _num_dealt(record, seat)
        ):
            record.counts[seat] -= 1
    if hands[record.landlord] is None and _has_landlord_played_twice(record):
        record.counts[record.landlord] -= max(0, 2 - bool(record.last) - _num_unnamed_played(record, record.landlord))


def _has_landlord_played_twice(record: Any) -> bool:
    """Return whether the landlord is ahead, though others have played: then he has played twice at least."""
    ahead = record.last_by if record.last else record.to_move
    return bool(ahead == record.landlord and _others_have_played(record, record.landlord))


def _others_have_played(record: Any, seat: int) -> bool:
    others = (other for other in range(PLAYERS) if other != seat)
    return any(record.counts[other] < _num_dealt(record, other) for other in others)


def _num_unnamed_played(record: Any, seat: int) -> int:
    """Return how many cards a seat has played that are not named."""
    return _num_dealt(record, seat) - int(record.counts[seat]) - hand_size(int(record.played[seat]))


def _place_played_bombs(record: Any, unplaced: UnplacedCards, random: np.random.Generator) -> list[list[int]]:
    """Have the bombs and the rocket been played by seats that can have; return the moves that are known of each seat."""
    moves: list[list[int]] = [[] for _ in range(PLAYERS)]
    last = int(MOVE_CARDS[record.last]) if record.last else 0
    if last:
        moves[record.last_by].append(last)
    for name in ("rockets", "bombs") if _is_rocket_begun(record, unplaced) else ("bombs", "rockets"):
        for _ in range(int(record[name]) - (last in _COUNTED_MOVES[name])):
            choices = [
                (hand_size(subtract_cards(cards, int(record.played[seat]))), cards, seat)
                for cards in _COUNTED_MOVES[name]
                for seat in range(PLAYERS)
                if cards not in moves[seat] and _can_have_played(record, unplaced, cards, seat)
            ]
            if not choices:
                raise InvalidInput(f"{name} is {record[name]}, but where the cards lie fewer can have been played")
            fewest_new_cards = [
                choice for choice in choices if choice[0] == min(choices)[0]
            ]  # which leaves most room for the others
            _, cards, seat = fewest_new_cards[int(random.integers(len(fewest_new_cards)))]
            record.played[seat] += np.uint64(
                unplaced.take_reserved(seat, subtract_cards(cards, int(record.played[seat])))
            )
            moves[seat].append(cards)
    return moves


def _is_rocket_begun(record: Any, unplaced: UnplacedCards) -> bool:
    """Return whether a seat is known to have had a joker: then it alone can have played the rocket."""
    had = [*map(int, record.played), *unplaced.reserved]
    return any(subtract_cards(rocket, cards) != rocket for rocket in _COUNTED_MOVES["rockets"] for cards in had)


def _can_have_played(record: Any, unplaced: UnplacedCards, cards: int, seat: int) -> bool:
    """Return whether a seat may have played a bomb, or the rocket, before the move to beat."""
    rest = subtract_cards(cards, int(record.played[seat]))
    in_last = record.last and subtract_cards(cards, int(MOVE_CARDS[record.last])) != cards
    missing = _num_unnamed_played(record, seat)
    own_fit = hand_size(rest) + hand_size(subtract_cards(unplaced.reserved[seat], rest)) <= missing + int(
        record.counts[seat]
    )
    all_shed = hand_size(cards) == _num_dealt(record, seat) - int(record.counts[seat])
    only_move = all_shed and seat == record.landlord and not record.last and _has_landlord_played_twice(record)
    return (
        not in_last and hand_size(rest) <= missing and own_fit and unplaced.has_cards_for(seat, rest) and not only_move
    )


def _num_dealt(record: Any, seat: int) -> int:
    """Return how many cards a seat had to begin with."""
    return HAND_SIZE + BOTTOM_SIZE * bool(seat == record.landlord)


def parse_bottom(text: str) -> int:
    """Return the cards at the bottom. Raises `InvalidInput` unless they are three."""
    hand = hand_from_text(text)
    if hand_size(hand) != BOTTOM_SIZE:
        raise InvalidInput(f"{BOTTOM_SIZE} cards lay at the bottom, not {text!r}")
    return hand


def _num_cards(seat: int, requested: Hand, least: int, most: int) -> int:
    """Return how many cards a hand that is not given is to hold. Raises `InvalidInput`."""
    if requested is None:
        return most
    least = max(1, least)
    if not is_integer(requested) or not least <= requested <= most:
        raise InvalidInput(
            f"the hand of seat {seat} is its cards or how many, {least} to {most}, not {short_repr(requested)}"
        )
    return requested


def _plays(played: int, moves: list[int]) -> int:
    """Return how often a seat has played, as far as it matters: never, once, or more often. `moves` are those known."""
    once = hand_size(played) == 1 or played in moves
    return 0 if not played else 1 if once else 2
