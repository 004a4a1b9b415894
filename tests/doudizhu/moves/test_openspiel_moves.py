"""Comparison with OpenSpiel's `dou_dizhu` under the preset `openspiel`: action ids, and legal moves of whole games.

Two bugs of OpenSpiel 2.0 are excluded by name: it skips chains whose first rank is held four times, and it lets bombs
beat the rocket.
"""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cardgames.doudizhu.action_id_maps import ids_from_openspiel, ids_to_openspiel
from cardgames.doudizhu.cards import RANKS, hand_from_text, hand_to_text
from cardgames.doudizhu.moves.move_table import (
    FORMS,
    MOVE_TABLE,
    NUM_HOLDABLE_ACTIONS,
    PASS,
    allowed_moves,
    move_from_id,
)
from cardgames.doudizhu.notation import parse_action
from cardgames.doudizhu.rules import OPENSPIEL
from tests.doudizhu.hand_helpers import leads, reading_of, replies

pyspiel = pytest.importorskip("pyspiel")
NUM_AUCTION_ACTIONS = 4


def with_our_jokers(text: str) -> str:
    """Replace OpenSpiel's names of the jokers by our letters."""
    return text.replace("(BWJ)", "B").replace("(CJ)", "R")


def hand_in(state: Any) -> str:
    """Return the hand of the player to move."""
    words = state.observation_string(state.current_player())
    return with_our_jokers(words.partition("My hand ")[2].splitlines()[0])


def decisions(games: int) -> Iterator[tuple[str, int | None, set[int]]]:
    """Yield hand, our id of the move to beat, and OpenSpiel's legal ids before every action of the play in random games."""
    chance = random.Random(0)
    for _ in range(games):
        state = pyspiel.load_game("dou_dizhu").new_initial_state()
        last: int | None = None
        playing, passes = False, 0
        while not state.is_terminal():
            legal = state.legal_actions()
            playing = playing or (not state.is_chance_node() and max(legal) >= NUM_AUCTION_ACTIONS)
            action = chance.choice(legal)
            if playing:
                yield hand_in(state), last, set(legal)
                passes = passes + 1 if action == PASS else 0
                if passes == 2:
                    last = None
                elif action != PASS:
                    last = int(ids_from_openspiel()[action])
            state.apply_action(action)


def skipped_chain(hand: str, action: int) -> bool:
    """Return whether OpenSpiel skips a move by bug: a chain whose first rank is held four times."""
    move = move_from_id(action)
    return move.form.name.endswith(" chain") and hand.count(RANKS[move.rank]) == 4


def expected(hand: str, last: int | None) -> set[int]:
    """Return our legal ids, changed by OpenSpiel's two bugs."""
    if last is None:
        return {action for action in leads(OPENSPIEL, hand) if not skipped_chain(hand, action)}
    ours = {action for action in replies(OPENSPIEL, hand, last) if not skipped_chain(hand, action)}
    if reading_of(last).category == "rocket":
        ours = {action for action in leads(OPENSPIEL, hand) if reading_of(action).category == "bomb"}
    return {PASS, *ours}


def test_openspiel_ids_map_to_same_moves() -> None:
    game = pyspiel.load_game("dou_dizhu")
    state = game.new_initial_state()
    assert len(ids_from_openspiel()) == game.num_distinct_actions() == 26_057
    assert (ids_to_openspiel()[ids_from_openspiel()] == np.arange(26_057)).all()
    assert (ids_to_openspiel() >= 0).sum() == 26_057
    assert len(ids_to_openspiel()) == NUM_HOLDABLE_ACTIONS
    for number, action in enumerate(ids_from_openspiel()):
        text = with_our_jokers(state.action_to_string(0, number))
        if number < NUM_AUCTION_ACTIONS:
            assert parse_action(text) == action
            continue
        move = move_from_id(int(action))
        assert text.replace("-", "") in (hand_to_text(move.cards), hand_to_text(move.main) + hand_to_text(move.kickers))
        assert "-" not in text or hand_from_text(text.partition("-")[0]) == move.main


def test_openspiel_has_same_legal_moves_in_whole_games() -> None:
    forms = set()
    for hand, last, legal in decisions(400):
        theirs = {int(ids_from_openspiel()[action]) for action in legal}
        assert theirs == expected(hand, last), (hand, last)
        forms |= {FORMS[MOVE_TABLE.form_ranks[action] >> 4].name for action in theirs if action != PASS}
    assert forms == {
        FORMS[form_rank >> 4].name for form_rank in np.unique(MOVE_TABLE.form_ranks[allowed_moves(OPENSPIEL)])
    }
