"""Evidence from the draws of other seats: the counts of `uno.cards_since_draw`, and the encoding `evidence`."""

import random
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.core.state import State
from cardgames.uno.cards_since_draw import ALL_UNKNOWN, cards_since_draw, increment_counts, reset_count
from cardgames.uno.encodings import seat_inputs
from cardgames.uno.encodings.evidence_inputs import LAYOUT, NUM_INPUTS
from tests.uno.tables import choose_game, play

NAMES = ("r", "g", "b", "y", "any")


def evidence_about(state: State, seat: int) -> dict[str, int]:
    """Return the inputs about `seat`, as the seat before it sees them, as upper limits of the cards taken.

    Keys are colors, and `any`.
    """
    inputs = state.game.encode(state, "evidence", player=(seat - 1) % state.game.num_players)[seat_inputs.NUM_INPUTS :]
    thermometers = {name: inputs[12 * place : 12 * place + 4].tolist() for place, name in enumerate(NAMES)}
    return {name: (0, 1, 2, 4)[ones.index(1)] for name, ones in thermometers.items() if any(ones)}


def play_actions(state: State, *actions: str) -> State:
    """Play the actions and return the state."""
    for action in actions:
        state.apply_action(state.game.parse_action(action))
    return state


def test_counts_above_seven_are_unknown() -> None:
    word = np.uint64(reset_count(np.uint64(ALL_UNKNOWN), 2))
    counts = []
    for _ in range(10):
        counts.append([int(cards_since_draw(word, color)) for color in range(4)])
        word = np.uint64(increment_counts(word))
    assert counts == [[8, 8, min(n, 8), 8] for n in range(10)]


def test_draw_shows_void_in_the_color_until_more_cards_are_taken() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    state = game.position(hands=["r1 r2 rd y4", "g1 g2 g3"], top="r5", to_move=1, draw="b9")
    assert evidence_about(state, 1) == {}
    assert evidence_about(play_actions(state, "draw"), 1) == {"r": 0, "any": 0}
    assert evidence_about(play_actions(state, "rd"), 1) == {"r": 2, "any": 2}, "it took two cards, which may be red"


def test_drawn_card_that_may_be_kept_counts_as_taken() -> None:
    game = cardgames.make("uno", players=2, rules="common")
    state = play_actions(
        game.position(hands=["r1 r2 rd y4", "g1 g2 g3"], top="r5", to_move=1, draw="r9"), "draw", "keep"
    )
    assert evidence_about(state, 1) == {"r": 1, "any": 1}


def test_voluntary_second_draw_does_not_reset_counts() -> None:
    game = cardgames.make("uno", players=2, rules="simplified", overrides=["draw-when=stuck"])
    state = game.position(hands=["r1 r2 rd y4", "g1 g2 g3"], top="r5", to_move=1, draw="r9 b9")
    assert evidence_about(play_actions(state, "draw", "draw"), 1) == {"r": 2, "any": 2}


@pytest.mark.parametrize("how", ["must-play", "auto-play"])
def test_drawn_card_that_must_be_played_does_not_count_as_taken(how: str) -> None:
    game = cardgames.make("uno", players=2, rules="common", overrides=[f"drawn-card={how}"])
    state = play_actions(game.position(hands=["r1 r2 rd y4", "g1 g2 g3"], top="r5", to_move=1, draw="b9"), "draw")
    assert evidence_about(state, 1) == {"r": 0, "any": 0}


def test_counts_move_with_swapped_hands() -> None:
    game = cardgames.make("uno", players=3, rules="rlcard", overrides=["seven-zero=seven"])
    state = game.position(hands=["r7 r2 y4", "g1 g2 g3", "b1 b2 b3"], top="r5", to_move=1, draw="b9 y9")
    play_actions(state, "draw", "draw", "r7", "swap 1")
    assert (evidence_about(state, 0), evidence_about(state, 1), evidence_about(state, 2)) == (
        {"r": 0, "any": 0},
        {},
        {"r": 0, "any": 0},
    )


def test_evidence_encoding_shows_the_seat_of_the_top_card() -> None:
    game = cardgames.make("uno", players=3, rules="rlcard")
    state = game.position(hands=["r7 r2 y4", "g1 g2 g3", "b1 b2 b3"], top="r5")
    rows = [game.encode(state, "evidence", player=seat)[-4:].tolist() for seat in range(3)]
    assert rows == [[0, 0, 0, 0]] * 3, "nobody played the start card"
    play_actions(state, "r7")
    rows = [game.encode(state, "evidence", player=seat)[-4:].tolist() for seat in range(3)]
    assert rows == [[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0]]


def expected_inputs(record: Any, seat: int) -> list[int]:
    """Return the inputs after those of `seat`, computed from the words of the record."""
    others = [(seat + step * int(record.direction)) % record.players for step in range(1, min(record.players, 4))]
    rows = np.zeros((5, 3, 4), int)
    for row, other in enumerate(others):
        counts = [int(record.cards_since_draw[other]) >> 4 * color & 15 for color in range(4)]
        for place, count in enumerate([*counts, min(counts)]):
            rows[place, row] = [count <= threshold for threshold in (0, 1, 2, 4)]
    top_seats = [seat, *others, *[None] * (3 - len(others))]
    return [*rows.ravel().tolist(), *[int(record.top_card_seat == other) for other in top_seats]]


@pytest.mark.parametrize("seed", range(40))
def test_evidence_encoding_in_random_rounds(seed: int) -> None:
    chance = random.Random(seed)
    game = choose_game(chance.choice)
    assert NUM_INPUTS == sum(rows * width for rows, width in LAYOUT)
    for count, state in enumerate(play(game.new_initial_state(seed=seed), chance)):
        if count > 60:
            break
        for seat in range(game.num_players):
            inputs = game.encode(state, "evidence", player=seat)
            assert np.array_equal(inputs[: seat_inputs.NUM_INPUTS], game.encode(state, "seat", player=seat))
            assert inputs[seat_inputs.NUM_INPUTS :].tolist() == expected_inputs(state.observation(seat).record, seat)
