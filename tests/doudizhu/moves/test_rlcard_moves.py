"""Comparison with RLCard 1.2 under the preset `rlcard`: action ids, and a hand's leads and replies."""

import random
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from rlcard.games.doudizhu.judger import DoudizhuJudger
from rlcard.games.doudizhu.utils import ACTION_2_ID, CARD_TYPE, ID_2_ACTION, get_gt_cards

from cardgames.doudizhu.action_id_maps import ids_from_rlcard, ids_to_rlcard
from cardgames.doudizhu.moves.move_table import FORMS, MOVE_TABLE, NUM_HOLDABLE_ACTIONS, allowed_moves
from cardgames.doudizhu.notation import action_text
from cardgames.doudizhu.rules import RLCARD
from tests.doudizhu.hand_helpers import any_hand, dense_hand, leads, replies

TEXTS = {int(action): ID_2_ACTION[ids_to_rlcard()[action]] for action in allowed_moves(RLCARD)}


def test_rlcard_ids_map_to_same_cards() -> None:
    assert len(ids_from_rlcard()) == len(ID_2_ACTION) == 27_472
    for number, action in enumerate(ids_from_rlcard()):
        assert action_text(int(action)) == ID_2_ACTION[number]
        assert ids_to_rlcard()[action] == number
    assert (ids_to_rlcard() >= 0).sum() == 27_472
    assert len(ids_to_rlcard()) == NUM_HOLDABLE_ACTIONS


@pytest.mark.parametrize("draw", [any_hand, dense_hand])
def test_rlcard_has_same_leads(draw: Callable[[random.Random, int], str]) -> None:
    chance = random.Random(0)
    for size in 100 * [*range(1, 21)]:
        hand = draw(chance, size)
        theirs = DoudizhuJudger.playable_cards_from_hand(hand)
        assert {TEXTS[action] for action in leads(RLCARD, hand)} == theirs, hand


def reply_of_rlcard(hand: str, last: str) -> set[str]:
    """Return the replies that RLCard lets a hand make to a move."""
    player = SimpleNamespace(current_hand=[SimpleNamespace(rank=card, suit="") for card in hand])
    playable = get_gt_cards(player, SimpleNamespace(played_cards=last))
    return set(playable) - {"pass"}


def test_rlcard_has_same_replies_to_every_form() -> None:
    chance = random.Random(0)
    for form in range(len(FORMS)):
        lasts = [action for action in TEXTS if MOVE_TABLE.form_ranks[action] >> 4 == form]
        for last in chance.sample(lasts, min(20, len(lasts))):
            for hand in (any_hand(chance, 17), dense_hand(chance, 20)):
                ours = {TEXTS[action] for action in replies(RLCARD, hand, last)}
                assert ours == reply_of_rlcard(hand, TEXTS[last]), (FORMS[form], hand, TEXTS[last])


def test_rlcard_types_match_forms() -> None:
    """Moves with the same type and weight in RLCard have the same form and rank here, and vice versa."""
    theirs: dict[tuple[str, str], set[int]] = {}
    for action, text in TEXTS.items():
        for kind, weight in CARD_TYPE[0][text]:
            theirs.setdefault((kind, weight), set()).add(int(MOVE_TABLE.form_ranks[action]))
    assert all(len(form_ranks) == 1 for form_ranks in theirs.values())
    assert len(theirs) == len(set(MOVE_TABLE.form_ranks[allowed_moves(RLCARD)]))
    assert set(ACTION_2_ID) == {*TEXTS.values(), "pass"}
