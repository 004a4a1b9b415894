"""The encodings of Uno that no other program tells, worked out anew from the cards one by one."""

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
    return [int(count >= threshold) for threshold in thresholds]


def kinds(cards: Sequence[int], least: int = 1) -> list[int]:
    """Which kinds of coloured cards there are, so many of each at least."""
    found = np.bincount([KIND_OF_CARD[card] for card in cards], minlength=NUM_KINDS)
    return [int(count >= least) for count in found[: NUM_KINDS - 2]]


def wilds(cards: Sequence[int]) -> list[int]:
    """How many wilds, and wild draw fours, there are."""
    return [one for face in (13, 14) for one in reached(sum(card % 15 == face for card in cards), (1, 2, 3, 4))]


def of_color(cards: Sequence[int], color: int) -> int:
    return sum(card // 15 == color and card % 15 < WILD for card in cards)


def choice(state: State, seat: int) -> list[int]:
    """What may be laid or drawn, and what is being decided, if the seat decides."""
    legal = state.legal_actions() if state.current_player() == seat else []
    laid = [action for action in legal if action < DRAW]
    phase = int(state.record.phase) if legal else -1
    wild = [int(any(action % 15 == face for action in laid)) for face in (13, 14)]
    return [*kinds([action for action in laid if action % 15 < WILD]), *wild, int(DRAW in legal)] + [
        int(phase == asked) for asked in range(OVER)
    ]


def others(state: State, seat: int) -> list[int]:
    """How few cards the next three have, the last row being of all that are left."""
    record, n = state.record, state.game.num_players
    counts = [int(record.counts[(seat + step * int(record.direction)) % n]) for step in range(1, n)]
    rows = [[1, *(int(min(row) <= most) for most in AT_MOST)] for row in (counts[:1], counts[1:2], counts[2:]) if row]
    return [*itertools.chain(*rows), *[0] * (9 * (3 - len(rows)))]


def expected(state: State, seat: int) -> list[int]:
    """The inputs of `seat`."""
    record, hand = state.record, hands(state)[seat]
    seen = hand + discard(state)
    known = np.bincount([KIND_OF_CARD[card] for card in seen], minlength=NUM_KINDS)
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
        *(reached(of_color(seen, color), range(3, 25, 3)) for color in range(4)),
        [int(known[kind] >= COPIES_OF_KIND[kind]) for kind in range(NUM_KINDS - 2)],
        wilds(seen),
        reached(int(record.idle), (1, 2, 3)),
        reached(int(record.pending), (1, 3, 5)),
    ]
    return [number for part in parts for number in part]


@pytest.mark.parametrize("seed", range(40))
def test_what_a_seat_sees(seed: int) -> None:
    chance = random.Random(seed)
    game = choose_game(chance.choice)
    for count, state in enumerate(play(game.new_initial_state(seed=seed), chance)):
        if count > 60:
            break
        drawn = state.record.phase == AFTER_DRAW  # to others that looks like the turn of the next
        for seat in [state.current_player()] if drawn else range(game.num_players):
            found = game.encode(state, "seat", player=seat).tolist()
            assert len(found) == NUM_INPUTS and found == expected(state, seat)


def test_turns_in_which_nobody_could_draw_are_told() -> None:
    state = Uno(3, "simplified").position(hands=["g7", "g6", 105], top="r5", pile=0)
    for idle in range(3):
        assert state.record.idle == idle
        assert state.game.encode(state, "seat").tolist() == expected(state, state.current_player())
        state.apply_action(DRAW)


@pytest.mark.parametrize("seed", range(10))
def test_the_hidden_hands_that_a_cheating_encoding_shows(seed: int) -> None:
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


def test_the_encoding_seat_by_hand() -> None:
    """Every part of the inputs, on one small position."""
    game = Uno(3, "simplified")
    state = game.position(hands=["r5 r5 w", 2, 9], top="r7", direction=-1, to_move=0)
    found = np.flatnonzero(game.encode(state.observation(), "seat")).tolist()
    expected = {5, 52 + 5, 104}  # a red 5, a second one, a wild
    expected |= {112, 113}  # two and three cards in hand
    expected |= {124, 125}  # two of them red
    at = 144
    expected |= {at + 5, at + 52, at + 54, at + 55}  # the 5 and the wild may be laid, a card drawn; a turn
    at += 54 + 1 + 8
    expected |= {at, at + 4 + 7}  # red is in force, a 7 on top
    at += 19
    expected |= {at, at + 1, at + 2}  # seat 2 is next: 9 cards, at most 14 and 10
    expected |= {at + 9, *(at + 10 + i for i in range(7))}  # then seat 1: 2 cards
    at += 27
    expected |= {at}  # three red cards seen
    at += 32
    expected |= {at + 5}  # both red 5s are gone
    at += 52
    expected |= {at}  # one wild is gone
    assert found == sorted(expected)
