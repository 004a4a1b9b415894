"""A slow referee for Uno: docs/reference/uno.md in plain Python, section by section.

A decision is a table of options: action id -> the function that carries the action out. The steps of the rules call one
another until one of them asks a seat for a decision, or the round is over.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

SKIP, REVERSE, DRAW_TWO, WILD, WILD_FOUR = range(10, 15)
PENALTY = {DRAW_TWO: 2, WILD_FOUR: 4}
DRAW, KEEP, PASS, CHALLENGE, ACCEPT, UNO, QUIET, LET_GO, TAKE, NO_JUMP = range(60, 70)
CATCH, SWAP, JUMP, COLOR = 70, 80, 90, 91
HIGHEST_START = {"any": WILD_FOUR, "not-wild-four": WILD, "not-wild": DRAW_TWO, "number": 9}  # axis `start` -> face
HIGHEST_LAST = {"any": WILD_FOUR, "no-wild": DRAW_TWO, "number-only": 9}  # axis `last-card` -> face
STACKS_ON: dict[str, dict[int, set[int]]] = {
    "none": {},
    "same": {DRAW_TWO: {DRAW_TWO}, WILD_FOUR: {WILD_FOUR}},
    "up": {DRAW_TWO: {DRAW_TWO, WILD_FOUR}, WILD_FOUR: {WILD_FOUR}},
    "any": {DRAW_TWO: {DRAW_TWO, WILD_FOUR}, WILD_FOUR: {DRAW_TWO, WILD_FOUR}},
}


def color_of(card: int) -> int:
    """Return the color of a card; of a wild, the printed one."""
    return card // 15


def face_of(card: int) -> int:
    """Return the face of a card, or of the card that an action from 0 to 59 plays."""
    return card % 15


def is_wild(card: int) -> bool:
    """Return whether the card is a wild or a wild draw four."""
    return face_of(card) >= WILD


def points(card: int) -> int:
    """Return the points of a card in the hand of a loser."""
    return 50 if is_wild(card) else 20 if face_of(card) in (SKIP, REVERSE, DRAW_TWO) else face_of(card)


class Referee:
    """One round of Uno under `rules` (axis -> value, for every axis), from a position at the start of a turn.

    Hands list card ids in the order received, the discard pile goes from bottom to top. The pile is a multiset; each
    action comes with the cards that are drawn from it. `wild_order`, if given, is the order in which wilds were
    received, if the hands do not say. `cards_since_draw` has for each seat the cards it took since it last drew with each
    color in force, up to 7.
    """

    def __init__(
        self,
        rules: dict[str, Any],
        *,
        hands: list[list[int]],
        pile: list[int],
        discard: list[int],
        top: int,
        color: int,
        to_move: int,
        direction: int,
        wild_order: list[int] | None = None,
    ) -> None:
        self.rules = rules
        self.hands = [list(hand) for hand in hands]
        self.cards_since_draw: list[dict[int, int]] = [{} for _ in hands]
        if wild_order is not None:
            for hand in self.hands:
                hand.sort(key=lambda card: wild_order.index(card) if card in wild_order else -1)
        self.pile = list(pile)
        self.discard = list(discard)
        self.top = top
        self.color = color
        self.direction = direction
        self.pending = self.decisions = self._idle_turns = 0
        self.winner, self.void = -1, False
        self._drawn: list[int] = []  # the chance of the action: cards to be drawn, colors for wilds
        self._colors: list[int] = []
        self._top_card_seat = self._next = to_move  # seats of the top card and of the turn after it
        self._prior_color, self._said_quiet, self._penalty = color, False, 0
        self._begin_turn(to_move)

    @classmethod
    def deal(
        cls, rules: dict[str, Any], *, players: int, dealer: int, deck: list[int], colors: Sequence[int] = ()
    ) -> "Referee":
        """Deal a round from `deck`, its first card first. Rejected start cards that go back lie under all others."""
        if rules["opener"] == "seat-0":
            dealer = players - 1
        opener = {"left-of-dealer": (dealer + 1) % players, "dealer": dealer, "seat-0": 0}[rules["opener"]]
        size = int(rules["hand-size"])
        hands = [deck[seat * size : (seat + 1) * size] for seat in range(players)]
        pile, discard = cls._turn_up(rules, deck[players * size :])
        top = discard[-1]
        game = cls(
            rules, hands=hands, pile=pile, discard=discard, top=top, color=color_of(top), to_move=opener, direction=1
        )
        game._drawn = game.pile + game.discard  # the order in which cards are drawn, with a refill
        game._colors = list(colors)
        game._start(dealer, opener)
        game._drawn = []
        return game

    @staticmethod
    def _turn_up(rules: dict[str, Any], pile: list[int]) -> tuple[list[int], list[int]]:
        """Turn cards up until one is accepted; return the pile and the discard pile."""
        accepted = [face_of(card) <= HIGHEST_START[rules["start"]] for card in pile]
        index = accepted.index(True) if any(accepted) else 0
        rejected, start, below = pile[:index], pile[index], pile[index + 1 :]
        return (below + rejected, [start]) if rules["start-rejected"] == "reshuffle" else (below, [*rejected, start])

    def _start(self, dealer: int, opener: int) -> None:
        """Apply the effect of the start card."""
        effects, face = self.rules["start-effects"], face_of(self.top)
        if is_wild(self.top):
            return self._start_wild(opener)
        first = opener
        if face == SKIP and effects != "none":
            first = self._after(opener)
        elif face == REVERSE and effects != "none":
            self.direction = -1
            first = {"official": dealer, "right-first": dealer - 1, "rlcard": opener - 1}[effects] % len(self.hands)
        elif face == DRAW_TWO and effects != "none":
            self._draw_penalty(opener, 2)
            first = opener if effects == "rlcard" else self._after(opener)
        return self._begin_turn(first)

    def _start_wild(self, opener: int) -> None:
        """Decide the color of a wild start card."""
        if self.rules["wild-color"] == "ignored":
            self._begin_turn(opener)
        elif self.rules["start-effects"] == "rlcard":
            self._name_start_color(opener, self._random_color())
        else:
            self._ask(opener, {COLOR + color: partial(self._name_start_color, opener, color) for color in range(4)})

    def _name_start_color(self, opener: int, color: int) -> None:
        self.color = color
        self._begin_turn(opener)

    def _begin_turn(self, seat: int) -> None:
        """Let the seat play a card or draw."""
        options = self._plays(seat, self.hands[seat], self._playable)
        if self.rules["draw-when"] == "any-time" or not options:
            options[DRAW] = partial(self._draw_in_turn, seat)
        self._ask(seat, options)

    def _plays(self, seat: int, cards: list[int], fits: Callable[[int, int], bool]) -> dict[int, Callable[[], None]]:
        """Return the options of playing one of `cards`; `fits` says which may be played."""
        return {
            action: partial(self._play, seat, action)
            for card in cards
            if fits(seat, card)
            for action in self._actions_for(card)
        }

    def _actions_for(self, card: int) -> list[int]:
        """Return the actions that play the card: one, or one for each color that may be named."""
        if not is_wild(card):
            return [card]
        must_change = self.rules["wild-color"] == "must-change"
        return [15 * color + face_of(card) for color in range(4) if not (must_change and color == self.color)]

    def _playable(self, seat: int, card: int) -> bool:
        if not self._may_leave_hand(seat, card):
            return False
        if face_of(card) == WILD_FOUR:
            return self._wild_four_allowed(seat, self._playable)
        return face_of(card) == WILD or color_of(card) == self.color or self._same_face(card)

    def _same_face(self, card: int) -> bool:
        return face_of(card) == face_of(self.top) and (self.rules["match"] == "symbol" or face_of(card) <= 9)

    def _wild_four_allowed(self, seat: int, fits: Callable[[int, int], bool]) -> bool:
        """Apply the axis `wild-four`; `fits` says which other cards could be played."""
        hand, rule = self.hands[seat], self.rules["wild-four"]
        if rule == "no-color":
            return not self._holds_color(seat, self.color)
        if rule == "last-resort":
            return not any(fits(seat, card) for card in hand if face_of(card) != WILD_FOUR)
        return True

    def _holds_color(self, seat: int, color: int) -> bool:
        return any(not is_wild(card) and color_of(card) == color for card in self.hands[seat])

    def _may_leave_hand(self, seat: int, card: int) -> bool:
        """Apply the axis `last-card`: return whether the card may be played if it empties the hand."""
        return len(self.hands[seat]) > 1 or face_of(card) <= HIGHEST_LAST[self.rules["last-card"]]

    def _play(self, seat: int, action: int) -> None:
        """Play a card from the hand; the action names the face, and the color in force afterwards."""
        card = self._card_for_action(seat, action)
        self.hands[seat].remove(card)
        self._place_card(seat, card, color_of(action))

    def _card_for_action(self, seat: int, action: int) -> int:
        """Return the card that an action plays; of several wilds, the one received first."""
        if not is_wild(action):
            return action
        return next(card for card in self.hands[seat] if face_of(card) == face_of(action))

    def _draw_in_turn(self, seat: int) -> None:
        self._record_draw(seat)
        self._draw(seat)

    def _record_draw(self, seat: int) -> None:
        self.cards_since_draw[seat][self.color] = 0

    def _add_drawn_card(self, seat: int, card: int) -> None:
        """Add a card from the pile to a hand."""
        self.hands[seat].append(card)
        self.cards_since_draw[seat] = {
            color: count + 1 for color, count in self.cards_since_draw[seat].items() if count < 7
        }

    def _draw(self, seat: int) -> None:
        card = self._next_card()
        if card is None:
            return self._idle_turn(seat)
        self._idle_turns = 0
        if self.rules["drawn-card"] == "rlcard":
            return self._play_from_pile_or_keep(seat, card)
        self._add_drawn_card(seat, card)
        if self.rules["draw-how"] == "until-playable" and not self._playable(seat, card) and self._can_draw():
            return self._draw(seat)
        return self._after_draw(seat, card)

    def _after_draw(self, seat: int, card: int) -> None:
        """Offer what the player may do after a draw whose last card was `card`."""
        rule = self.rules["drawn-card"]
        if rule in ("must-play", "auto-play"):
            self._record_draw(seat)  # a playable drawn card is never kept
        any_card = self.rules["after-draw"] == "any-card"
        may_draw_more = self.rules["draw-how"] == "until-satisfied"
        options = self._plays(seat, self.hands[seat] if any_card else [card], self._playable)
        if may_draw_more and self._can_draw():
            options[DRAW] = partial(self._draw, seat)
        if rule == "keep" or not options:
            return self._end_turn(seat)
        if rule == "auto-play" and not is_wild(card):
            return self._play(seat, card)
        if rule == "may-play":
            options[PASS if any_card or may_draw_more else KEEP] = partial(self._end_turn, seat)
        return self._ask(seat, options)

    def _play_from_pile_or_keep(self, seat: int, card: int) -> None:
        """Under `drawn-card=rlcard`, play a wild or a card of the color in force straight from the pile."""
        if is_wild(card):
            ignored = self.rules["wild-color"] == "ignored"
            self._place_card(seat, card, color_of(card) if ignored else self._random_color(), penalty=False)
        elif color_of(card) == self.color:
            self._place_card(seat, card, self.color)
        else:
            self._add_drawn_card(seat, card)
            self._record_draw(seat)
            self._end_turn(seat)

    def _random_color(self) -> int:
        assert self._colors, "a wild needs a random color"
        return self._colors.pop(0)

    def _end_turn(self, seat: int) -> None:
        self._begin_turn(self._after(seat))

    def _place_card(self, seat: int, card: int, color: int, penalty: bool = True) -> None:
        """Carry out step 1 and go on. Each step ends in the next, or in a question whose answers lead there.

        `penalty` says whether a draw card makes a seat draw.
        """
        self._put_on_discard(seat, card, color)
        self._penalty = PENALTY.get(face_of(card), 0) if penalty else 0
        if not self.hands[seat]:
            return self._win(seat)
        return self._turn_or_skip()

    def _put_on_discard(self, seat: int, card: int, color: int) -> None:
        ignored = is_wild(card) and self.rules["wild-color"] == "ignored"
        self.discard.append(card)
        self.top = card
        self._prior_color, self.color = self.color, color_of(card) if ignored else color
        self._top_card_seat = seat
        self._said_quiet = False
        self._idle_turns = 0

    def _win(self, seat: int) -> None:
        if self._penalty:
            self._draw_penalty(self._after(seat), self.pending + self._penalty)
        self.pending = 0
        self.winner = seat

    def _turn_or_skip(self) -> None:
        """Carry out step 2: reverse and skip."""
        face = face_of(self.top)
        if face == REVERSE:
            self.direction = -self.direction
        self._next = self._after(self._top_card_seat)
        if face == SKIP:
            self._next = self._after(self._next)
        elif face == REVERSE and len(self.hands) == 2 and self.rules["reverse-two"] == "skip":
            self._next = self._top_card_seat
        self._seven_zero()

    def _seven_zero(self) -> None:
        """Carry out step 3: a 7 swaps two hands, a 0 passes all of them on."""
        face, rule = face_of(self.top), self.rules["seven-zero"]
        if face == 7 and rule in ("seven", "both"):
            if len(self.hands) == 2:
                return self._swap(1 - self._top_card_seat)
            return self._ask(self._top_card_seat, {SWAP + seat: partial(self._swap, seat) for seat in self._others()})
        if face == 0 and rule in ("zero", "both"):
            former_seats = [(seat - self.direction) % len(self.hands) for seat in range(len(self.hands))]
            self.hands = [self.hands[seat] for seat in former_seats]
            self.cards_since_draw = [self.cards_since_draw[seat] for seat in former_seats]
        return self._impose_penalty()

    def _swap(self, seat: int) -> None:
        for per_seat in (self.hands, self.cards_since_draw):
            per_seat[self._top_card_seat], per_seat[seat] = per_seat[seat], per_seat[self._top_card_seat]
        self._impose_penalty()

    def _impose_penalty(self) -> None:
        """Carry out step 4: the next seat draws at once if it has no possible answer; otherwise the penalty is pending."""
        if self._penalty:
            self.pending += self._penalty
            if self.rules["stacking"] == "none" and not self._may_challenge():
                self._draw_pending(self._after(self._top_card_seat))
        self._call_uno()

    def _may_challenge(self) -> bool:
        return self.rules["challenge"] == "victim" and face_of(self.top) == WILD_FOUR

    def _draw_pending(self, victim: int) -> None:
        """Let the victim draw what is pending and lose its turn."""
        self._draw_penalty(victim, self.pending)
        self.pending = 0
        self._next = self._after(victim)

    def _call_uno(self) -> None:
        """Carry out step 5: calling uno."""
        if self.rules["uno-call"] == "required" and len(self.hands[self._top_card_seat]) == 1:
            self._ask(self._top_card_seat, {UNO: partial(self._called, False), QUIET: partial(self._called, True)})
        else:
            self._called(False)

    def _called(self, quiet: bool) -> None:
        """Carry out step 6: jumping in, from the next seat round to the player of the top card."""
        self._said_quiet = quiet
        if self.rules["jump-in"] == "identical" and not is_wild(self.top):
            self._ask_jumpers([*self._others(), self._top_card_seat])
        else:
            self._face_penalty()

    def _ask_jumpers(self, seats: list[int]) -> None:
        able_seats = [seat for seat in seats if self.top in self.hands[seat] and self._may_leave_hand(seat, self.top)]
        if able_seats:
            jump, no_jump = partial(self._play, able_seats[0], self.top), partial(self._ask_jumpers, able_seats[1:])
            self._ask(able_seats[0], {JUMP: jump, NO_JUMP: no_jump})
        else:
            self._face_penalty()

    def _face_penalty(self) -> None:
        """Carry out step 7: the victim stacks, challenges or takes a pending penalty."""
        if not self.pending:
            return self._ask_catchers(self._others())
        victim = self._after(self._top_card_seat)
        options = self._plays(victim, self.hands[victim], self._stackable)
        if self._may_challenge():
            options[CHALLENGE] = partial(self._challenge, victim)
        if not options:
            return self._take(victim)
        options[ACCEPT if self.rules["stacking"] == "none" else TAKE] = partial(self._take, victim)
        return self._ask(victim, options)

    def _stackable(self, seat: int, card: int) -> bool:
        allowed = STACKS_ON[self.rules["stacking"]].get(face_of(self.top), set())
        if face_of(card) not in allowed or not self._may_leave_hand(seat, card):
            return False
        return face_of(card) != WILD_FOUR or self._wild_four_allowed(seat, self._stackable)

    def _challenge(self, victim: int) -> None:
        if self._holds_color(self._top_card_seat, self._prior_color):
            self._draw_penalty(self._top_card_seat, self.pending)
            self.pending = 0
            self._next = victim
        else:
            self.pending += 2
            self._draw_pending(victim)
        self._ask_catchers(self._others())

    def _take(self, victim: int) -> None:
        self._draw_pending(victim)
        self._ask_catchers(self._others())

    def _ask_catchers(self, seats: list[int]) -> None:
        """Carry out step 8, one seat after the other; then step 9."""
        if seats and self._said_quiet and len(self.hands[self._top_card_seat]) == 1:
            self._ask(
                seats[0], {CATCH + self._top_card_seat: self._catch, LET_GO: partial(self._ask_catchers, seats[1:])}
            )
        else:
            self._begin_turn(self._next)

    def _catch(self) -> None:
        self._draw_penalty(self._top_card_seat, int(self.rules["uno-penalty"]))
        self._begin_turn(self._next)

    def _next_card(self) -> int | None:
        """Take the next card from the pile, refilled if it is empty; return None if no card is left."""
        if not self.pile:
            self._refill()
        if not self.pile:
            return None
        assert self._drawn, "too few cards were drawn"
        # the cards of a penalty come in no particular order that would show where a refill comes between them
        card = next((card for card in self._drawn if card in self.pile), None)
        assert card is not None, f"none of {self._drawn} is in the pile"
        self._drawn.remove(card)
        self.pile.remove(card)
        return card

    def _draw_penalty(self, seat: int, count: int) -> None:
        """Let the seat draw `count` cards, or as many as there are."""
        if self.rules["refill"] == "with-top" and len(self.pile) < count:
            self._refill()
        for _ in range(count):
            card = self._next_card()
            if card is not None:
                self._add_drawn_card(seat, card)

    def _refill(self) -> None:
        count = self._refillable()
        self.pile, self.discard = self.pile + self.discard[:count], self.discard[count:]

    def _refillable(self) -> int:
        """Return the number of discards that a refill takes."""
        return len(self.discard) if self.rules["refill"] == "with-top" else max(len(self.discard) - 1, 0)

    def _can_draw(self) -> bool:
        return bool(self.pile) or self._refillable() > 0

    def _idle_turn(self, seat: int) -> None:
        self._idle_turns += 1
        if self._idle_turns == len(self.hands):
            self.void = True
        else:
            self._end_turn(seat)

    def returns(self) -> list[float]:
        """Return the payoff of each seat; 0 before the end and in a void round."""
        payoff, result = self.rules["payoff"], [0.0] * len(self.hands)
        if self.winner < 0:
            return result
        if payoff == "points":
            result = [0.0 - sum(map(points, hand)) for hand in self.hands]
            result[self.winner] = -sum(result)
            return result
        if payoff == "win-loss":
            result = [-1.0] * len(self.hands)
        result[self.winner] = 1.0
        if payoff == "rlcard":
            result[1 - self.winner] = -1.0
        return result

    def _after(self, seat: int) -> int:
        return (seat + self.direction) % len(self.hands)

    def _others(self) -> list[int]:
        """Return every seat except that of the top card, from the next one in the direction of play."""
        return [(self._top_card_seat + self.direction * step) % len(self.hands) for step in range(1, len(self.hands))]

    def _ask(self, seat: int, options: dict[int, Callable[[], None]]) -> None:
        self._seat, self._options = seat, options

    @property
    def over(self) -> bool:
        """True if the round is won or void."""
        return self.void or self.winner >= 0

    def to_move(self) -> int:
        """Return the seat that decides now, -1 if the round is over."""
        return -1 if self.over else self._seat

    def legal(self) -> list[int]:
        """Return the legal action ids."""
        return [] if self.over else sorted(self._options)

    def apply(self, action: int, drawn: Sequence[int], colors: Sequence[int]) -> None:
        """Carry out a decision; `drawn` and `colors` are the chance in it and must be used up exactly."""
        assert action in self.legal(), f"action {action} is not legal"
        self._drawn, self._colors = list(drawn), list(colors)
        self.decisions += 1
        self._options[action]()
        assert not self._drawn, f"too many cards were drawn: {self._drawn}"
        assert not self._colors, f"too many random colors: {self._colors}"
        if not self.over and self.decisions >= int(self.rules["turn-limit"]):
            self.void = True

    def position(self) -> dict[str, object]:
        """Return the state as plain values, hands and pile sorted."""
        return {
            "to_move": self.to_move(),
            "direction": self.direction,
            "top": self.top,
            "color": self.color,
            "hands": [sorted(hand) for hand in self.hands],
            "pile": sorted(self.pile),
            "discard": list(self.discard),
            "pending": self.pending,
            "winner": self.winner,
            "void": self.void,
        }
