"""Setup of positions from hands, landlord and last move; cards the caller does not name are placed at random.

The random cards are placed so that the position can arise under the rules; a position that cannot arise is an error.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import NUM_RANKS, hand_from_text, hand_size, subtract_cards
from cardgames.doudizhu.moves.move_forms import BOMB, ROCKET
from cardgames.doudizhu.moves.move_table import FIRST_MOVE, MOVE_CARDS, MOVE_FORM_RANKS, NUM_HOLDABLE_ACTIONS, PASS
from cardgames.doudizhu.notation import parse_action
from cardgames.doudizhu.state import AUCTION, BOTTOM_SIZE, HAND_SIZE, PLAY, PLAYERS, empty_record
from cardgames.doudizhu.unplaced_cards import UnplacedCards
from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput, check_integer_in, check_seat, is_integer, parse_integer, short_repr

Hand = str | int | None

_COUNTED_MOVES = {"bombs": tuple(4 << 4 * rank for rank in range(NUM_RANKS - 2)), "rockets": (hand_from_text("BR"),)}
"""Name of a record field that counts moves played -> the moves it counts (the 13 bombs, or the rocket), each as a hand."""


def read_played(text: str, rules: RuleSet) -> int:
    """Parse the text of an action that a seat has taken into its action id.

    Raises:
        InvalidInput: If the text is not an action under `rules`, or has more cards than a hand can hold.
    """
    action = parse_action(text, rules)
    if action >= NUM_HOLDABLE_ACTIONS:
        raise InvalidInput(f"no hand can hold the cards of {text}")
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
    """Build the state record of a position in the play or, if `landlord` is None, at the start of the auction.

    `DouDiZhu.position` documents the arguments.

    Raises:
        InvalidInput: If the position cannot arise under the rules.
    """
    if len(hands) != PLAYERS:
        raise InvalidInput(f"hands must have {PLAYERS} entries, one per seat, not {short_repr(hands)}")
    hands = [_read_number(hand) for hand in hands]
    record, unplaced, random = empty_record(), UnplacedCards(), np.random.default_rng(rng.derive(seed, 1))
    record.rng = rng.derive(seed)
    if landlord is None:
        if (last, last_by, bid, bombs, rockets) != (None, None, 1, 0, 0):
            raise InvalidInput(
                "without landlord the position is the start of an auction: leave out last, last_by, bid, bombs and rockets, "
                "or set landlord"
            )
        _fill_auction(record, rules, hands, bottom, unplaced, random)
        record.dealer = record.to_move = check_seat("to_move", 0 if to_move is None else to_move, PLAYERS)
        return record
    record.landlord = record.bidder = record.dealer = check_seat("landlord", landlord, PLAYERS)
    record.phase = PLAY
    for name, number, maximum in (("bid", bid, 3), ("bombs", bombs, 13), ("rockets", rockets, 1)):
        record[name] = check_integer_in(name, number, int(name == "bid"), maximum)
    record.to_move = check_seat("to_move", landlord if to_move is None else to_move, PLAYERS)
    if last is not None:
        _set_last_move(record, rules, last, last_by)
    elif last_by is not None:
        raise InvalidInput("last_by needs last: set last to the move to beat")
    check_bid(bid, rules)
    _fill_play(record, hands, bottom, unplaced, random)
    check_played(record)
    return record


def check_bid(bid: int, rules: RuleSet) -> None:
    """Raise `InvalidInput` if the stake `bid` is above 1 under rules whose auction is not by score."""
    if bid > 1 and rules["bidding"] != "score":
        raise InvalidInput(f"bid must be 1 under bidding={rules['bidding']}, not {bid}")


def check_played(record: Any) -> None:
    """Raise `InvalidInput` if the cards played in a state record contradict its other fields.

    The counted bombs and rockets must be among the cards played, and the seats that must have played (the landlord if
    any seat has, the seat that leads a later trick) must have cards played.
    """
    played = [int(cards) for cards in record.played]
    for name, counted_moves in _COUNTED_MOVES.items():
        maximum = sum(subtract_cards(cards, seat_played) == 0 for cards in counted_moves for seat_played in played)
        if record[name] > maximum:
            raise InvalidInput(f"{name} is {record[name]}, but the cards played contain at most {maximum}")
    if record.landlord >= 0 and any(played) and not played[record.landlord]:
        raise InvalidInput("the landlord leads first, so it must have played if any seat has")
    if record.phase == PLAY and not record.last and not played[record.to_move]:
        if any(played):
            raise InvalidInput(f"seat {record.to_move} has not played, so it cannot have the lead")
        if record.to_move != record.landlord:
            raise InvalidInput("no seat has played, so the landlord must have the lead")
    if record.phase == PLAY and record.play_counts[record.landlord] == 1 and _has_landlord_played_twice(record):
        raise InvalidInput(
            "other seats have played and the landlord has the trick, so it must have played at least twice"
        )


def _read_number(hand: Hand) -> Hand:
    """Parse a hand written as a number of random cards: return 5 for `?5`, None for `?`, and any other hand unchanged."""
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
    """Fill `record` for the start of an auction with 17 cards per seat and 3 bottom cards.

    Hands and bottom cards that are given as text are used as they are; the others are drawn at random from `unplaced`.

    Raises:
        InvalidInput: If the rules have no auction, a hand does not have 17 cards or there are not 3 bottom cards.
    """
    if rules["bidding"] == "none":
        raise InvalidInput("these rules have no auction: set landlord")
    record.phase = AUCTION
    named_hands = [unplaced.take(hand_from_text(hand)) if isinstance(hand, str) else 0 for hand in hands]
    named_bottom = unplaced.take(hand_from_text(bottom)) if bottom is not None else 0
    for seat, (hand, requested) in enumerate(zip(named_hands, hands, strict=True)):
        if requested not in (None, HAND_SIZE) and hand_size(hand) != HAND_SIZE:
            held = hand_size(hand) if isinstance(requested, str) else short_repr(requested)
            raise InvalidInput(f"each seat has {HAND_SIZE} cards in the auction, not {held}")
        record.hands[seat] = hand or unplaced.draw(HAND_SIZE, random)
        record.counts[seat] = HAND_SIZE
    if bottom is not None and hand_size(named_bottom) != BOTTOM_SIZE:
        raise InvalidInput(f"there are {BOTTOM_SIZE} bottom cards, not {hand_size(named_bottom)}")
    record.bottom = named_bottom or unplaced.draw(BOTTOM_SIZE, random)


def _set_last_move(record: Any, rules: RuleSet, last: str, last_by: int | None) -> None:
    """Set the fields of `record` for the move to beat: its id, the seat that played it, and the passes since then.

    The move also counts as played by that seat.

    Args:
        record: State record to change.
        rules: Rules of the game.
        last: Move to beat, as text.
        last_by: Seat that played it; None for the seat before the one to move.

    Raises:
        InvalidInput: If `last` is not a move, or its player is the seat to move.
    """
    action, to_move = read_played(last, rules), int(record.to_move)
    if action < FIRST_MOVE:
        raise InvalidInput(f"last must be the cards of the move to beat, not {last!r}")
    by = (to_move + 2) % 3 if last_by is None else check_seat("last_by", last_by, PLAYERS)
    if by == to_move:
        raise InvalidInput(
            f"last_by and to_move are both seat {to_move}: leave out last if the other seats have passed"
        )
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
    """Fill the hands of `record` for a position in the play, and the cards that each seat has played.

    Cards that the caller did not name are drawn at random. Cards in no hand count as played; they are distributed at
    random, to each seat the number of cards it was dealt and no longer holds.
    """
    landlord = int(record.landlord)
    named_hands = [unplaced.take(hand_from_text(hand)) if isinstance(hand, str) else 0 for hand in hands]
    for seat in range(PLAYERS):
        unplaced.take(int(record.played[seat]))
    if bottom is not None:
        record.bottom = parse_bottom(bottom)
        rest = unplaced.take(subtract_cards(int(record.bottom), named_hands[landlord] + int(record.played[landlord])))
        if isinstance(hands[landlord], str):
            record.played[landlord] += np.uint64(rest)
        else:
            unplaced.reserved[landlord] = rest
    _count_hands(record, hands, named_hands)
    moves = _place_played_bombs(record, unplaced, random)
    if unplaced.reserved[landlord]:
        held, shed = unplaced.divide_reserved(
            landlord, int(record.counts[landlord]), _num_unnamed_played(record, landlord), random
        )
        named_hands[landlord] += held
        record.played[landlord] += np.uint64(shed)
    for seat in range(PLAYERS):
        record.hands[seat] = named_hands[seat] + unplaced.draw(
            int(record.counts[seat]) - hand_size(named_hands[seat]), random
        )
    for seat in range(PLAYERS):
        record.played[seat] += np.uint64(unplaced.draw(_num_unnamed_played(record, seat), random))
        record.play_counts[seat] = _plays(int(record.played[seat]), moves[seat])


def _count_hands(record: Any, hands: Sequence[Hand], named_hands: Sequence[int]) -> None:
    """Set `record.counts`, the number of cards in each hand, from the requested `hands`.

    A hand given as text has the cards in `named_hands`. A hand given as None gets as many cards as the seat can have.

    Raises:
        InvalidInput: If a seat cannot hold the requested number of cards.
    """
    for seat, requested in enumerate(hands):
        held, shed = hand_size(named_hands[seat]), hand_size(int(record.played[seat]))
        size = (
            held if isinstance(requested, str) else _num_cards(seat, requested, held, _num_dealt(record, seat) - shed)
        )
        record.counts[seat] = size
        if _num_unnamed_played(record, seat) < 0 or size == 0:
            raise InvalidInput(
                f"seat {seat} was dealt {_num_dealt(record, seat)} cards: it cannot hold {size} and have played {shed}"
            )
    # if any seat has played, then so have the landlord and the seat that leads: each can hold at most one card less
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
    """Return whether the landlord must have played at least twice.

    That is so if another seat has played, and the landlord leads or has played the move to beat.
    """
    ahead = record.last_by if record.last else record.to_move
    return bool(ahead == record.landlord and _others_have_played(record, record.landlord))


def _others_have_played(record: Any, seat: int) -> bool:
    """Return whether a seat other than `seat` holds fewer cards than it was dealt, so that it has played."""
    others = (other for other in range(PLAYERS) if other != seat)
    return any(record.counts[other] < _num_dealt(record, other) for other in others)


def _num_unnamed_played(record: Any, seat: int) -> int:
    """Return the number of cards that a seat has played and whose ranks the record does not contain yet."""
    return _num_dealt(record, seat) - int(record.counts[seat]) - hand_size(int(record.played[seat]))


def _place_played_bombs(record: Any, unplaced: UnplacedCards, random: np.random.Generator) -> list[list[int]]:
    """Assign the bombs and the rocket that `record` counts to random seats that can have played them.

    Returns:
        For each seat, its known moves (bombs, the rocket, the move to beat), each as a hand.

    Raises:
        InvalidInput: If no seat can have played one of them.
    """
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
                raise InvalidInput(f"{name} is {record[name]}, but the placed cards leave room for fewer")
            fewest_new_cards = [
                choice for choice in choices if choice[0] == min(choices)[0]
            ]  # leaves the most room for the remaining bombs
            _, cards, seat = fewest_new_cards[int(random.integers(len(fewest_new_cards)))]
            record.played[seat] += np.uint64(
                unplaced.take_reserved(seat, subtract_cards(cards, int(record.played[seat])))
            )
            moves[seat].append(cards)
    return moves


def _is_rocket_begun(record: Any, unplaced: UnplacedCards) -> bool:
    """Return whether a joker is already among a seat's played or reserved cards.

    Only that seat can then have played the rocket, so the rocket must be placed before the bombs.
    """
    known_hands = [*map(int, record.played), *unplaced.reserved]
    return any(subtract_cards(rocket, cards) != rocket for rocket in _COUNTED_MOVES["rockets"] for cards in known_hands)


def _can_have_played(record: Any, unplaced: UnplacedCards, cards: int, seat: int) -> bool:
    """Return whether `seat` can have played `cards` (a bomb or the rocket, as a hand) earlier than the move to beat.

    Its missing cards must be available in `unplaced` and fit into the number of cards that the seat has played. The
    move must not share cards with the move to beat, and must not be the only move of a landlord that has played twice.
    """
    rest = subtract_cards(cards, int(record.played[seat]))
    overlaps_last = record.last and subtract_cards(cards, int(MOVE_CARDS[record.last])) != cards
    missing = _num_unnamed_played(record, seat)
    reserved_cards_fit = hand_size(rest) + hand_size(subtract_cards(unplaced.reserved[seat], rest)) <= missing + int(
        record.counts[seat]
    )
    all_shed = hand_size(cards) == _num_dealt(record, seat) - int(record.counts[seat])
    only_move = all_shed and seat == record.landlord and not record.last and _has_landlord_played_twice(record)
    return (
        not overlaps_last
        and hand_size(rest) <= missing
        and reserved_cards_fit
        and unplaced.has_cards_for(seat, rest)
        and not only_move
    )


def _num_dealt(record: Any, seat: int) -> int:
    """Return the number of cards that a seat has at the start of the play: 20 for the landlord, 17 for a peasant."""
    return HAND_SIZE + BOTTOM_SIZE * bool(seat == record.landlord)


def parse_bottom(text: str) -> int:
    """Parse the text of the bottom cards into a hand. Raises `InvalidInput` unless there are three cards."""
    hand = hand_from_text(text)
    if hand_size(hand) != BOTTOM_SIZE:
        raise InvalidInput(f"there are {BOTTOM_SIZE} bottom cards, not {text!r}")
    return hand


def _num_cards(seat: int, requested: Hand, minimum: int, maximum: int) -> int:
    """Return the requested number of cards in the hand of `seat`, or `maximum` if `requested` is None.

    Raises:
        InvalidInput: If `requested` is not an integer from `minimum` (at least 1) to `maximum`.
    """
    if requested is None:
        return maximum
    minimum = max(1, minimum)
    if not is_integer(requested) or not minimum <= requested <= maximum:
        raise InvalidInput(
            f"the hand of seat {seat} is its cards or their number, {minimum} to {maximum}, not {short_repr(requested)}"
        )
    return requested


def _plays(played: int, moves: list[int]) -> int:
    """Estimate how often a seat has played: 0 for never, 1 for once, 2 for twice or more.

    It has played once if all its played cards are a single card or one of its known moves. The spring rules, which ask
    only for no play or one play, need no exact number.

    Args:
        played: All cards that the seat has played, as a hand.
        moves: Moves that the seat is known to have played, as hands.
    """
    once = hand_size(played) == 1 or played in moves
    return 0 if not played else 1 if once else 2
