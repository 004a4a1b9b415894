"""Highest Card, a minimal game with hidden cards that passes `check_game`. Its verbs are plain Python, not compiled.

There are ten cards, 0 to 9. Each player in turn plays one card, and may draw one card before. The highest card wins.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from cardgames.core import ops
from cardgames.core.events import ACTION, PUBLIC, EventRow
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.rules import Axis, RuleBook, RuleSet
from cardgames.core.state import State
from cardgames.kernels.record_type import new_record, record_type
from cardgames.support.errors import InvalidInput

CARDS, DRAW = 10, 10
DEALT, DREW = 1, 2

STATE = record_type(
    __name__,
    "STATE",
    [
        ("rng", "u8"),
        ("hands", "i2", (4,)),  # one bit for each card
        ("counts", "i2", (4,)),
        ("laid", "i2", (4,)),
        ("pile", "u1", (CARDS,)),  # the next card is the last one
        ("n_pile", "i2"),
        ("seat", "i2"),
        ("drawn", "i2"),
        ("players", "i2"),
        ("spare", "i2", (3,)),
    ],
)


def rules_dtype(name: str) -> np.dtype[Any]:
    """Return a dtype of rules with a field `name`, so that verbs can be registered for it alone."""
    return record_type(__name__, name, [("players", "i8"), ("hand_size", "i8"), (name, "i8")])


def cards_of(mask: int) -> list[int]:
    """Return the cards of a hand."""
    return [card for card in range(CARDS) if int(mask) >> card & 1]


def deal_out(state: Any, players: int, size: int, order: Sequence[int]) -> None:
    """Deal the cards in this order."""
    state.players, state.seat, state.drawn = players, 0, 0
    state.laid[:] = -1
    for seat in range(players):
        give(state, seat, order[seat * size : (seat + 1) * size])
    state.n_pile = CARDS - players * size
    state.pile[: state.n_pile] = list(order[players * size :])[::-1]


def give(state: Any, seat: int, cards: Iterable[int]) -> None:
    """Add cards to a hand."""
    for card in cards:
        state.hands[seat] |= 1 << card
        state.counts[seat] += 1


def deal(rules: Any, state: Any, seed: Any) -> None:
    state.rng = seed
    order = np.random.default_rng(int(seed)).permutation(CARDS).tolist()
    deal_out(state, int(rules.players), int(rules.hand_size), order)


def is_terminal(rules: Any, state: Any) -> bool:
    return int(state.seat) == int(rules.players)


def current_player(rules: Any, state: Any) -> int:
    return -1 if is_terminal(rules, state) else int(state.seat)


def legal(state: Any) -> list[int]:
    """Return the legal actions in ascending order."""
    if state.seat == state.players:
        return []
    return cards_of(state.hands[state.seat]) + ([] if state.drawn or not state.n_pile else [DRAW])


def legal_actions(rules: Any, state: Any, out: Any) -> int:
    actions = legal(state)
    out[: len(actions)] = actions
    return len(actions)


def is_legal(rules: Any, state: Any, action: Any) -> bool:
    return action in legal(state)


def apply_action(rules: Any, state: Any, action: Any) -> None:
    seat = int(state.seat)
    if action == DRAW:
        state.n_pile -= 1
        give(state, seat, [int(state.pile[state.n_pile])])
        state.drawn = 1
        return
    state.hands[seat] &= ~(1 << action)
    state.counts[seat] -= 1
    state.laid[seat] = action
    state.seat, state.drawn = seat + 1, 0


def returns(rules: Any, state: Any, out: Any) -> None:
    if is_terminal(rules, state):
        out[:] = -1
        out[np.argmax(state.laid)] = 1


def won(rules: Any, state: Any, seat: Any) -> bool:
    return bool(is_terminal(rules, state) and np.argmax(state.laid) == seat)


def role(rules: Any, state: Any, seat: Any) -> int:
    return 0


def utility(rules: Any, state: Any, player: Any) -> float:
    return float(np.argmax(state.laid) == player)


def observe(rules: Any, state: Any, player: Any, out: Any) -> None:
    for field in STATE.names or ():
        out[field] = state[field]
    out.rng = 0
    out.pile[:] = 0
    out.hands[:] = 0
    out.hands[player] = state.hands[player]


def determinize(rules: Any, observation: Any, rng: Any, out: Any) -> None:
    for field in STATE.names or ():
        out[field] = observation[field]
    chance = np.random.default_rng(int(rng.rng))
    out.rng = chance.integers(2**63)
    known = [int(card) for card in observation.laid] + [card for hand in observation.hands for card in cards_of(hand)]
    unseen = chance.permutation([card for card in range(CARDS) if card not in known]).tolist()
    for seat in range(int(observation.players)):
        missing = int(observation.counts[seat]) - len(cards_of(observation.hands[seat]))
        out.counts[seat] -= missing
        give(out, seat, unseen[:missing])
        unseen = unseen[missing:]
    out.pile[: len(unseen)] = unseen


VERBS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        deal, current_player, legal_actions, is_legal, apply_action,
        is_terminal, won, role, returns, observe, determinize, utility,
    )
}  # fmt: skip


def register(dtype: np.dtype[Any], **others: Callable[..., Any]) -> np.dtype[Any]:
    """Register the verbs for rules of `dtype`, with `others` in place of the correct ones."""
    for name, function in (VERBS | others).items():
        getattr(ops, name).register(dtype)(function)
    return dtype


@dataclass(frozen=True)
class HandSize(Axis):
    """Number of cards dealt to each player."""

    value: int = 2
    name: ClassVar[str] = "hand-size"
    numbers: ClassVar[range | None] = range(1, 3)


PLAIN = RuleSet("highest", "plain", [HandSize(2)])


class Highest(Game):
    """Highest Card for 2 to 4 players."""

    name: ClassVar[str] = "highest"
    rule_book: ClassVar[RuleBook] = RuleBook("highest", {"hand-size": HandSize}, {"plain": PLAIN})
    state_dtype: ClassVar[np.dtype[Any]] = STATE
    default_rules: ClassVar[str] = "plain"
    min_players: ClassVar[int] = 2
    max_players: ClassVar[int] = 4
    rules_type: ClassVar[np.dtype[Any]] = register(rules_dtype("right"))

    def __init__(self, players: int = 2, rules: str | RuleSet | None = None, overrides: Iterable[str] = ()):
        super().__init__(players, rules or self.default_rules, overrides)
        self.num_distinct_actions = DRAW + 1
        self.kernel_rules = np.array([(players, self.rules["hand-size"], 0)], self.rules_type)[0]

    def deal(self, record: Any, seed: int, deck: Sequence[str | int] | str | None, dealer: int | None) -> None:
        ops.deal(self.kernel_rules, record, np.uint64(seed))
        if deck is not None:
            record.hands[:] = record.counts[:] = record.pile[:] = 0
            deal_out(record, self.num_players, int(self.rules["hand-size"]), [int(card) for card in deck])

    def opening_events(self, record: Any) -> list[EventRow]:
        return [(DEALT, s, card, s) for s in range(self.num_players) for card in cards_of(record.hands[s])]

    def action_events(self, before: Any, action: int, after: Any) -> list[EventRow]:
        seat = int(before.seat)
        drawn = int(before.pile[before.n_pile - 1])
        return [(ACTION, seat, action, PUBLIC)] + ([(DREW, seat, drawn, seat)] if action == DRAW else [])

    def remember(self, record: Any, events: Any) -> None:
        """Add nothing: no hidden card is ever known."""

    def action_to_string(self, action: int, state: State | Observation | None = None) -> str:
        return "draw" if action == DRAW else str(action)

    def parse_action(self, text: str) -> int:
        return DRAW if text == "draw" else int(text)

    def event_to_string(self, row: Sequence[int]) -> str:
        return f"seat {row[1]}: {('plays', 'is dealt', 'draws')[row[0]]} {row[2]}"

    def position(self, **parts: Any) -> State:
        raise InvalidInput("Highest Card has no set-up positions")

    def to_dict(self, state: State) -> dict[str, Any]:
        return {field: state.record[field].tolist() for field in STATE.names or ()}

    def from_dict(self, data: dict[str, Any]) -> State:
        record = new_record(self.state_dtype)
        for field, value in data.items():
            record[field] = value
        return State(self, record, self.opening_events(record))

    def observation_to_dict(self, observation: Observation) -> dict[str, Any]:
        return {"hand": cards_of(observation.record.hands[observation.player])}

    def deck_of(self, state: State) -> list[str]:
        record = state.record
        hands = [card for hand in record.hands for card in cards_of(hand)]
        return [str(card) for card in (*hands, *record.pile[: record.n_pile][::-1])]

    def hands_of(self, record: Any) -> list[str]:
        return [" ".join(map(str, cards_of(hand))) for hand in record.hands[: self.num_players]]
