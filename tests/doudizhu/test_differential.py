"""Differential tests of whole rounds: kernels and the slow referee agree on everything after every action.

For small hands the legal moves of both are compared as sets. For large hands the referee only checks some of the moves
that the kernels list, because listing all moves is slow.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.core.state import State
from cardgames.doudizhu.cards import hand_to_text
from cardgames.doudizhu.game import DouDiZhu
from cardgames.doudizhu.moves.move_table import FIRST_MOVE
from cardgames.doudizhu.notation import action_text
from cardgames.doudizhu.state import PHASES
from tests.differences import assert_same
from tests.doudizhu.hand_helpers import DECK, PRESETS, choose_rules, reading_of
from tests.referees.doudizhu import in_order
from tests.referees.doudizhu_rounds import Round, Said

MAX_FULLY_COMPARED = 9
"""Largest size of a hand for which the referee lists all moves."""


def referee_action(action: int) -> Said:
    """Return an action as the referee represents it."""
    return action_text(action) if action < FIRST_MOVE else reading_of(action)


def deal_of(state: State) -> tuple[list[str], str, int]:
    """Return the hands of 17 cards, the bottom cards, and the seat that acts first."""
    deck = "".join(state.game.deck_of(state))
    return [deck[:17], deck[17:34], deck[34:51]], deck[51:], int(state.record.dealer)


def position_of(state: State) -> dict[str, object]:
    """Return the state in the form of the referee."""
    record = state.record
    last = None if not record.last else (int(record.last_by), reading_of(int(record.last)))
    return {
        "phase": PHASES[record.phase],
        "to_move": state.current_player(),
        "landlord": int(record.landlord) if record.landlord >= 0 else None,
        "hands": [hand_to_text(hand) for hand in record.hands],
        "played": [hand_to_text(hand) for hand in record.played],
        "stake": int(record.bid),
        "winner": int(record.winner) if record.winner >= 0 else None,
        "to_beat": None if state.is_terminal() else last,
    }


def expected_of(referee: Round) -> dict[str, object]:
    """Return the referee's position."""
    fields = ("phase", "to_move", "landlord", "hands", "played", "stake", "winner", "to_beat")
    expected = {name: getattr(referee, name) for name in fields}
    return expected | ({"to_beat": None} if referee.phase == "over" else {})


def compare(state: State, referee: Round, chance: random.Random) -> None:
    """Assert that both sides have the same position and that it has all 54 cards."""
    record, ply = state.record, f"ply {state.record.decisions}"
    assert_same(position_of(state), expected_of(referee), ply)
    assert [int(n) for n in record.counts] == [len(hand) for hand in referee.hands]
    assert (record.bombs, record.rockets) == (referee.count("bomb"), referee.count("rocket"))
    undealt_bottom = referee.bottom if referee.landlord is None else ""
    assert in_order("".join(referee.hands + referee.played) + undealt_bottom) == DECK
    assert_same(state.returns(), referee.returns(), f"{ply}, returns")
    won = None if referee.winner is None else referee.winner == referee.landlord
    assert state.winners() == [seat for seat in range(3) if won is not None and (seat == referee.landlord) == won]
    legal = [referee_action(action) for action in state.legal_actions()]
    if referee.phase != "play" or len(referee.hands[referee.to_move]) <= MAX_FULLY_COMPARED:
        assert sorted(map(str, legal)) == sorted(map(str, referee.legal()))
    else:
        assert all(map(referee.allows, chance.sample(legal, min(len(legal), 5))))


def play_both(game: DouDiZhu, seed: int) -> Round:
    """Play one random round on both sides and return the referee's round."""
    chance = random.Random(seed)
    state = game.new_initial_state(seed=seed)
    referee = Round(game.rules.to_dict(), *deal_of(state))
    compare(state, referee, chance)
    while not state.is_terminal():
        action = chance.choice(state.legal_actions())
        state.apply_action(action)
        referee.apply(referee_action(action))
        if referee.again():
            referee.deal_again(*deal_of(state))
        compare(state, referee, chance)
    return referee


@pytest.mark.parametrize("preset", PRESETS)
def test_kernels_match_referee_under_presets(preset: str) -> None:
    rounds = [play_both(DouDiZhu(rules=preset), seed) for seed in range(25)]
    assert {ended.winner == ended.landlord for ended in rounds if ended.winner is not None} == {True, False}


def test_kernels_match_referee_under_random_rules() -> None:
    for seed in range(120):
        play_both(DouDiZhu(rules=choose_rules(random.Random(seed).choice)), seed)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.data(), st.integers(0, 2**32))
def test_kernels_match_referee_under_any_rules(data: st.DataObject, seed: int) -> None:
    play_both(DouDiZhu(rules=choose_rules(lambda values: data.draw(st.sampled_from(values)))), seed)
