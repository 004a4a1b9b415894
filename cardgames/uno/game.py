"""The class `Uno`: the game of Uno behind the interface `Game` that all games share."""

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
from cardgames.core.kernel_policy import Policy
from cardgames.core.observation import Observation
from cardgames.core.position_parts import check_parts
from cardgames.core.rules import RuleBook, RuleSet
from cardgames.core.state import State
from cardgames.core.symmetry import Symmetries
from cardgames.kernels import rng
from cardgames.kernels.rng import below
from cardgames.networks.pretrained import pretrained_preset
from cardgames.support.errors import InvalidInput, check_integer_in, check_seat, unknown_name
from cardgames.uno import events, kernel_registration, known_cards, piles, position_setup, serialization  # noqa: F401  (registers kernels)
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
from cardgames.uno.expectimax.chance_outcomes import MAX_OUTCOMES
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
from cardgames.uno.outcome import POINT_SCALE
from cardgames.uno.policies.linear_weights import WEIGHTS_FOLDER, linear_weights
from cardgames.uno.policies.rule_policies import NETWORK, POLICIES
from cardgames.uno.rules import BOOK, kernel_rules
from cardgames.uno.state import ANSWER, PHASES, STATE

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
"""Rule -> the values with which no action ids occur beyond RLCard's 61; every rule listed must have such a value."""

_BEST = {"root": "halving", "bias": 4.0, "particles": 200, "simulations": 2000, "playout": "linear"}
"""Options of `mcts` and `mcts-dbm` with `setting=best`, to which most rules add a network."""


class Uno(Game):
    """Uno for 2 to 10 players under any rules of `docs/reference/uno.md`. A state is one round.

    Args:
        players: Number of players.
        rules: Name of a preset, path of a TOML file, or a rule set; None for `official`.
        overrides: Rules to change, as texts such as `stacking=same`.

    Raises:
        InvalidInput: If the rules contradict one another, or the deck has too few cards for the hands.
    """

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
    levels: ClassVar[Mapping[str, str]] = {
        "easy": "habits:style=beginner",
        "medium": "habits:style=casual",
        "hard": "habits:style=careful",
    }
    solver_horizons: ClassVar[tuple[int, ...]] = (4, 8, 16, 32, 64, 128)

    def __init__(self, players: int = 2, rules: str | RuleSet | None = None, overrides: Iterable[str] = ()):
        super().__init__(players, self.default_rules if rules is None else rules, overrides)
        self.kernel_rules = kernel_rules(self.rules, players)
        num_needed = players * int(self.rules["hand-size"]) + 1
        if num_needed > NUM_CARDS:
            raise InvalidInput(
                f"hand-size={self.rules['hand-size']} for {players} players needs {num_needed} cards, "
                f"the deck has {NUM_CARDS}"
            )
        base_actions_suffice = all(self.rules[axis] in values for axis, values in _BASE_ACTION_RULES.items())
        self.num_distinct_actions = NUM_BASE_ACTIONS if base_actions_suffice else NUM_ACTIONS

    @property
    def payoff_range(self) -> tuple[float, float]:
        """Lowest and highest payoff of a round; under `payoff=points`, minus and plus `uno.outcome.POINT_SCALE`."""
        payoff = self.rules["payoff"]
        if payoff == "points":
            return -POINT_SCALE, POINT_SCALE
        return (0.0, 1.0) if payoff == "win" else (-1.0, 1.0)

    @property
    def pays_points(self) -> bool:
        """True under `payoff=points`, where the winner gets the points in the other hands."""
        return bool(self.rules["payoff"] == "points")

    @property
    def champion(self) -> str:
        """Name of the strongest agent known for these rules and number of players (docs/research/strength.md).

        It is the search `mcts-dbm`, but the network `actor-critic` alone with two players under rules nearest to
        `simplified`, if players may draw as many cards as they like: the network hoards cards.
        """
        at_will = self.rules["draw-when"] == "any-time" and self.rules["draw-how"] == "until-satisfied"
        hoards = self.num_players == 2 and pretrained_preset(self, "actor-critic") == "simplified" and at_will
        return "actor-critic" if hoards else "mcts-dbm"

    def best_settings(self, agent: str, objective: str = "payoff") -> Mapping[str, Any]:
        """Return the options of a search agent with `setting=best`: playouts follow the linear policy.

        The network trained for the nearest preset gives its prior and its leaf values; only the prior, if the network
        predicts points and the search maximizes wins, or the other way round. With two players and rules nearest to
        `simplified` the search has no network.
        """
        if agent not in ("mcts", "mcts-dbm"):
            return {}
        preset = pretrained_preset(self, "actor-critic")
        if preset == "simplified" and self.num_players == 2:
            return _BEST
        if (self.pays_points and objective == "payoff") != (preset == "official"):
            return _BEST | {"prior": "actor-critic"}
        return _BEST | {"prior": "actor-critic", "network": "actor-critic", "cutoff": 4}

    def policy(self, name: str, option: str = "policy") -> Policy:
        """Return the policy called `name` as an id with weights (`Policy`), the form that kernels take.

        For `linear` these are the pretrained weights for the nearest preset and number of players. Errors call the name
        the value of `option`.
        """
        policy = super().policy(name, option)
        return Policy(policy.policy_id, self._linear_weights) if name == "linear" else policy

    def symmetries(self, encoding: str) -> Symmetries:
        """Return the 24 color permutations of the inputs of `encoding` and of the action ids.

        Raises:
            InvalidInput: If `encoding` has no color symmetries, like those that are already canonical.
        """
        renamable_encodings = [name for name, encoding_entry in ENCODINGS.items() if encoding_entry.canonical]
        if encoding not in renamable_encodings:
            raise unknown_name("encoding with color symmetries", encoding, renamable_encodings)
        return symmetries(ENCODINGS[encoding].encoding_id, self.num_distinct_actions)

    def outputs_are_closed(self, outputs: int) -> bool:
        """Return whether symmetries map the first `outputs` action ids, a network's outputs, to one another.

        They do if the ids include `catch` for all seats or none, and likewise `swap`.
        """
        return not any(first < outputs < first + MAX_PLAYERS for first in (CATCH, SWAP))

    @cached_property
    def _linear_weights(self) -> NDArray[np.float32]:
        """Pretrained weights of the linear policy for the nearest preset and number of players."""
        return linear_weights(self)

    def deal(self, record: Any, seed: int, deck: Sequence[str | int] | str | None, dealer: int | None) -> None:
        """Deal a new round into `record`.

        Args:
            record: State record to fill.
            seed: Seed of the round's random stream, which also shuffles the deck.
            deck: All cards in dealing order; None for a shuffled deck.
            dealer: Seat of the dealer; None for a random one. Without effect under `opener=seat-0`.

        Raises:
            InvalidInput: If `deck` is not the whole deck, or `dealer` is not a seat.
        """
        if dealer is not None:
            check_seat("dealer", dealer, self.num_players)
        start = np.uint64(rng.derive(seed))
        ops.deal(self.kernel_rules, record, start)
        if dealer is None or self.rules["opener"] == "seat-0":
            dealer = int(record.dealer)
        if deck is not None or dealer != record.dealer:
            self._redeal(record, start, deck, dealer)

    def _redeal(self, record: Any, start: np.uint64, deck: Sequence[str | int] | str | None, dealer: int) -> None:
        """Deal again into `record`, with another `dealer` or from a given `deck`.

        If `deck` is None, the cards are those that the random stream beginning at `start` gives.
        """
        reset_round(record, self.num_players)
        record.rng, record.dealer = start, dealer
        if deck is None:
            below(record, self.num_players)  # skips the random number that `ops.deal` uses for the dealer
            position_setup.fill_pile(record, DECK[::-1].tolist(), 0)
        else:
            unplaced = position_setup.UnplacedCards()
            order = unplaced.take_all(deck)
            if unplaced.left:
                raise InvalidInput(f"a deck has {NUM_CARDS} cards, not {len(order)}")
            position_setup.fill_pile(record, order, NUM_CARDS)
        start_round(self.kernel_rules, record)

    def opening_events(self, record: Any) -> list[EventRow]:
        """Return the event rows of the cards dealt and turned up in `record`, a state before the first action."""
        return events.opening_rows(record)

    def action_events(self, before: Any, action: int, after: Any) -> list[EventRow]:
        """Return the event rows of `action`, which led from the state record `before` to the state record `after`.

        `uno.events` lists the kinds of event.
        """
        return events.action_rows(self.kernel_rules, before, action, after)

    def remember(self, record: Any, events: Any) -> None:
        """Add to an observation's `record` what its viewer remembers from `events`, the history as it saw it.

        This is the cards known to be in other hands, and the number of decisions seen.
        """
        known_cards.write_known_cards(record, events, int(record.viewer))

    def action_to_string(self, action: int, state: State | Observation | None = None) -> str:
        """Return the action id `action` as text, such as `r5`; a jump-in names its card if `state` is given."""
        return action_text(action, int(state.record.top) if state is not None and action == JUMP else None)

    def parse_action(self, text: str) -> int:
        """Return the action id written as `text`, such as `r5`, `w:b` or `draw`.

        Raises:
            InvalidInput: If `text` is not an action.
        """
        return parse_action(text)

    def event_to_string(self, row: Sequence[int]) -> str:
        """Return one event row of a seat's view of the history as an English sentence.

        Raises:
            InvalidInput: If `row` is not an event of Uno.
        """
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
                f"the colour is {COLOR_NAMES[check_integer_in('the color of an event', value, 0, 3)]}"
            ),
        }
        return event_sentence("Uno", kind, sentences)

    def position(self, **parts: Any) -> State:
        """Return the state of a position set up by hand, at the start of a turn.

        Args:
            **parts: Parts of the position, by name.
                hands: For each seat its cards as text, a number of random cards, or None for as many as the rules deal.
                top: Top card; a wild with its color, as `w:b`.
                color: Color in force, if it is not that of `top`.
                to_move: Seat to move, by default 0.
                direction: 1 (default) or -1.
                dealer: Seat of the dealer, by default the last.
                draw: Next cards of the draw pile, in order.
                pile: Number of cards in the draw pile; the others lie under the top card.
                discard: Cards under the top card, bottom first.
                seed: Seed of everything left to chance, by default 0.

        Raises:
            InvalidInput: If the parts are incomplete or contradict one another.
        """
        check_parts(parts, self.position_parts)
        record = position_setup.set_up(self.num_players, int(self.rules["hand-size"]), **parts)
        return State(self, record, self.opening_events(record))

    def to_dict(self, state: State) -> dict[str, Any]:
        """Return a state as plain data for JSON.

        The position is complete: it includes the random stream, the pending penalty and missed uno calls.
        """
        return serialization.to_dict(state.record)

    def from_dict(self, data: dict[str, Any]) -> State:
        """Return the state that `to_dict` wrote as `data`; its history begins with this position.

        Raises:
            InvalidInput: If `data` is not a position for these rules and this number of players.
        """
        record = serialization.from_dict(self.rules, self.num_players, data)
        state = State(self, record, self.opening_events(record))
        if not state.is_terminal():
            legal = state.legal_actions()
            if not legal:
                raise InvalidInput(f"phase {data['phase']} has no legal action in this position")
            if record.phase == ANSWER and len(legal) == 1:
                raise InvalidInput("phase answer contradicts the position: the seat to move can only take the cards")
        return state

    def observation_to_dict(self, observation: Observation) -> dict[str, Any]:
        """Return an observation as plain data for JSON: what the seat sees, its legal actions and its history.

        Cards, actions and events are written as text.
        """
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
        """Return the hand of every seat in a state record as text, hidden hands included."""
        return [hand_text(events.cards_in_hand(record, seat)) for seat in range(self.num_players)]

    def deck_of(self, state: State) -> list[str]:
        """Return the cards of a freshly dealt state as texts, in the order of dealing.

        These are the hands, the cards turned up at the start, cards that the opener drew, and the draw pile in drawing
        order.
        """
        record = state.record.copy()
        size = int(self.rules["hand-size"])
        hands = [events.cards_as_received(record, seat) for seat in range(self.num_players)]
        drawn_by_opener = [card for hand in hands for card in hand[size:]]
        order = [card for hand in hands for card in hand[:size]] + [
            int(card) for card in record.discard[: record.n_discard]
        ]
        order += drawn_by_opener
        while record.n_pile:
            order.append(int(piles.pop_pile(record)))
        return [exact_card_text(card) if card % 15 >= WILD else card_text(card) for card in order]
