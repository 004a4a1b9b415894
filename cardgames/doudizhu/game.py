"""The class `DouDiZhu`, which implements the `Game` interface for Dou Di Zhu."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.capabilities import BeliefSupport, NetworkSupport
from cardgames.core.encoding import Encoding
from cardgames.core.events import ACTION, EventRow, event_row, event_sentence
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.position_parts import check_parts
from cardgames.core.rules import RuleBook, RuleSet
from cardgames.core.state import State
from cardgames.doudizhu import events, kernel_registration, position_setup, serialization  # noqa: F401  (registers the verbs)
from cardgames.doudizhu.auction import open_auction
from cardgames.doudizhu.cards import DECK, NUM_CARDS, RANKS, hand_from_text, hand_to_text
from cardgames.doudizhu.deal import clear
from cardgames.doudizhu.encodings.encode import ENCODINGS
from cardgames.doudizhu.encodings.move_encoding import CHOICE_ENCODINGS
from cardgames.doudizhu.information_set import known_cards
from cardgames.doudizhu.moves.move_generation import MAX_MOVES
from cardgames.doudizhu.moves.move_table import action_space_size
from cardgames.doudizhu.notation import action_text, parse_action
from cardgames.doudizhu.policies.combination_networks import check_combination
from cardgames.doudizhu.policies.policy_dispatch import NETWORK, POLICIES
from cardgames.doudizhu.rules import BOOK, kernel_rules
from cardgames.doudizhu.state import HAND_SIZE, PLAYERS, STATE
from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput, check_integer_in, check_seat, check_value

_BEST = {
    "root": "halving",
    "prior": "dmc",
    "opponents": "dmc",
    "network": "dmc",
    "cutoff": 0,
    "bias": 4.0,
    "particles": 200,
    "simulations": 700,
}
"""Options of `mcts` and `mcts-dbm` with `setting=best`."""


class DouDiZhu(Game):
    """Dou Di Zhu under any rules of `docs/reference/doudizhu.md`. A state is one round, including the auction."""

    name: ClassVar[str] = "doudizhu"
    rule_book: ClassVar[RuleBook] = BOOK
    state_dtype: ClassVar[np.dtype[Any]] = STATE
    default_rules: ClassVar[str] = "classic"
    min_players: ClassVar[int] = PLAYERS
    max_players: ClassVar[int] = PLAYERS
    encodings: ClassVar[Mapping[str, Encoding]] = ENCODINGS
    action_encodings: ClassVar[Mapping[str, Encoding]] = CHOICE_ENCODINGS
    policies: ClassVar[Mapping[str, int]] = POLICIES
    networks: ClassVar[NetworkSupport | None] = NetworkSupport(
        NETWORK, Path(__file__).parent / "weights", check_combination
    )
    belief: ClassVar[BeliefSupport] = BeliefSupport(
        tuple(RANKS), events.REDEALT, frozenset({events.BOTTOM_TAKEN, events.REDEALT})
    )
    default_policy: ClassVar[str] = "frugal"
    levels: ClassVar[Mapping[str, str]] = {"easy": "beginner", "medium": "rhcp", "hard": "dmc"}
    champion: ClassVar[str] = "mcts-dbm"
    position_parts: ClassVar[Mapping[str, type]] = {
        **dict.fromkeys(("last", "bottom"), str),
        **dict.fromkeys(("landlord", "to_move", "last_by", "bid", "bombs", "rockets", "seed"), int),
    }
    roles: ClassVar[Sequence[str]] = ("landlord", "peasant down", "peasant up")

    def __init__(self, players: int = PLAYERS, rules: str | RuleSet | None = None, overrides: Iterable[str] = ()):
        super().__init__(players, self.default_rules if rules is None else rules, overrides)
        self.kernel_rules = kernel_rules(self.rules)
        self.num_distinct_actions = action_space_size(self.rules)

    @property
    def title(self) -> str:
        """Name of the game for headings and titles: "Dou Di Zhu"."""
        return "Dou Di Zhu"

    def best_settings(self, agent: str, objective: str = "payoff") -> Mapping[str, Any]:
        """Return the options of a search agent with `setting=best`: simulations end at the network `dmc`'s next decision."""
        return _BEST if agent in ("mcts", "mcts-dbm") else {}

    @property
    def pays_points(self) -> bool:
        """True under `payoff=points`, where bombs, springs and doubling multiply the stake."""
        return bool(self.rules["payoff"] == "points")

    @property
    def max_legal_actions(self) -> int:
        """Upper bound on the number of legal actions of a state, which is the length of an array that holds them."""
        return MAX_MOVES

    @property
    def seats_are_roles(self) -> bool:
        """True if seat 0 is always the landlord, because there is no auction."""
        return bool(self.rules["bidding"] == "none" and self.rules["first-bidder"] == "seat-0")

    def seatings(self, participants: int) -> NDArray[np.int64]:
        """Return the seatings of `participants` agents for a fair match, [seatings, seats] indices of agents.

        With three agents, the seatings are those of `Game.seatings`. With two agents, each agent plays alone against
        two copies of the other agent: only as the landlord if seat 0 is always the landlord, else once on every seat.

        Raises:
            InvalidInput: If there are fewer than two agents or more than three.
        """
        if participants == PLAYERS:
            return super().seatings(participants)
        if participants != 2:
            raise InvalidInput(f"{self.name} takes 2 or {PLAYERS} agents, not {participants}")
        alone = np.arange(1 if self.seats_are_roles else PLAYERS)
        others = (np.arange(PLAYERS) != alone[:, None]).astype(np.int64)
        return np.concatenate([others, 1 - others])

    def deal(self, record: Any, seed: int, deck: Sequence[str | int] | str | None, dealer: int | None) -> None:
        """Deal a round into `record`, at random or from a given deck, and open the auction.

        Args:
            record: State record to fill.
            seed: Seed of the random deal and of all later random events in the round.
            deck: Three hands of 17 cards, then the bottom cards; None for a random deal.
            dealer: Seat that acts first in the auction; None for the seat that the rules choose.
        """
        if dealer is not None:
            check_seat("dealer", dealer, PLAYERS)
        ops.deal(self.kernel_rules, record, np.uint64(rng.derive(seed)))
        if deck is None and dealer in (None, int(record.dealer)):
            return
        first = int(record.dealer) if dealer is None or self.rules["first-bidder"] == "seat-0" else dealer
        if record.landlord >= 0:
            record.hands[record.landlord] -= record.bottom
        if deck is not None:
            *hands, record.bottom = _split_deck(deck)
            record.hands[:] = hands
        clear(record)
        record.counts[:] = HAND_SIZE
        open_auction(self.kernel_rules, record, first)

    def opening_events(self, record: Any) -> list[EventRow]:
        """Return the events of a deal: cards dealt, the seat that acts first in an auction, and the landlord if known."""
        return events.opening_rows(record)

    def action_events(self, before: Any, action: int, after: Any) -> list[EventRow]:
        """Return the history events caused by `action`, which led from the record `before` to the record `after`.

        `doudizhu.events` lists the kinds of events.
        """
        return events.action_rows(before, action, after)

    def remember(self, record: Any, events: Any) -> None:
        """Do nothing: a Dou Di Zhu record already holds all facts of past `events` that a seat may know."""

    def action_to_string(self, action: int, state: State | Observation | None = None) -> str:
        """Return the text of an action id, such as `33344456`, `pass` or `bid 2`; `state` is not used."""
        return action_text(action)

    def parse_action(self, text: str) -> int:
        """Parse the text of an action, such as `33344456`, `pass` or `bid 2`, into its action id.

        Raises:
            InvalidInput: If the text is not an action under the game's rules, or means several moves.
        """
        return parse_action(text, self.rules)

    def event_to_string(self, row: Sequence[int]) -> str:
        """Return one event (a row of integers) of a seat's history as an English sentence.

        Raises:
            InvalidInput: If the row is not an event of Dou Di Zhu.
        """
        kind, seat, value = event_row(row)
        sentences = {
            ACTION: lambda: f"seat {seat}: {action_text(value)}",
            events.CARD_DEALT: lambda: (
                f"seat {seat} is dealt {RANKS[check_integer_in('the value of an event', value, 0, len(RANKS) - 1)]}"
            ),
            events.OPENED: lambda: f"seat {seat} speaks first",
            events.LANDLORD: lambda: f"seat {seat} is the landlord",
            events.BOTTOM_TAKEN: lambda: f"seat {seat} takes up {events.bottom_text(value)}",
            events.REDEALT: lambda: "all passed, the cards are dealt again",
        }
        return event_sentence("Dou Di Zhu", kind, sentences)

    def position(self, **parts: Any) -> State:
        """Return a state set up by hand, either in the play or at the start of an auction.

        Hands can be given in part; the rest is drawn at random. Cards that end up in no hand count as played.

        Args:
            **parts: Parts of the position, by name:

                - `hands`: one entry per seat: its cards as text, a number of random cards (or as text `?5`), or None
                  (or `?`) for as many random cards as the seat can have.
                - `landlord`: seat of the landlord; None (default) for an auction.
                - `to_move`: seat to move; by default the landlord, in an auction seat 0.
                - `last`: the move to beat, as text; by default the seat to move leads.
                - `last_by`: seat that played `last`; by default the seat before the one to move.
                - `bottom`: the three bottom cards; by default random in an auction, and in the play known to no seat.
                - `bid`: the stake, 1 by default; always 1 unless the rules have `bidding=score`.
                - `bombs`, `rockets`: numbers of bombs and rockets played.
                - `seed`: seed for the random cards and for later random events in the round.

        Raises:
            InvalidInput: If the position cannot arise or a part has the wrong type.
        """
        check_parts(parts, self.position_parts)
        record = position_setup.set_up(self.rules, **parts)
        return State(self, record, self.opening_events(record))

    def to_dict(self, state: State) -> dict[str, Any]:
        """Convert a state to a dictionary ready for JSON: cards as text, the random stream, and the auction fields.

        The event history is not included.
        """
        return serialization.to_dict(state.record)

    def from_dict(self, data: dict[str, Any]) -> State:
        """Return the state stored in a dictionary that `to_dict` wrote. Its event history starts at this state.

        Raises:
            InvalidInput: If the data is not a state that can arise under the game's rules.
        """
        record = serialization.from_dict(self.rules, data)
        return State(self, record, self.opening_events(record))

    def observation_to_dict(self, observation: Observation) -> dict[str, Any]:
        """Convert an observation to a dictionary ready for JSON: the viewer's hand, the public fields, and the history.

        Cards, legal actions and events are text.
        """
        record, data = observation.record, serialization.to_dict(observation.record)
        known = [hand_to_text(known_cards(record, seat)) for seat in range(PLAYERS)]
        known[observation.player] = ""
        fields = (
            "to_move",
            "phase",
            "landlord",
            "bottom",
            "last",
            "last_by",
            "bid",
            "bidder",
            "bombs",
            "rockets",
            "robs",
        )
        return {
            "player": observation.player,
            **{name: data[name] for name in fields},
            "hand": hand_to_text(record.hands[observation.player]),
            "counts": [int(n) for n in record.counts],
            "known": known,
            "played": data["played"],
            "doubles": data["doubles"],
            "legal_actions": [self.action_to_string(action) for action in observation.legal_actions],
            "history": [self.event_to_string(row) for row in observation.events],
        }

    def hands_of(self, record: Any) -> list[str]:
        """Return the hand of each seat of a state record as text, in seat order."""
        return [hand_to_text(hand) for hand in record.hands]

    def deck_of(self, state: State) -> list[str]:
        """Return the deck of a round as 54 card letters in dealing order: each seat's 17 cards, then the 3 bottom cards.

        Cards already played count for the seat that played them.
        """
        record = state.record
        dealt = [int(hand) + int(played) for hand, played in zip(record.hands, record.played, strict=True)]
        if record.landlord >= 0:
            dealt[record.landlord] -= int(record.bottom)
        return list("".join(hand_to_text(hand) for hand in [*dealt, record.bottom]))


def _split_deck(deck: Sequence[str | int] | str) -> list[int]:
    """Split a deck of 54 card letters into three hands of 17 cards and the 3 bottom cards, returned as four hands.

    Raises:
        InvalidInput: If the deck is not exactly the 54 cards of the game.
    """
    check_value("deck", deck, "a text or a list of cards", isinstance(deck, Iterable))
    cards = [str(card) for card in deck if str(card).strip()]
    if len(cards) != NUM_CARDS or any(len(card) != 1 for card in cards) or hand_from_text("".join(cards)) != DECK:
        raise InvalidInput(
            f"a deck is all {NUM_CARDS} cards, one letter each, not {len(cards)} cards {''.join(cards)!r}"
        )
    ends = [*range(0, NUM_CARDS, HAND_SIZE), NUM_CARDS]
    return [hand_from_text("".join(cards[first:last])) for first, last in pairwise(ends)]
