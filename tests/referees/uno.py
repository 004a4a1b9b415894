"""A slow referee for Uno: docs/rules.md turned into plain Python, section by section.

A decision is a table of options: action id -> what that action does. The steps of the rules call one another until one
of them asks somebody something, or the round is over.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

SKIP, REVERSE, DRAW_TWO, WILD, WILD_FOUR = range(10, 15)
PENALTY = {DRAW_TWO: 2, WILD_FOUR: 4}
DRAW, KEEP, PASS, CHALLENGE, ACCEPT, UNO, QUIET, LET_GO, TAKE, NO_JUMP = range(60, 70)
CATCH, SWAP, JUMP, COLOR = 70, 80, 90, 91
HIGHEST_START = {"any": WILD_FOUR, "not-wild-four": WILD, "not-wild": DRAW_TWO, "number": 9}  # axis start -> face
HIGHEST_LAST = {"any": WILD_FOUR, "no-wild": DRAW_TWO, "number-only": 9}  # axis last-card -> face
STACKS_ON: dict[str, dict[int, set[int]]] = {
    "none": {},
    "same": {DRAW_TWO: {DRAW_TWO}, WILD_FOUR: {WILD_FOUR}},
    "up": {DRAW_TWO: {DRAW_TWO, WILD_FOUR}, WILD_FOUR: {WILD_FOUR}},
    "any": {DRAW_TWO: {DRAW_TWO, WILD_FOUR}, WILD_FOUR: {DRAW_TWO, WILD_FOUR}},
}


def color_of(card: int) -> int:
    """The colour of a card; of a wild, the printed one."""
    return card // 15


def face_of(card: int) -> int:
    """The face of a card, or of the card an action 0-59 plays."""
    return card % 15


def is_wild(card: int) -> bool:
    """Whether the card is a wild or a wild draw four."""
    return face_of(card) >= WILD


def points(card: int) -> int:
    """What the card counts in the hand of a loser."""
    return 50 if is_wild(card) else 20 if face_of(card) in (SKIP, REVERSE, DRAW_TWO) else face_of(card)


class Referee:
    """One round of Uno under `rules` (axis -> value, every axis given), from a position at the start of a turn.

    Hands list card ids in the order received, the discard pile from bottom to top. The pile is a multiset: which cards
    come from it is told with every action. `wild_order`, if given, is the order in which wilds were received, where the
    hands do not tell. `since` says of each seat how many cards it took since it last drew with a colour in force, up to 7.
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
        self.since: list[dict[int, int]] = [{} for _ in hands]
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
        self._drawn: list[int] = []  # chance, as told: cards still to be taken, colours still to be given to wilds
        self._colors: list[int] = []
        self._layer = self._next = to_move  # who laid the last card, and who begins the turn after it
        self._color_before, self._said_quiet, self._penalty = color, False, 0
        self._begin_turn(to_move)

    @classmethod
    def deal(
        cls, rules: dict[str, Any], *, players: int, dealer: int, deck: list[int], colors: Sequence[int] = ()
    ) -> "Referee":
        """Deal a round from `deck`, its first card first; rejected cards that go back lie under all others."""
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
        game._drawn = game.pile + game.discard  # the order in which the cards come, a refill included
        game._colors = list(colors)
        game._start(dealer, opener)
        game._drawn = []
        return game

    @staticmethod
    def _turn_up(rules: dict[str, Any], pile: list[int]) -> tuple[list[int], list[int]]:
        """Turn cards up until one is accepted: the pile and the discard pile then."""
        fits = [face_of(card) <= HIGHEST_START[rules["start"]] for card in pile]
        at = fits.index(True) if any(fits) else 0
        rejected, start, below = pile[:at], pile[at], pile[at + 1 :]
        return (below + rejected, [start]) if rules["start-rejected"] == "reshuffle" else (below, [*rejected, start])

    def _start(self, dealer: int, opener: int) -> None:
        """The start card takes effect."""
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
        """The player to move plays a card or draws."""
        options = self._plays(seat, self.hands[seat], self._playable)
        if self.rules["draw-when"] == "any-time" or not options:
            options[DRAW] = partial(self._draw_in_turn, seat)
        self._ask(seat, options)

    def _plays(self, seat: int, cards: list[int], fits: Callable[[int, int], bool]) -> dict[int, Callable[[], None]]:
        """The options of laying one of `cards`; `fits` says which may be laid."""
        return {
            action: partial(self._play, seat, action)
            for card in cards
            if fits(seat, card)
            for action in self._names(card)
        }

    def _names(self, card: int) -> list[int]:
        """The actions that play the card: one, or one for each colour that may be named."""
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
        """The axis `wild-four`; `fits` says what else could be laid instead."""
        hand, rule = self.hands[seat], self.rules["wild-four"]
        if rule == "no-color":
            return not self._holds_color(seat, self.color)
        if rule == "last-resort":
            return not any(fits(seat, card) for card in hand if face_of(card) != WILD_FOUR)
        return True

    def _holds_color(self, seat: int, color: int) -> bool:
        return any(not is_wild(card) and color_of(card) == color for card in self.hands[seat])

    def _may_leave_hand(self, seat: int, card: int) -> bool:
        """The axis `last-card`: what may empty the hand."""
        return len(self.hands[seat]) > 1 or face_of(card) <= HIGHEST_LAST[self.rules["last-card"]]

    def _play(self, seat: int, action: int) -> None:
        """Lay a card of the hand; the action names the face, and the colour in force from now on."""
        card = self._physical(seat, action)
        self.hands[seat].remove(card)
        self._lay(seat, card, color_of(action))

    def _physical(self, seat: int, action: int) -> int:
        """The very card an action plays: of several wilds, the one received first."""
        if not is_wild(action):
            return action
        return next(card for card in self.hands[seat] if face_of(card) == face_of(action))

    def _draw_in_turn(self, seat: int) -> None:
        self._could_not_lay(seat)
        self._draw(seat)

    def _could_not_lay(self, seat: int) -> None:
        self.since[seat][self.color] = 0

    def _hold_one_more(self, seat: int, card: int) -> None:
        """A card from the pile comes to a hand."""
        self.hands[seat].append(card)
        self.since[seat] = {color: count + 1 for color, count in self.since[seat].items() if count < 7}

    def _draw(self, seat: int) -> None:
        card = self._next_card()
        if card is None:
            return self._idle_turn(seat)
        self._idle_turns = 0
        if self.rules["drawn-card"] == "rlcard":
            return self._lay_unseen_or_keep(seat, card)
        self._hold_one_more(seat, card)
        if self.rules["draw-how"] == "until-playable" and not self._playable(seat, card) and self._can_draw():
            return self._draw(seat)
        return self._after_draw(seat, card)

    def _after_draw(self, seat: int, card: int) -> None:
        """What the player may do after his draw, whose last card was `card`."""
        rule = self.rules["drawn-card"]
        if rule in ("must-play", "auto-play"):
            self._could_not_lay(seat)  # any card that fits is not kept
        any_card = self.rules["after-draw"] == "any-card"
        draws_on = self.rules["draw-how"] == "until-satisfied"
        options = self._plays(seat, self.hands[seat] if any_card else [card], self._playable)
        if draws_on and self._can_draw():
            options[DRAW] = partial(self._draw, seat)
        if rule == "keep" or not options:
            return self._end_turn(seat)
        if rule == "auto-play" and not is_wild(card):
            return self._play(seat, card)
        if rule == "may-play":
            options[PASS if any_card or draws_on else KEEP] = partial(self._end_turn, seat)
        return self._ask(seat, options)

    def _lay_unseen_or_keep(self, seat: int, card: int) -> None:
        """`drawn-card=rlcard`: a wild or a card of the colour in force is laid without having been in the hand."""
        if is_wild(card):
            ignored = self.rules["wild-color"] == "ignored"
            self._lay(seat, card, color_of(card) if ignored else self._random_color(), penalty=False)
        elif color_of(card) == self.color:
            self._lay(seat, card, self.color)
        else:
            self._hold_one_more(seat, card)
            self._could_not_lay(seat)
            self._end_turn(seat)

    def _random_color(self) -> int:
        assert self._colors, "a wild needs a random colour"
        return self._colors.pop(0)

    def _end_turn(self, seat: int) -> None:
        self._begin_turn(self._after(seat))

    def _lay(self, layer: int, card: int, color: int, penalty: bool = True) -> None:
        """Step 1, and on to the others: each ends in the next, or in a question whose answers lead there.

        `penalty` says whether a draw card makes anybody draw.
        """
        self._put_on_discard(layer, card, color)
        self._penalty = PENALTY.get(face_of(card), 0) if penalty else 0
        if not self.hands[layer]:
            return self._win(layer)
        return self._turn_or_skip()

    def _put_on_discard(self, layer: int, card: int, color: int) -> None:
        ignored = is_wild(card) and self.rules["wild-color"] == "ignored"
        self.discard.append(card)
        self.top = card
        self._color_before, self.color = self.color, color_of(card) if ignored else color
        self._layer = layer
        self._said_quiet = False
        self._idle_turns = 0

    def _win(self, layer: int) -> None:
        if self._penalty:
            self._draw_penalty(self._after(layer), self.pending + self._penalty)
        self.pending = 0
        self.winner = layer

    def _turn_or_skip(self) -> None:
        """Step 2: reverse and skip."""
        face = face_of(self.top)
        if face == REVERSE:
            self.direction = -self.direction
        self._next = self._after(self._layer)
        if face == SKIP:
            self._next = self._after(self._next)
        elif face == REVERSE and len(self.hands) == 2 and self.rules["reverse-two"] == "skip":
            self._next = self._layer
        self._seven_zero()

    def _seven_zero(self) -> None:
        """Step 3: a 7 swaps two hands, a 0 moves all of them on."""
        face, rule = face_of(self.top), self.rules["seven-zero"]
        if face == 7 and rule in ("seven", "both"):
            if len(self.hands) == 2:
                return self._swap(1 - self._layer)
            return self._ask(self._layer, {SWAP + seat: partial(self._swap, seat) for seat in self._others()})
        if face == 0 and rule in ("zero", "both"):
            before = [(seat - self.direction) % len(self.hands) for seat in range(len(self.hands))]
            self.hands = [self.hands[seat] for seat in before]
            self.since = [self.since[seat] for seat in before]
        return self._impose_penalty()

    def _swap(self, seat: int) -> None:
        for told in (self.hands, self.since):
            told[self._layer], told[seat] = told[seat], told[self._layer]
        self._impose_penalty()

    def _impose_penalty(self) -> None:
        """Step 4: the next seat draws at once where it could answer in no way; otherwise the penalty is pending."""
        if self._penalty:
            self.pending += self._penalty
            if self.rules["stacking"] == "none" and not self._may_challenge():
                self._suffer(self._after(self._layer))
        self._call_uno()

    def _may_challenge(self) -> bool:
        return self.rules["challenge"] == "victim" and face_of(self.top) == WILD_FOUR

    def _suffer(self, victim: int) -> None:
        """The victim draws what is pending and loses its turn."""
        self._draw_penalty(victim, self.pending)
        self.pending = 0
        self._next = self._after(victim)

    def _call_uno(self) -> None:
        """Step 5."""
        if self.rules["uno-call"] == "required" and len(self.hands[self._layer]) == 1:
            self._ask(self._layer, {UNO: partial(self._called, False), QUIET: partial(self._called, True)})
        else:
            self._called(False)

    def _called(self, quiet: bool) -> None:
        """Step 6: the window for jumping in opens, from the layer's next seat round to the layer himself."""
        self._said_quiet = quiet
        if self.rules["jump-in"] == "identical" and not is_wild(self.top):
            self._ask_jumpers([*self._others(), self._layer])
        else:
            self._face_penalty()

    def _ask_jumpers(self, seats: list[int]) -> None:
        able = [seat for seat in seats if self.top in self.hands[seat] and self._may_leave_hand(seat, self.top)]
        if able:
            jump, no_jump = partial(self._play, able[0], self.top), partial(self._ask_jumpers, able[1:])
            self._ask(able[0], {JUMP: jump, NO_JUMP: no_jump})
        else:
            self._face_penalty()

    def _face_penalty(self) -> None:
        """Step 7: the victim stacks, challenges or takes a pending penalty."""
        if not self.pending:
            return self._ask_catchers(self._others())
        victim = self._after(self._layer)
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
        if self._holds_color(self._layer, self._color_before):
            self._draw_penalty(self._layer, self.pending)
            self.pending = 0
            self._next = victim
        else:
            self.pending += 2
            self._suffer(victim)
        self._ask_catchers(self._others())

    def _take(self, victim: int) -> None:
        self._suffer(victim)
        self._ask_catchers(self._others())

    def _ask_catchers(self, seats: list[int]) -> None:
        """Step 8, one seat after the other; then step 9."""
        if seats and self._said_quiet and len(self.hands[self._layer]) == 1:
            self._ask(seats[0], {CATCH + self._layer: self._catch, LET_GO: partial(self._ask_catchers, seats[1:])})
        else:
            self._begin_turn(self._next)

    def _catch(self) -> None:
        self._draw_penalty(self._layer, int(self.rules["uno-penalty"]))
        self._begin_turn(self._next)

    def _next_card(self) -> int | None:
        """Take the next card from the pile, refilled if it is empty; None if there is nothing left."""
        if not self.pile:
            self._refill()
        if not self.pile:
            return None
        assert self._drawn, "too few cards were drawn"
        # a penalty's cards are told in no particular order, which shows where a refill comes between them
        card = next((card for card in self._drawn if card in self.pile), None)
        assert card is not None, f"none of {self._drawn} is in the pile"
        self._drawn.remove(card)
        self.pile.remove(card)
        return card

    def _draw_penalty(self, seat: int, count: int) -> None:
        """The seat draws `count` cards, or as many as there are."""
        if self.rules["refill"] == "with-top" and len(self.pile) < count:
            self._refill()
        for _ in range(count):
            card = self._next_card()
            if card is not None:
                self._hold_one_more(seat, card)

    def _refill(self) -> None:
        count = self._refillable()
        self.pile, self.discard = self.pile + self.discard[:count], self.discard[count:]

    def _refillable(self) -> int:
        """How many cards of the discard pile a refill takes."""
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
        """What each seat gets; nothing before the end and in a void round."""
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
        """Every seat but the layer's, from his next one in the current direction."""
        return [(self._layer + self.direction * step) % len(self.hands) for step in range(1, len(self.hands))]

    def _ask(self, seat: int, options: dict[int, Callable[[], None]]) -> None:
        self._seat, self._asked = seat, options

    @property
    def over(self) -> bool:
        """Whether the round is won or void."""
        return self.void or self.winner >= 0

    def to_move(self) -> int:
        """The seat to decide now, -1 when the round is over."""
        return -1 if self.over else self._seat

    def legal(self) -> list[int]:
        """The action ids the seat may choose from."""
        return [] if self.over else sorted(self._asked)

    def apply(self, action: int, drawn: Sequence[int], colors: Sequence[int]) -> None:
        """Carry out a decision; `drawn` and `colors` are the chance in it and must be used up exactly."""
        assert action in self.legal(), f"action {action} is not legal"
        self._drawn, self._colors = list(drawn), list(colors)
        self.decisions += 1
        self._asked[action]()
        assert not self._drawn, f"too many cards were drawn: {self._drawn}"
        assert not self._colors, f"too many random colours: {self._colors}"
        if not self.over and self.decisions >= int(self.rules["turn-limit"]):
            self.void = True

    def position(self) -> dict[str, object]:
        """The state as plain values, hands and pile sorted."""
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
