"""Tests of the encodings of a position with one move against plain-Python versions computed from the history."""

import random

import numpy as np
import pytest

from cardgames.core import ops
from cardgames.core.state import State
from cardgames.doudizhu.cards import hand_from_text, hand_to_text
from cardgames.doudizhu.encodings.move_encoding import CHOICE
from cardgames.doudizhu.game import DouDiZhu
from cardgames.doudizhu.hands.hand_value import count_turns, new_workspace, split_off_chains
from cardgames.doudizhu.moves.move_table import PASS, move_from_id
from cardgames.support.errors import InvalidInput
from tests.doudizhu.encodings.test_encode import TableHistory, card_numbers, one_hot
from tests.doudizhu.hand_helpers import DECK, replies
from tests.doudizhu.rounds import random_playthrough
from tests.referees.doudizhu_rounds import minus

PRESETS = ("classic", "rlcard", "openspiel")


def encoded(state: State, encoding: str = "choice") -> np.ndarray:
    """Return one row for each legal action."""
    game, actions = state.game, np.array(state.legal_actions(), np.int32)
    encoding_id, (inputs,), _ = game.network_encoding(encoding)
    rows = np.full((len(actions), inputs), 7, np.int8)
    observation = state.observation()
    assert ops.encode_actions(game.kernel_rules, observation.record, observation.player, encoding_id, actions, rows)
    return rows


def count_groups(hand: str) -> int:
    """Return the number of groups that the fast evaluation splits a hand into."""
    workspace = new_workspace()
    _, loose, chains = split_off_chains(np.uint64(hand_from_text(hand)), workspace)
    return int(count_turns(loose, chains, workspace))


def unplayed_bottom(state: State, table: TableHistory) -> str:
    """Return the bottom cards that the landlord has not played."""
    bottom, landlord_played = hand_to_text(state.record.bottom), table.played_by(table.landlord)
    return "".join(card * max(0, bottom.count(card) - landlord_played.count(card)) for card in sorted(set(bottom)))


def expected_position(state: State, table: TableHistory) -> list[int]:
    """Return the expected encoding of the observation of the player to move."""
    player, record = state.current_player(), state.record
    hand = hand_to_text(record.hands[player])
    unseen = minus(DECK, hand + "".join(cards for _, cards in table.moves))
    others = [(player + 1) % 3, (player + 2) % 3]
    known_cards = "" if player == table.landlord else unplayed_bottom(state, table)
    parts = [hand, unseen, known_cards, *map(table.last_of, others), *map(table.played_by, others)]
    numbers = [number for part in parts for number in card_numbers(part)]
    numbers += [number for seat in others for number in one_hot(int(record.counts[seat]) - 1, 20)]
    return [*numbers, *one_hot((player - table.landlord) % 3, 3), int(not table.to_beat)]


def expected_move(state: State, table: TableHistory, action: int) -> list[int]:
    """Return the expected encoding of one action."""
    hand = hand_to_text(state.record.hands[state.current_player()])
    unseen = minus(DECK, hand + "".join(cards for _, cards in table.moves))
    cards = "" if action == PASS else hand_to_text(move_from_id(action).cards)
    rest = minus(hand, cards)
    numbers = [*card_numbers(cards), *card_numbers(rest), int(action == PASS), *one_hot(count_groups(rest), 15)]
    if action == PASS:
        return [*numbers, 0, 0]
    stronger = [move_from_id(other).form.name for other in replies(state.game.rules, unseen, action)]
    bombs_and_rocket = {"bomb", "rocket"} if move_from_id(action).form.name not in ("bomb", "rocket") else set(stronger)
    return [*numbers, int(not stronger), int(all(name in bombs_and_rocket for name in stronger))]


@pytest.mark.parametrize("rules", PRESETS)
def test_choice_and_group_encodings_match_history(rules: str) -> None:
    game, num_unbeatable = DouDiZhu(rules=rules), 0
    for seed in range(12):
        for state in random_playthrough(game.new_initial_state(seed=seed), random.Random(seed)):
            if state.is_terminal() or state.record.landlord < 0:
                continue
            table, rows = TableHistory(state), encoded(state)
            before = expected_position(state, table)
            for action, row in zip(state.legal_actions(), rows.tolist(), strict=True):
                assert row == before + expected_move(state, table, action)
            num_unbeatable += int(rows[:, -2].sum())
            for action, row in zip(state.legal_actions(), encoded(state, "group").tolist(), strict=True):
                cards = "" if action == PASS else hand_to_text(move_from_id(action).cards)
                assert row == [*before, *card_numbers(cards), int(action == PASS)]
    assert num_unbeatable > 100


@pytest.mark.parametrize(
    ("hand", "groups"),
    [
        ("", 0),
        ("3", 1),
        ("3456789", 1),
        ("33344", 1),
        ("33344456", 1),
        ("333A", 2),
        ("3335KK", 2),
        ("34567KKAA2", 4),
        ("4444BR", 0),
        ("335577", 3),
    ],
)
def test_number_of_groups_of_known_hands(hand: str, groups: int) -> None:
    assert count_groups(hand) == groups


def test_encode_actions_in_auction_returns_false() -> None:
    state = DouDiZhu(rules="classic").new_initial_state(seed=1)
    rows = np.full((4, state.game.network_encoding("choice").inputs), 7, np.int8)
    actions = np.array(state.legal_actions(), np.int32)
    assert not ops.encode_actions(state.game.kernel_rules, state.record, 0, CHOICE, actions, rows)
    assert (rows == 7).all()


def test_encoding_does_not_depend_on_hidden_cards() -> None:
    game = DouDiZhu(rules="rlcard")
    for seed in range(30):
        for state in random_playthrough(game.new_initial_state(seed=seed), random.Random(seed)):
            if not state.is_terminal():
                other = game.determinize(state.observation(), seed)
                assert np.array_equal(encoded(state), encoded(other))


def test_move_encoding_is_not_an_observation_encoding() -> None:
    state = DouDiZhu(rules="rlcard").new_initial_state(seed=1)
    with pytest.raises(InvalidInput, match="unknown encoding 'choice'"):
        state.game.encode(state, "choice")
