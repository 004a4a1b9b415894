"""Whole rounds step by step against RLCard 1.2's environment under `rlcard`: positions, legal moves, payoffs, encodings."""

import random
from typing import Any

import numpy as np
import pytest
import rlcard

from cardgames.core.state import State
from cardgames.doudizhu.action_id_maps import ids_to_rlcard
from cardgames.doudizhu.cards import hand_to_text
from cardgames.doudizhu.game import DouDiZhu
from cardgames.doudizhu.notation import action_text

GAMES = 300


@pytest.fixture(scope="module")
def env() -> Any:
    return rlcard.make("doudizhu", config={"seed": 0})


def letters(cards: Any) -> str:
    """Return RLCard's cards as letters."""
    return "".join("BR"["BJ RJ".split().index(card.suit)] if card.rank == "" else card.rank for card in cards)


def state_from_deal(env: Any) -> State:
    """Return our state after the deal of RLCard's environment."""
    game = DouDiZhu(rules="rlcard")
    deck = letters(env.game.round.dealer.deck)
    hands = [deck[17 * seat : 17 * seat + 17] for seat in range(3)]
    return game.new_initial_state(deck=[*"".join(hands), *deck[51:]])


def compare(state: State, rlcard_state: Any, player: int) -> None:
    """Assert that both sides have the same position, legal actions and encoding."""
    raw, record = rlcard_state["raw_obs"], state.record
    assert player == state.current_player()
    assert raw["current_hand"] == hand_to_text(record.hands[player])
    assert raw["num_cards_left"] == [int(n) for n in record.counts]
    assert sorted(raw["actions"]) == sorted(action_text(action) for action in state.legal_actions())
    ids = {int(ids_to_rlcard()[action]) for action in state.legal_actions()}
    assert ids == set(rlcard_state["legal_actions"])
    size = len(rlcard_state["obs"])
    for seen in (state, state.observation()):
        encoded = state.game.encode(seen, "rlcard")
        assert np.array_equal(encoded[:size], rlcard_state["obs"]) and not encoded[size:].any()


def test_whole_rounds_match_rlcard(env: Any) -> None:
    chance, won = random.Random(0), []
    for _ in range(GAMES):
        rlcard_state, player = env.reset()
        state = state_from_deal(env)
        while not env.is_over():
            compare(state, rlcard_state, player)
            action = chance.choice(state.legal_actions())
            rlcard_state, player = env.step(int(ids_to_rlcard()[action]))
            state.apply_action(action)
        assert state.is_terminal()
        assert list(env.get_payoffs()) == state.returns()
        won.append(state.winners())
    assert [0] in won and [1, 2] in won
