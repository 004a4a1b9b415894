"""A position and one of its moves as zeros and ones, worked out anew in plain Python from the history."""

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
from tests.doudizhu.encodings.test_encode import Table, card_numbers, one_hot
from tests.doudizhu.hand_helpers import DECK, replies
from tests.doudizhu.rounds import played
from tests.referees.doudizhu_rounds import minus

PRESETS = ("classic", "rlcard", "openspiel")


def encoded(state: State, encoding: str = "choice") -> np.ndarray:
    """A row for each legal action."""
    game, actions = state.game, np.array(state.legal_actions(), np.int32)
    encoding_id, (inputs,) = game.network_encoding(encoding)
    rows = np.full((len(actions), inputs), 7, np.int8)
    observation = state.observation()
    assert ops.encode_actions(game.kernel_rules, observation.record, observation.player, encoding_id, actions, rows)
    return rows


def groups_of(hand: str) -> int:
    """Into how many groups a hand is sorted."""
    workspace = new_workspace()
    _, loose, chains = split_off_chains(np.uint64(hand_from_text(hand)), workspace)
    return int(count_turns(loose, chains, workspace))


def bottom_left(state: State, table: Table) -> str:
    """The cards of the bottom that the landlord has not played."""
    bottom, laid = hand_to_text(state.record.bottom), table.played_by(table.landlord)
    return "".join(card * max(0, bottom.count(card) - laid.count(card)) for card in sorted(set(bottom)))


def seen(state: State, table: Table) -> list[int]:
    """What the player to move sees."""
    player, record = state.current_player(), state.record
    hand = hand_to_text(record.hands[player])
    unseen = minus(DECK, hand + "".join(cards for _, cards in table.moves))
    others = [(player + 1) % 3, (player + 2) % 3]
    known = "" if player == table.landlord else bottom_left(state, table)
    parts = [hand, unseen, known, *map(table.last_of, others), *map(table.played_by, others)]
    numbers = [number for part in parts for number in card_numbers(part)]
    numbers += [number for seat in others for number in one_hot(int(record.counts[seat]) - 1, 20)]
    return [*numbers, *one_hot((player - table.landlord) % 3, 3), int(not table.to_beat)]


def about(state: State, table: Table, action: int) -> list[int]:
    """What there is to say of one action."""
    hand = hand_to_text(state.record.hands[state.current_player()])
    unseen = minus(DECK, hand + "".join(cards for _, cards in table.moves))
    cards = "" if action == PASS else hand_to_text(move_from_id(action).cards)
    rest = minus(hand, cards)
    numbers = [*card_numbers(cards), *card_numbers(rest), int(action == PASS), *one_hot(groups_of(rest), 15)]
    if action == PASS:
        return [*numbers, 0, 0]
    stronger = [move_from_id(other).form.name for other in replies(state.game.rules, unseen, action)]
    powers = {"bomb", "rocket"} if move_from_id(action).form.name not in ("bomb", "rocket") else set(stronger)
    return [*numbers, int(not stronger), int(all(name in powers for name in stronger))]


@pytest.mark.parametrize("rules", PRESETS)
def test_what_is_seen_and_what_may_be_done(rules: str) -> None:
    game, sure = DouDiZhu(rules=rules), 0
    for seed in range(12):
        for state in played(game.new_initial_state(seed=seed), random.Random(seed)):
            if state.is_terminal() or state.record.landlord < 0:
                continue
            table, rows = Table(state), encoded(state)
            before = seen(state, table)
            for action, row in zip(state.legal_actions(), rows.tolist(), strict=True):
                assert row == before + about(state, table, action)
            sure += int(rows[:, -2].sum())
            for action, row in zip(state.legal_actions(), encoded(state, "group").tolist(), strict=True):
                cards = "" if action == PASS else hand_to_text(move_from_id(action).cards)
                assert row == [*before, *card_numbers(cards), int(action == PASS)]
    assert sure > 100


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
def test_the_groups_of_a_hand(hand: str, groups: int) -> None:
    assert groups_of(hand) == groups


def test_of_the_auction_it_knows_nothing() -> None:
    state = DouDiZhu(rules="classic").new_initial_state(seed=1)
    rows = np.full((4, state.game.network_encoding("choice").inputs), 7, np.int8)
    actions = np.array(state.legal_actions(), np.int32)
    assert not ops.encode_actions(state.game.kernel_rules, state.record, 0, CHOICE, actions, rows)
    assert (rows == 7).all()


def test_hidden_cards_change_nothing() -> None:
    game = DouDiZhu(rules="rlcard")
    for seed in range(30):
        for state in played(game.new_initial_state(seed=seed), random.Random(seed)):
            if not state.is_terminal():
                other = game.determinize(state.observation(), seed)
                assert np.array_equal(encoded(state), encoded(other))


def test_it_is_no_encoding_of_positions() -> None:
    state = DouDiZhu(rules="rlcard").new_initial_state(seed=1)
    with pytest.raises(InvalidInput, match="unknown encoding 'choice'"):
        state.game.encode(state, "choice")
