"""Uno as a `Game`."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.capabilities import BeliefSupport, ExpectimaxSupport, NetworkSupport
from cardgames.core.encoding import Encoding
from cardgames.core.events import ACTION, EventRow, event_row, event_sentence
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.policy import Policy
from cardgames.core.position_parts import check_parts
from cardgames.core.rules import RuleBook, RuleSet
from cardgames.core.state import State
from cardgames.core.symmetry import Symmetries
from cardgames.kernels import rng
from cardgames.kernels.rng import below
from cardgames.networks.pretrained import pretrained_preset
from cardgames.support.errors import InvalidInput, check_integer_in, check_seat, unknown_name
from cardgames.uno import events, known_cards, piles, position, serialization, verbs  # noqa: F401  (engine registers the verbs)
from cardgames.uno.cards import (
    CATCH,
    COLORS,
    DECK,
    JUMP,
    MAX_PLAYERS,
    NUM_ACTIONS,
    NUM_BASE_ACTIONS,
    NUM_CARD_IDS,
    NUM_CARDS,
    SWAP,
    WILD,
)
from cardgames.uno.deal import reset_round, start_round
from cardgames.uno.encodings.canonicalize import symmetries
from cardgames.uno.encodings.encode import ENCODINGS
from cardgames.uno.expectimax.chance_node import MAX_OUTCOMES
from cardgames.uno.expectimax.hand_evaluation import EVALUATION_WEIGHTS
from cardgames.uno.expectimax.opponent_replies import OPPONENT_MODELS
from cardgames.uno.notation import (
    COLOR_NAMES,
    KIND_NAMES,
    action_text,
    card_text,
    exact_card_text,
    hand_text,
    parse_action,
)
from cardgames.uno.policies.linear_weights import WEIGHTS_FOLDER, linear_weights
from cardgames.uno.policies.rule_policies import NETWORK, POLICIES
from cardgames.uno.rules import BOOK, kernel_rules
from cardgames.uno.state import ANSWER, PHASES, STATE
from cardgames.uno.verbs import POINT_SCALE

_BASE_ACTION_RULES = {
    "drawn-card": ("must-play", "auto-play", "keep", "rlcard"),
    "after-draw": ("drawn-only",),
    "draw-how": ("one", "until-playable"),
    "challenge": ("off",),
    "stacking": ("none",),
    "jump-in": ("none",),
    "seven-zero": ("none", "zero"),
    "uno-call": ("off", "automatic"),
    "start-effects": ("rlcard",),
}
"""Axis -> the values with which it never asks a question beyond RLCard's 61 actions."""

_STRONGEST = "mcts-dbm:root=halving,bias=4,particles=200,simulations=2000,playout=linear"


class Uno(Game):
    """Uno for 2 to 10 players under any rules of `docs/rules.md`. A state is one round."""

    name: ClassVar[str] = "uno"
    rule_book: ClassVar[RuleBook] = BOOK
    state_dtype: ClassVar[np.dtype[Any]] = STATE
    default_rules: ClassVar[str] = "official"
    min_players: ClassVar[int] = 2
    max_players: ClassVar[int] = MAX_PLAYERS
    encodings: ClassVar[Mapping[str, Encoding]] = ENCODINGS
    policies: ClassVar[Mapping[str, int]] = POLICIES
    networks: ClassVar[NetworkSupport | None] = NetworkSupport(NETWORK, WEIGHTS_FOLDER)
    expectimax: ClassVar[ExpectimaxSupport | None] = ExpectimaxSupport(
        OPPONENT_MODELS, MAX_OUTCOMES, EVALUATION_WEIGHTS
    )
    belief: ClassVar[BeliefSupport] = BeliefSupport(KIND_NAMES)
    position_parts: ClassVar[Mapping[str, type]] = {
        **dict.fromkeys(("top", "color"), str),
        **dict.fromkeys(("draw", "discard"), list),
        **dict.fromkeys(("to_move", "direction", "pile", "dealer", "seed"), int),
    }
    default_policy: ClassVar[str] = "reflex"

    def __init__(self, players: int = 2, rules: str | RuleSet | None = None, overrides: Iterable[str] = ()):
        super().__init__(players, self.default_rules if rules is None else rules, overrides)
        self.kernel_rules = kernel_rules(self.rules, players)
        wanted = players * int(self.rules["hand-size"]) + 1
        if wanted > NUM_CARDS:
            raise InvalidInput(
                f"hand-size={self.rules['hand-size']} for {players} players needs {wanted} cards, the deck has {NUM_CARDS}"
            )
        base_actions_suffice = all(self.rules[axis] in values for axis, values in _BASE_ACTION_RULES.items())
        self.num_distinct_actions = NUM_BASE_ACTIONS if base_actions_suffice else NUM_ACTIONS

    @property
    def payoff_range(self) -> tuple[float, float]:
        """By the rules' pay-off; under `payoff=points` what `engine.evaluate` takes for complete."""
        payoff = self.rules["payoff"]
        if payoff == "points":
            return -POINT_SCALE, POINT_SCALE
        return (0.0, 1.0) if payoff == "win" else (-1.0, 1.0)

    @property
    def champion(self) -> str:
        """The strongest agent known (docs/strength.md): a search by the linear policy with the network for the nearest
        preset as its prior and its judge. One on one and nearest to `simplified` it is that network alone, which hoards
        cards, or, where one may not draw as many as one likes, the search alone.
        """
        preset = pretrained_preset(self, "actor-critic")
        if preset == "simplified" and self.num_players == 2:
            at_will = self.rules["draw-when"] == "any-time" and self.rules["draw-how"] == "until-satisfied"
            return "actor-critic" if at_will else _STRONGEST
        if (self.rules["payoff"] == "points") != (preset == "official"):
            # the critic counts points and the rules wins, or the other way round
            return f"{_STRONGEST},prior=actor-critic"
        return f"{_STRONGEST},prior=actor-critic,network=actor-critic,cutoff=4"

    def policy(self, name: str, option: str = "policy") -> Policy:
        """Return a policy as kernels take it; `linear` with the weights for rules and players like these."""
        policy = super().policy(name, option)
        return Policy(policy.policy_id, self._linear_weights) if name == "linear" else policy

    def symmetries(self, encoding: str) -> Symmetries:
        """Return the 24 ways to rename the colours. Raises `InvalidInput` for an encoding that names them by itself."""
        renamable = [name for name, known in ENCODINGS.items() if known.canonical]
        if encoding not in renamable:
            raise unknown_name("encoding to rename the colours of", encoding, renamable)
        return symmetries(ENCODINGS[encoding].encoding_id, self.num_distinct_actions)

    def outputs_are_closed(self, outputs: int) -> bool:
        """Return whether no output names some of the seats that others name the rest of."""
        return not any(first < outputs < first + MAX_PLAYERS for first in (CATCH, SWAP))

    @cached_property
    def _linear_weights(self) -> NDArray[np.float32]:
        return linear_weights(self)

    def deal(self, record: Any, seed: int, deck: Sequence[str | int] | str | None, dealer: int | None) -> None:
        """Deal into `record`; see `Game.deal`."""
        if dealer is not None:
            check_seat("dealer", dealer, self.num_players)
        start = np.uint64(rng.derive(seed))
        ops.deal(self.kernel_rules, record, start)
        if dealer is None or self.rules["opener"] == "seat-0":
            dealer = int(record.dealer)
        if deck is not None or dealer != record.dealer:
            self._redeal(record, start, deck, dealer)

    def _redeal(self, record: Any, start: np.uint64, deck: Sequence[str | int] | str | None, dealer: int) -> None:
        """Deal from a given deck, or the cards that a seed deals for another dealer."""
        reset_round(record, self.num_players)
        record.rng, record.dealer = start, dealer
        if deck is None:
            below(record, self.num_players)  # the word that the verb `deal` spends on the dealer
            position.fill_pile(record, DECK[::-1].tolist(), 0)
        else:
            unplaced = position.UnplacedCards()
            order = unplaced.take_all(deck)
            if unplaced.left:
                raise InvalidInput(f"a deck has {NUM_CARDS} cards, {len(order)} were given")
            position.fill_pile(record, order, NUM_CARDS)
        start_round(self.kernel_rules, record)

    def opening_events(self, record: Any) -> list[EventRow]:
        """Return the cards dealt and turned up."""
        return events.opening_rows(record)

    def action_events(self, before: Any, action: int, after: Any) -> list[EventRow]:
        """Return the rows of one action; see `uno.events` for their kinds."""
        return events.action_rows(self.kernel_rules, before, action, after)

    def remember(self, record: Any, events: Any) -> None:
        """Add the cards known to be in other hands to an observation's record, and the decisions seen."""
        known_cards.write_known_cards(record, events, int(record.viewer))

    def action_to_string(self, action: int, state: State | Observation | None = None) -> str:
        """Return an action as text; a jump names its card if the state is given."""
        return action_text(action, int(state.record.top) if state is not None and action == JUMP else None)

    def parse_action(self, text: str) -> int:
        """Return the action written as `text`. Raises `InvalidInput`."""
        return parse_action(text)

    def event_to_string(self, row: Sequence[int]) -> str:
        """Return one row of a seat's view of the history as a sentence. Raises `InvalidInput` for what is none."""
        kind, seat, value = event_row(row)

        def card() -> str:
            return (
                "a card"
                if value == -1
                else card_text(check_integer_in("the card of an event", value, 0, NUM_CARD_IDS - 1))
            )

        sentences = {
            ACTION: lambda: f"seat {seat}: {action_text(value)}",
            events.DEALT: lambda: f"seat {seat} is dealt {card()}",
            events.TURNED: lambda: f"{card()} is turned up",
            events.DREW: lambda: f"seat {seat} draws {card()}",
            events.LAID: lambda: f"seat {seat} lays {action_text(value)}",
            events.REFILLED: lambda: f"{value} discard{' is' if value == 1 else 's are'} shuffled into the pile",
            events.SHOWN: lambda: f"seat {seat} shows {card()}",
            events.RECEIVED: lambda: f"seat {seat} receives {card()}",
            events.SWAPPED: lambda: f"seats {seat} and {value} swap hands",
            events.ROTATED: lambda: "every hand is passed along",
            events.JUMPED: lambda: f"seat {seat} jumps in with {card()}",
            events.COLOR_SET: lambda: (
                f"the colour is {COLOR_NAMES[check_integer_in('the colour of an event', value, 0, 3)]}"
            ),
        }
        return event_sentence("Uno", kind, sentences)

    def position(self, **parts: Any) -> State:
        """Set up a position at the start of a turn.

        `hands`: per seat its cards as text, a number of random cards, or None for a random hand of the usual size;
        `top`: the top card (a wild with its colour, `w:b`); `color`: the colour in force if it is another; `to_move`,
        `direction` (1, -1), `dealer`; `draw`: the next cards of the pile in order; `pile`: how many cards the pile
        holds, the rest lying under the top card; `discard`: the cards under the top card, bottom first; `seed`: fixes
        everything left to chance. Raises `InvalidInput`.
        """
        check_parts(parts, self.position_parts)
        record = position.set_up(self.num_players, int(self.rules["hand-size"]), **parts)
        return State(self, record, self.opening_events(record))

    def to_dict(self, state: State) -> dict[str, Any]:
        """Return the whole position as plain data: cards as text, random stream, pending penalty and calls included."""
        return serialization.to_dict(state.record)

    def from_dict(self, data: dict[str, Any]) -> State:
        """Return the state that `to_dict` wrote; its history begins there. Raises `InvalidInput`."""
        record = serialization.from_dict(self.rules, self.num_players, data)
        state = State(self, record, self.opening_events(record))
        if not state.is_terminal():
            legal = state.legal_actions()
            if not legal:
                raise InvalidInput(f"in phase {data['phase']} nothing could be played in this position")
            if record.phase == ANSWER and len(legal) == 1:
                raise InvalidInput("nobody is asked to answer who can do nothing but take the cards")
        return state

    def observation_to_dict(self, observation: Observation) -> dict[str, Any]:
        """Return an observation as plain data, cards as text."""
        record = observation.record
        printed = self.rules["shown-color"] == "printed" and record.color >= 0
        color = int(record.top) // 15 if printed else int(record.color)
        known_hands = [hand_text(events.cards_in_hand(record, seat)) for seat in range(self.num_players)]
        known_hands[observation.player] = ""
        return {
            "player": observation.player,
            "to_move": int(record.to_move),
            "phase": PHASES[record.phase],
            "hand": hand_text(events.cards_in_hand(record, observation.player)),
            "counts": [int(n) for n in record.counts[: self.num_players]],
            "known": known_hands,
            "top": card_text(int(record.top), color),
            "color": COLORS[color] if color >= 0 else None,
            "prior_color": COLORS[record.prior_color] if record.prior_color >= 0 and not printed else None,
            "direction": int(record.direction),
            "pending": int(record.pending),
            "draw_pile": int(record.n_pile),
            "discard": [card_text(int(card)) for card in record.discard[: record.n_discard]],
            "legal_actions": [self.action_to_string(action, observation) for action in observation.legal_actions],
            "history": [self.event_to_string(row) for row in observation.events],
        }

    def hands_of(self, record: Any) -> list[str]:
        """Return every hand of a state record as text."""
        return [hand_text(events.cards_in_hand(record, seat)) for seat in range(self.num_players)]

    def deck_of(self, state: State) -> list[str]:
        """Return the cards of a freshly dealt state in the order of dealing: hands, start card, then the pile as it
        will be drawn.
        """
        record = state.record.copy()
        size = int(self.rules["hand-size"])
        hands = [events.cards_as_received(record, seat) for seat in range(self.num_players)]
        later = [card for hand in hands for card in hand[size:]]
        order = [card for hand in hands for card in hand[:size]] + [
            int(card) for card in record.discard[: record.n_discard]
        ]
        order += later
        while record.n_pile:
            order.append(int(piles.pop_pile(record)))
        return [exact_card_text(card) if card % 15 >= WILD else card_text(card) for card in order]
