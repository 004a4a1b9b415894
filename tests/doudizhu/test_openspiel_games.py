"""Whole rounds against OpenSpiel's `dou_dizhu` under the preset `openspiel`, with auction and payoffs.

Both sides play actions that both allow; `moves/test_openspiel_moves.py` compares the legal moves and names OpenSpiel's
two bugs.
"""

import random
from collections import Counter
from typing import Any

import pytest

from cardgames.core.state import State
from cardgames.doudizhu.action_id_maps import ids_from_openspiel, ids_to_openspiel
from cardgames.doudizhu.cards import hand_to_text
from cardgames.doudizhu.game import DouDiZhu
from cardgames.doudizhu.state import AUCTION
from tests.doudizhu.hand_helpers import DECK
from tests.referees.doudizhu_rounds import minus

pyspiel = pytest.importorskip("pyspiel")
GAMES = 600


def hand_in(spiel_state: Any, player: int) -> str:
    """Return a player's hand."""
    words = spiel_state.observation_string(player).partition("My hand ")[2].splitlines()[0]
    return str(words).replace("(BWJ)", "B").replace("(CJ)", "R")


def new_deal(chance: random.Random) -> tuple[State, Any]:
    """Return the same deal on both sides."""
    spiel_state = pyspiel.load_game("dou_dizhu").new_initial_state()
    while spiel_state.is_chance_node():
        spiel_state.apply_action(chance.choice(spiel_state.legal_actions()))
    hands = [hand_in(spiel_state, player) for player in range(3)]
    deck = [*"".join(hands), *minus(DECK, "".join(hands))]
    return DouDiZhu(rules="openspiel").new_initial_state(deck=deck, dealer=spiel_state.current_player()), spiel_state


def test_whole_rounds_match_openspiel() -> None:
    chance, seen = random.Random(0), Counter[str]()
    for _ in range(GAMES):
        state, spiel_state = new_deal(chance)
        while not spiel_state.is_terminal():
            assert state.current_player() == spiel_state.current_player()
            legal_on_both = {int(ids_to_openspiel()[action]) for action in state.legal_actions()} & set(
                spiel_state.legal_actions()
            )
            if state.record.phase == AUCTION:
                assert legal_on_both == set(spiel_state.legal_actions())
            action = chance.choice(sorted(legal_on_both))
            spiel_state.apply_action(action)
            state.apply_action(int(ids_from_openspiel()[action]))
            if not spiel_state.is_terminal():
                hands = [hand_in(spiel_state, player) for player in range(3)]
                assert [hand_to_text(hand) for hand in state.record.hands] == hands
        assert state.is_terminal() and state.returns() == spiel_state.returns()
        seen["void" if not state.winners() else "bombs" if state.record.bombs else "rocket"] += 1
        seen["landlord"] += state.winners() == [state.record.landlord]
    assert min(seen[kind] for kind in ("void", "bombs", "rocket", "landlord")) > 0
