"""Kernels against the plain-Python referee: they play the same rounds and agree after every decision."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.core.events import EventRow
from cardgames.core.state import State
from cardgames.uno.cards import DECK, WILD
from cardgames.uno.cards_since_draw import UNKNOWN_COUNT, cards_since_draw
from cardgames.uno.events import DREW, LAID
from cardgames.uno.game import Uno
from cardgames.uno.state import OPENER_COLOR
from tests.differences import assert_same
from tests.referees.uno import Referee
from tests.uno.tables import PRESETS, choose_game, discard, hands, ids, lively, pile

ALL_CARDS = [int(card) for card in DECK]


def referee_of(state: State) -> Referee:
    """Return the referee's state after the same deal."""
    rules, record = state.game.rules.to_dict(), state.record
    by_chance = rules["start-effects"] == "rlcard" and record.top % 15 >= WILD
    return Referee.deal(
        rules,
        players=state.game.num_players,
        dealer=int(record.dealer),
        deck=ids(state.game.deck_of(state)),
        colors=[int(record.color)] if by_chance else [],
    )


def chance_in(rows: Sequence[EventRow], ignored: bool) -> tuple[list[int], list[int]]:
    """Return the cards drawn and the random colors in the rows of one decision."""
    drawn = [value for kind, _, value, _ in rows if kind == DREW]
    wilds = [value for kind, _, value, _ in rows if kind == LAID and value % 15 >= WILD]
    return drawn, [] if ignored else [value // 15 for value in wilds]


def position_of(state: State) -> dict[str, object]:
    """Return the state in the format of `Referee.position`."""
    record = state.record
    return {
        "to_move": state.current_player(),
        "direction": int(record.direction),
        "top": int(record.top),
        "color": int(record.color),
        "hands": hands(state),
        "pile": pile(state),
        "discard": discard(state),
        "pending": int(record.pending),
        "winner": int(record.winner),
        "void": bool(record.void),
    }


def void_counts_of(state: State) -> list[dict[int, int]]:
    """Return the counts of `uno.cards_since_draw` for each seat, in the format of the referee."""
    words = state.record.cards_since_draw[: state.game.num_players]
    counts = [[int(cards_since_draw(np.uint64(word), color)) for color in range(4)] for word in words]
    return [{color: count for color, count in enumerate(row) if count < UNKNOWN_COUNT} for row in counts]


def compare(state: State, referee: Referee) -> None:
    """Assert that both sides see the same position, and that no card is lost in it."""
    expected = referee.position()
    if state.record.phase == OPENER_COLOR:
        expected["color"] = -1  # not named yet
    ply = f"ply {referee.decisions}"
    assert_same(position_of(state), expected, ply)
    assert_same(state.legal_actions(), referee.legal(), f"{ply}, legal actions")
    assert max(referee.legal(), default=0) < state.game.num_distinct_actions
    assert_same(state.returns(), referee.returns(), f"{ply}, returns")
    assert sorted(sum(hands(state), pile(state) + discard(state))) == ALL_CARDS
    assert_same(void_counts_of(state), referee.cards_since_draw, f"{ply}, void counts")


def play_both(game: Uno, seed: int) -> int:
    """Play one round on both sides and return the number of decisions."""
    chance = random.Random(seed)
    state = game.new_initial_state(seed=seed)
    referee = referee_of(state)
    ignored = game.rules["wild-color"] == "ignored"
    compare(state, referee)
    while not state.is_terminal():
        action, seen = lively(state.legal_actions(), chance), len(state.history())
        state.apply_action(action)
        referee.apply(action, *chance_in(state.history(seen), ignored))
        compare(state, referee)
    return referee.decisions


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", range(2, 11))
def test_kernels_agree_with_referee_under_presets(preset: str, players: int) -> None:
    game = Uno(players, preset, ["turn-limit=400"])
    assert sum(play_both(game, seed) for seed in range(8)) > 8


def test_kernels_agree_with_referee_under_random_rules() -> None:
    for seed in range(400):
        play_both(choose_game(random.Random(seed).choice), seed)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.data(), st.integers(0, 2**32))
def test_kernels_agree_with_referee_under_any_rules(data: st.DataObject, seed: int) -> None:
    play_both(choose_game(lambda values: data.draw(st.sampled_from(values))), seed)
