"""Event history of Uno: rows derived from the states before and after each action.

A row is `(kind, seat, value, audience)`; the audience says which seats see it (`core.events`).
"""

from itertools import takewhile
from typing import Any

from cardgames.core.events import ACTION, PUBLIC, EventRow, private_to
from cardgames.uno import cards
from cardgames.uno.cards import (
    DRAW,
    JUMP,
    KEEP,
    NO_JUMP,
    PASS,
    TAKE,
    WILD,
)
from cardgames.uno.piles import pop_pile, wild_index
from cardgames.uno.rules.draw_how import UNTIL_PLAYABLE
from cardgames.uno.rules.refill import WITH_TOP, refill_before, refill_empty
from cardgames.uno.rules.seven_zero import NO_SWAPS, is_rotation_card, is_swap_card
from cardgames.uno.rules.wild_color import IGNORED

DEALT, TURNED, DREW, LAID, REFILLED, COLOR_SET, SHOWN, RECEIVED, SWAPPED, ROTATED, JUMPED = range(1, 12)
"""Kinds of event besides `ACTION`, with the seat and the value of their rows:

- `DEALT` (seat, card): a card dealt.
- `TURNED` (-1, card): a card put on the discard pile at the start.
- `DREW` (seat, card): a card drawn.
- `LAID` (seat, action): a drawn card that the rules played at once, without a decision.
- `REFILLED` (-1, number of cards): discards shuffled into the draw pile.
- `COLOR_SET` (-1, color): the color in force, set by chance or by the color printed on a wild.
- `SHOWN` (seat, card): a card in the hand of `seat`, shown to a challenger.
- `RECEIVED` (seat, card): a card of the hand that `seat` received by a swap or rotation of hands.
- `SWAPPED` (seat, other seat): two hands swapped.
- `ROTATED` (-1, direction): every hand passed to the next seat.
- `JUMPED` (seat, card): the card with which a seat jumped in.
"""


def cards_in_hand(record: Any, seat: int) -> list[int]:
    """Return the card ids in the hand of `seat` in a state record, ascending; a card held twice appears twice."""
    return _card_ids(int(record.once[seat]), int(record.twice[seat]))


def _card_ids(once: int, twice: int) -> list[int]:
    """Return the card ids of a hand, ascending, from its masks of ids held at all (`once`) and held twice (`twice`)."""
    card_ids = []
    while once:
        lowest = once & -once
        card = lowest.bit_length() - 1
        card_ids += [card, card] if twice & lowest else [card]
        once -= lowest
    return card_ids


def _sort_by_receipt(record: Any, card_ids: list[int]) -> list[int]:
    """Return the ascending `card_ids` of a hand with its wilds last, in the order in which the hand received them."""
    return sorted(card_ids, key=lambda card: record.received[wild_index(card)] if card % 15 >= WILD else 0)


def cards_as_received(record: Any, seat: int) -> list[int]:
    """Return the card ids in the hand of `seat`: colored cards ascending, then wilds in the order received."""
    return _sort_by_receipt(record, cards_in_hand(record, seat))


def _new_cards(rules: Any, before: Any, after: Any, seat: int, seat_after: int, pile: list[int]) -> list[int]:
    """Return the ids of the cards that a hand gained between the states `before` and `after`.

    `seat` held the hand before, `seat_after` holds it now. Cards that were in the draw pile `pile` come first and are
    removed from that list; cards that came from a refill follow. Under `refill=with-top` they are not separated.
    """
    new_once, new_twice = int(after.once[seat_after]) & ~int(before.once[seat]), int(after.twice[seat_after])
    new = _sort_by_receipt(after, _card_ids(new_once | new_twice & ~int(before.twice[seat]), new_once & new_twice))
    if rules.refill == WITH_TOP:
        return new
    refilled = [card for card in new if not _remove_if_present(pile, card)]
    for card in refilled:
        new.remove(card)
    return new + refilled


def _remove_if_present(pile: list[int], card: int) -> bool:
    """Remove the card id `card` from the list `pile`, if it is there, and return whether it was."""
    if card not in pile:
        return False
    pile.remove(card)
    return True


def _draws_one_by_one(rules: Any, action: int) -> bool:
    """Return whether `action` draws cards one at a time until one is playable (rule `draw-how=until-playable`)."""
    return action == DRAW and bool(rules.draw_how == UNTIL_PLAYABLE)


def _replay_draws(rules: Any, before: Any, n: int) -> list[int]:
    """Return the ids of the next `n` cards that are drawn one at a time in the state `before`, in drawing order.

    The draws, with their refills of the pile, are made in a copy of the state.
    """
    state, drawn = before.copy(), []
    for _ in range(n):
        refill_before(rules, state, 1)
        refill_empty(rules, state)
        drawn.append(int(pop_pile(state)))
    return drawn


def opening_rows(record: Any) -> list[EventRow]:
    """Return the event rows with which a history begins: cards dealt, discard pile, color of a wild on top.

    `record` is the state record of a round just dealt, or of a position set up by hand.
    """
    rows: list[EventRow] = [
        (DEALT, seat, card, seat) for seat in range(record.players) for card in cards_as_received(record, seat)
    ]
    rows += [(TURNED, -1, int(card), PUBLIC) for card in record.discard[: record.n_discard]]
    if record.top % 15 >= WILD and record.color >= 0:
        rows.append((COLOR_SET, -1, int(record.color), PUBLIC))
    return rows


def _hand_move_rows(rules: Any, before: Any, action: int, after: Any) -> list[EventRow]:
    """Return the event rows of hands that `action` swaps (a seven) or rotates (a zero); empty if no hand moves.

    Rows of kind `RECEIVED` list the cards of each hand that moved.
    """
    if rules.seven_zero == NO_SWAPS or after.winner >= 0:
        return []
    if after.laid == before.laid and not cards.SWAP <= action < JUMP:
        return []
    if cards.SWAP <= action < JUMP:
        pair = (int(before.to_move), action - cards.SWAP)
    elif is_rotation_card(rules, after.top):
        rows: list[EventRow] = [(ROTATED, -1, int(after.direction), PUBLIC)]
        return rows + [
            (RECEIVED, seat, card, seat) for seat in range(after.players) for card in cards_as_received(after, seat)
        ]
    elif is_swap_card(rules, after.top) and after.players == 2:
        pair = (0, 1)
    else:
        return []
    rows = [(SWAPPED, *pair, PUBLIC)]
    return rows + [(RECEIVED, seat, card, seat) for seat in pair for card in cards_as_received(after, seat)]


def _seat_after_moves(after: Any, move_rows: list[EventRow], seat: int) -> int:
    """Return the seat that now holds the hand that `seat` held before the swap or rotation in `move_rows`."""
    if not move_rows:
        return seat
    kind, a, b, _ = move_rows[0]
    return (seat + b) % int(after.players) if kind == ROTATED else a + b - seat


def _insert_refill_rows(rules: Any, before: Any, action: int, draws: list[EventRow]) -> list[EventRow]:
    """Return `draws`, the event rows of cards drawn or played from the draw pile, with `REFILLED` rows inserted.

    A refill comes before the first card that the pile did not have. Under `refill=with-top` the pile is checked before
    several cards are drawn at once, so a refill comes before the first of them.
    """
    if not draws:
        return []
    num_in_pile, num_discards = int(before.n_pile), int(before.n_discard) + _plays_card_from_hand(action)
    rows: list[EventRow] = []
    for place, row in enumerate(draws):
        if row[0] == LAID:
            num_discards += 1
        else:
            num_needed, num_recycled = 1, num_discards - 1
            if rules.refill == WITH_TOP:
                num_needed, num_recycled = _draw_batch_size(rules, before, action, draws, place), num_discards
            if num_in_pile < num_needed and num_recycled > 0:
                rows.append((REFILLED, -1, num_recycled, PUBLIC))
                num_in_pile, num_discards = num_in_pile + num_recycled, num_discards - num_recycled
            num_in_pile -= 1
        rows.append(row)
    return rows


def _draw_batch_size(rules: Any, before: Any, action: int, draws: list[EventRow], place: int) -> int:
    """Return the number of cards drawn at once, beginning with the row at index `place` of the event rows `draws`.

    The result is 0 if that row continues such a draw, and 1 if the player draws cards one at a time.
    """
    seat = draws[place][1]
    if _draws_one_by_one(rules, action) and seat == before.to_move:
        return 1
    if place > 0 and draws[place - 1][:2] == (DREW, seat):
        return 0
    return len(list(takewhile(lambda row: row[:2] == (DREW, seat), draws[place:])))


def _audience(action: int, seat: int) -> int:
    """Return the audience of the event row of a decision of `seat`: `PUBLIC`, or that seat only.

    Ending a turn, taking a penalty and not jumping in are private: they look as if the player had had no choice.
    """
    return private_to(seat) if action in (KEEP, PASS, TAKE, NO_JUMP) else PUBLIC


def action_rows(rules: Any, before: Any, action: int, after: Any) -> list[EventRow]:
    """Return the event rows of `action`, which led from the state record `before` to the state record `after`.

    In order: the decision, the cards drawn or played by chance, with refills of the pile, and the hands swapped or
    rotated.
    """
    move_rows = _hand_move_rows(rules, before, action, after)
    draws = _chance_rows(rules, before, action, after, move_rows)
    rows = _decision_rows(before, action) + _insert_refill_rows(rules, before, action, draws)
    if rules.wild_color == IGNORED and after.laid > before.laid and after.top % 15 >= WILD:
        rows.append((COLOR_SET, -1, int(after.color), PUBLIC))
    return rows + move_rows


def _decision_rows(before: Any, action: int) -> list[EventRow]:
    """Return the `ACTION` row of `action`, then the hand that a challenge shows or the card of a jump-in."""
    seat, top_card_seat = int(before.to_move), int(before.top_card_seat)
    rows: list[EventRow] = [(ACTION, seat, action, _audience(action, seat))]
    if action == cards.CHALLENGE:
        rows += [(SHOWN, top_card_seat, card, seat) for card in cards_as_received(before, top_card_seat)]
    if action == JUMP:
        rows.append((JUMPED, seat, int(before.top), PUBLIC))
    return rows


def _chance_rows(rules: Any, before: Any, action: int, after: Any, move_rows: list[EventRow]) -> list[EventRow]:
    """Return the event rows of cards that left the draw pile because of `action`.

    These are the cards that the mover drew, a card that the rules played at once from the pile, and the cards that
    other seats drew. `move_rows` are the rows of hands that changed seats.
    """
    seat = int(before.to_move)
    num_played = int(after.laid) - int(before.laid)
    num_drawn = int(before.n_pile) - int(after.n_pile) + int(before.n_discard) + num_played - int(after.n_discard)
    pile = before.pile[: before.n_pile].tolist() if num_drawn > 0 else []
    rows: list[EventRow] = []
    if num_drawn > 0:
        gained = _new_cards(rules, before, after, seat, _seat_after_moves(after, move_rows, seat), pile)
        if _draws_one_by_one(rules, action):
            gained = _replay_draws(rules, before, len(gained))
        rows += [(DREW, seat, card, seat) for card in gained]
    if num_played > _plays_card_from_hand(action):
        top = int(after.top)
        _remove_if_present(pile, top)
        rows += [(DREW, seat, top, PUBLIC), (LAID, seat, 15 * int(after.color) + top % 15, PUBLIC)]
    if num_drawn > 0 and not move_rows:
        for other in (after.counts > before.counts).nonzero()[0].tolist():
            if other != seat:
                rows += [(DREW, other, card, other) for card in _new_cards(rules, before, after, other, other, pile)]
    return rows


def _plays_card_from_hand(action: int) -> bool:
    """Return whether `action` plays a card from the mover's hand: as its turn's play or as a jump-in."""
    return action < DRAW or action == JUMP
