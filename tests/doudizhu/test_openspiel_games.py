"""Whole games, auction and pay-offs included, with OpenSpiel's `dou_dizhu` under the preset `openspiel`.

Which moves are legal is compared in `test_openspiel`; here both play what both allow (see there for OpenSpiel's two bugs).
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


def hand_in(theirs: Any, player: int) -> str:
    """A player's hand."""
    words = theirs.observation_string(player).partition("My hand ")[2].splitlines()[0]
    return str(words).replace("(BWJ)", "B").replace("(CJ)", "R")


def dealt(chance: random.Random) -> tuple[State, Any]:
    """The same deal on both sides."""
    theirs = pyspiel.load_game("dou_dizhu").new_initial_state()
    while theirs.is_chance_node():
        theirs.apply_action(chance.choice(theirs.legal_actions()))
    hands = [hand_in(theirs, player) for player in range(3)]
    deck = [*"".join(hands), *minus(DECK, "".join(hands))]
    return DouDiZhu(rules="openspiel").new_initial_state(deck=deck, dealer=theirs.current_player()), theirs


def test_whole_games() -> None:
    chance, seen = random.Random(0), Counter[str]()
    for _ in range(GAMES):
        ours, theirs = dealt(chance)
        while not theirs.is_terminal():
            assert ours.current_player() == theirs.current_player()
            both = {int(ids_to_openspiel()[action]) for action in ours.legal_actions()} & set(theirs.legal_actions())
            if ours.record.phase == AUCTION:
                assert both == set(theirs.legal_actions())
            action = chance.choice(sorted(both))
            theirs.apply_action(action)
            ours.apply_action(int(ids_from_openspiel()[action]))
            if not theirs.is_terminal():
                hands = [hand_in(theirs, player) for player in range(3)]
                assert [hand_to_text(hand) for hand in ours.record.hands] == hands
        assert ours.is_terminal() and ours.returns() == theirs.returns()
        seen["void" if not ours.winners() else "bombs" if ours.record.bombs else "rocket"] += 1
        seen["landlord"] += ours.winners() == [ours.record.landlord]
    assert min(seen[kind] for kind in ("void", "bombs", "rocket", "landlord")) > 0
