"""Encodings of Uno that no other program has, computed again from the cards one by one."""

import itertools
import random
from collections.abc import Sequence

import numpy as np
import pytest

from cardgames.core.state import State
from cardgames.uno.cards import COPIES_OF_KIND, DRAW, KIND_OF_CARD, NUM_KINDS, WILD
from cardgames.uno.encodings.seat_inputs import NUM_INPUTS
from cardgames.uno.game import Uno
from cardgames.uno.state import AFTER_DRAW, OVER
from tests.uno.tables import choose_game, discard, hands, play

AT_MOST = (14, 10, 7, 5, 4, 3, 2, 1)


def reached(count: int, thresholds: Sequence[int]) -> list[int]:
    """Return a thermometer: for each threshold whether the count has reached it."""
    return [int(count >= threshold) for threshold in thresholds]


def kinds(cards: Sequence[int], min_copies: int = 1) -> list[int]:
    """Return for each kind of colored card whether there are at least `min_copies` of it."""
    kind_counts = np.bincount([KIND_OF_CARD[card] for card in cards], minlength=NUM_KINDS)
    return [int(count >= min_copies) for count in kind_counts[: NUM_KINDS - 2]]


def wilds(cards: Sequence[int]) -> list[int]:
    """Return thermometers of the numbers of wilds and of wild draw fours."""
    return [one for face in (13, 14) for one in reached(sum(card % 15 == face for card in cards), (1, 2, 3, 4))]


def of_color(cards: Sequence[int], color: int) -> int:
    """Return the number of colored cards of `color`."""
    return sum(card // 15 == color and card % 15 < WILD for card in cards)


def choice(state: State, seat: int) -> list[int]:
    """Return the inputs of the legal plays and the phase, all 0 unless `seat` is to move."""
    legal = state.legal_actions() if state.current_player() == seat else []
    plays = [action for action in legal if action < DRAW]
    phase = int(state.record.phase) if legal else -1
    wild = [int(any(action % 15 == face for action in plays)) for face in (13, 14)]
    return [*kinds([action for action in plays if action % 15 < WILD]), *wild, int(DRAW in legal)] + [
        int(phase == other_phase) for other_phase in range(OVER)
    ]


def others(state: State, seat: int) -> list[int]:
    """Return the inputs of the next three hand sizes; the last row is for the smallest of all remaining hands."""
    record, n = state.record, state.game.num_players
    counts = [int(record.counts[(seat + step * int(record.direction)) % n]) for step in range(1, n)]
    rows = [
        [1, *(int(min(row) <= threshold) for threshold in AT_MOST)]
        for row in (counts[:1], counts[1:2], counts[2:])
        if row
    ]
    return [*itertools.chain(*rows), *[0] * (9 * (3 - len(rows)))]


def expected_inputs(state: State, seat: int) -> list[int]:
    """Return the inputs of `seat`."""
    record, hand = state.record, hands(state)[seat]
    visible_cards = hand + discard(state)
    visible_counts = np.bincount([KIND_OF_CARD[card] for card in visible_cards], minlength=NUM_KINDS)
    parts = [
        kinds(hand),
        kinds(hand, 2),
        wilds(hand),
        reached(len(hand), range(2, 14)),
        *(reached(of_color(hand, color), range(1, 6)) for color in range(4)),
        choice(state, seat),
        [int(record.color == color) for color in range(4)],
        [int(record.top % 15 == face) for face in range(15)],
        others(state, seat),
        *(reached(of_color(visible_cards, color), range(3, 25, 3)) for color in range(4)),
        [int(visible_counts[kind] >= COPIES_OF_KIND[kind]) for kind in range(NUM_KINDS - 2)],
        wilds(visible_cards),
        reached(int(record.idle), (1, 2, 3)),
        reached(int(record.pending), (1, 3, 5)),
    ]
    return [number for part in parts for number in part]


@pytest.mark.parametrize("seed", range(40))
def test_seat_encoding_in_random_rounds(seed: int) -> None:
    chance = random.Random(seed)
    game = choose_game(chance.choice)
    for count, state in enumerate(play(game.new_initial_state(seed=seed), chance)):
        if count > 60:
            break
        drawn = state.record.phase == AFTER_DRAW  # to others it looks like the next player's turn
        for seat in [state.current_player()] if drawn else range(game.num_players):
            inputs = game.encode(state, "seat", player=seat).tolist()
            assert len(inputs) == NUM_INPUTS and inputs == expected_inputs(state, seat)


def test_seat_encoding_shows_idle_turns() -> None:
    state = Uno(3, "simplified").position(hands=["g7", "g6", 105], top="r5", pile=0)
    for idle in range(3):
        assert state.record.idle == idle
        assert state.game.encode(state, "seat").tolist() == expected_inputs(state, state.current_player())
        state.apply_action(DRAW)


@pytest.mark.parametrize("seed", range(10))
def test_cheating_encoding_shows_hidden_hands(seed: int) -> None:
    chance = random.Random(seed)
    game = choose_game(chance.choice)
    for state in play(game.new_initial_state(seed=seed), chance):
        if state.is_terminal():
            break
        seat = state.current_player()
        cards = [card for other, hand in enumerate(hands(state)) if other != seat for card in hand]
        planes = np.zeros((3, 4, 15), int)
        for color in range(4):
            for face in range(15):
                held = cards.count(15 * color + face) if face < WILD else min(1, sum(c % 15 == face for c in cards))
                planes[held, color, face] = 1
        assert np.array_equal(game.encode(state, "cheating-7x4x15")[4:], planes)


def test_seat_encoding_by_hand() -> None:
    """Every part of the inputs, in one small position."""
    game = Uno(3, "simplified")
    state = game.position(hands=["r5 r5 w", 2, 9], top="r7", direction=-1, to_move=0)
    ones = np.flatnonzero(game.encode(state.observation(), "seat")).tolist()
    expected_ones = {5, 52 + 5, 104}  # a red 5, a second one, a wild
    expected_ones |= {112, 113}  # two and three cards in hand
    expected_ones |= {124, 125}  # two of them red
    base = 144
    expected_ones |= {base + 5, base + 52, base + 54, base + 55}  # may play the 5, may play the wild, may draw; phase
    base += 54 + 1 + 8
    expected_ones |= {base, base + 4 + 7}  # red is in force, a 7 on top
    base += 19
    expected_ones |= {base, base + 1, base + 2}  # seat 2 is next: 9 cards, at most 14 and 10
    expected_ones |= {base + 9, *(base + 10 + i for i in range(7))}  # then seat 1: 2 cards
    base += 27
    expected_ones |= {base}  # three red cards seen
    base += 32
    expected_ones |= {base + 5}  # both red 5s are used up
    base += 52
    expected_ones |= {base}  # one wild is visible
    assert ones == sorted(expected_ones)
