# ruff: noqa: D102, D103
"""Highest Card: each of two to four players holds two of ten cards and plays one; the highest card wins."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardgames.core import ops
from cardgames.core.events import ACTION, PUBLIC
from cardgames.core.game import Game
from cardgames.core.rules import RuleBook, RuleSet
from cardgames.core.state import State
from cardgames.kernels.record_type import new_record, record_type
from cardgames.support.errors import InvalidInput

CARDS, HAND, DEALT = 10, 2, 1
STATE = record_type(
    __name__,
    "STATE",
    [("rng", "u8"), ("hands", "i1", (4, HAND)), ("played", "i1", (4,)), ("pile", "i1", (CARDS,)), ("seat", "i8")],
)
RULES = record_type(__name__, "RULES", [("players", "i8"), ("highest_card", "i8")])


def deal_from(state: Any, players: int, deck: Sequence[int]) -> None:
    """Deal `deck` from its first card on; -1 marks an empty place."""
    state.seat, state.played[:], state.hands[:], state.pile[:] = 0, -1, -1, -1
    for seat in range(players):
        state.hands[seat] = deck[HAND * seat : HAND * (seat + 1)]
    state.pile[: CARDS - HAND * players] = deck[HAND * players :]


# The verbs: how the kernels of the library see the game. Plain Python here; `kernels.jit.njit` makes them fast.
def deal(rules, state, seed):
    state.rng = seed
    deal_from(state, rules.players, np.random.default_rng(int(seed)).permutation(CARDS).tolist())


def is_terminal(rules, state):
    return bool(state.seat == rules.players)


def current_player(rules, state):
    return -1 if is_terminal(rules, state) else int(state.seat)


def is_legal(rules, state, action):
    return not is_terminal(rules, state) and action in state.hands[state.seat]


def legal_actions(rules, state, out):
    cards = [] if is_terminal(rules, state) else sorted(state.hands[state.seat].tolist())
    out[: len(cards)] = cards
    return len(cards)


def apply_action(rules, state, action):
    hand = state.hands[state.seat]
    hand[hand == action] = -1
    state.played[state.seat] = action
    state.seat += 1


def won(rules, state, seat):
    return bool(is_terminal(rules, state) and state.played.argmax() == seat)


def role(rules, state, seat):
    return 0


def returns(rules, state, out):
    if is_terminal(rules, state):
        out[:] = -1
        out[state.played.argmax()] = 1


def utility(rules, state, player):
    return float(won(rules, state, player))


def observe(rules, state, player, out):
    for field in STATE.names:
        out[field] = state[field]
    out.rng = 0
    hidden = np.arange(4) != player
    out.hands[hidden] = -1
    out.pile[:] = -1


def determinize(rules, observation, rng, out):
    for field in STATE.names:
        out[field] = observation[field]
    chance = np.random.default_rng(int(rng.rng))
    out.rng = chance.integers(2**63)
    seen = {*observation.hands.ravel().tolist(), *observation.played.tolist()}
    unseen = chance.permutation([card for card in range(CARDS) if card not in seen]).tolist()
    for seat in range(rules.players):
        if (observation.hands[seat] == -1).all():
            missing = HAND - int(observation.played[seat] >= 0)
            out.hands[seat, :missing] = [unseen.pop() for _ in range(missing)]
    out.pile[: len(unseen)] = unseen


for verb in (deal, is_terminal, current_player, is_legal, legal_actions, apply_action):
    getattr(ops, verb.__name__).register(RULES)(verb)
for verb in (won, role, returns, utility, observe, determinize):
    getattr(ops, verb.__name__).register(RULES)(verb)


class HighestCard(Game):
    """Highest Card for two to four players; it has no rules to choose."""

    name = "highest-card"
    rule_book = RuleBook("highest-card", {}, {"plain": RuleSet("highest-card", "plain", [])})
    state_dtype = STATE
    default_rules = "plain"
    min_players, max_players = 2, 4

    def __init__(self, players: int = 2, rules: str | RuleSet | None = None, overrides: Sequence[str] = ()):
        super().__init__(players, "plain" if rules is None else rules, overrides)
        self.num_distinct_actions = CARDS
        self.kernel_rules = np.array([(players, 0)], RULES)[0]

    def deal(self, record, seed, deck, dealer):
        ops.deal(self.kernel_rules, record, np.uint64(seed))
        if deck is not None:
            deal_from(record, self.num_players, [int(card) for card in deck])

    def opening_events(self, record):
        return [(DEALT, seat, card, seat) for seat in range(self.num_players) for card in record.hands[seat].tolist()]

    def action_events(self, before, action, after):
        return [(ACTION, int(before.seat), action, PUBLIC)]

    def remember(self, record, events):
        """Add nothing: no hand is known beyond what the table shows."""

    def action_to_string(self, action, state=None):
        return str(action)

    def parse_action(self, text):
        return int(text)

    def event_to_string(self, row):
        return f"seat {row[1]} {'is dealt' if row[0] == DEALT else 'plays'} {row[2]}"

    def position(self, **parts):
        raise InvalidInput("positions of Highest Card are not set up")

    def to_dict(self, state):
        return {field: state.record[field].tolist() for field in STATE.names}

    def from_dict(self, data):
        record = new_record(STATE)
        for field, value in data.items():
            record[field] = value
        return State(self, record, self.opening_events(record))

    def observation_to_dict(self, observation):
        return {"hand": observation.record.hands[observation.player].tolist()}

    def deck_of(self, state):
        cards = [*state.record.hands[: self.num_players].ravel().tolist(), *state.record.pile.tolist()]
        return [str(card) for card in cards if card >= 0]

    def hands_of(self, record):
        return [" ".join(str(card) for card in hand if card >= 0) for hand in record.hands[: self.num_players]]
