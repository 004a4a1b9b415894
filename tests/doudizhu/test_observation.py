"""Tests of observations and determinizations: a view shows nothing hidden, and a determinization is uniform over deals."""

import collections
import itertools
import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.core import ops
from cardgames.core.state import State
from cardgames.doudizhu.cards import (
    DECK_COPIES,
    NUM_RANKS,
    copies_of_rank,
    hand_from_text,
    hand_to_text,
    ranks_of,
    subtract_cards,
)
from cardgames.doudizhu.game import DouDiZhu
from cardgames.doudizhu.information_set import known_cards
from cardgames.doudizhu.state import STATE
from cardgames.kernels import rng
from tests.differences import assert_same
from tests.doudizhu.hand_helpers import DECK, PRESETS, choose_rules
from tests.doudizhu.rounds import random_playthrough
from tests.observations import assert_same_for

AGENTS = ("random", "rlcard-rule", "frugal")


def hand_of_ranks(ranks: list[int]) -> int:
    """Return a hand from a list of ranks."""
    return sum(1 << 4 * rank for rank in ranks)


def reshuffled(record: Any, viewer: int, chance: random.Random) -> Any:
    """Return the record with all cards hidden from the viewer dealt again at random, and with another random stream."""
    other = record.copy()
    known = [int(known_cards(record, seat)) if seat != viewer else int(record.hands[seat]) for seat in range(3)]
    hidden = [subtract_cards(int(hand), known_hand) for hand, known_hand in zip(record.hands, known, strict=True)]
    undealt_bottom = int(record.bottom) if record.landlord < 0 else 0
    hidden_ranks = [rank for hand in [*hidden, undealt_bottom] for rank in ranks_of(hand)]
    chance.shuffle(hidden_ranks)
    for seat in range(3):
        other.hands[seat] = known[seat] + hand_of_ranks([hidden_ranks.pop() for _ in ranks_of(hidden[seat])])
    if record.landlord < 0:
        other.bottom = hand_of_ranks(hidden_ranks)
    other.rng = chance.getrandbits(63)
    return other


def check_shuffle(state: State, seat: int, chance: random.Random) -> None:
    """Assert that a seat's observation and the agents' actions do not depend on the hidden cards."""
    other = state.clone()
    other.record = reshuffled(state.record, seat, chance)
    other._origin = reshuffled(state._origin, seat, chance)
    assert_same_for(state, other, seat, AGENTS)


def check_determinize(state: State, seat: int, seed: int) -> None:
    """Assert that a determinization has all cards and the same observation: known cards, hand sizes, legal actions."""
    game, guess = state.game, np.zeros(1, STATE)[0]
    seen = state.observation(seat)
    ops.determinize(game.kernel_rules, seen.record, rng.stream(seed), guess)
    again = State(game, guess, []).observation(seat)
    assert_same(again.record, seen.record, f"seat {seat}")
    assert_same(again.legal_actions, seen.legal_actions, f"seat {seat}, legal_actions")
    hands = [int(hand) for hand in guess.hands]
    assert sum(hands) + sum(int(hand) for hand in guess.played) + (
        int(guess.bottom) if guess.landlord < 0 else 0
    ) == hand_from_text(DECK)
    assert [len(ranks_of(hand)) for hand in hands] == [int(n) for n in state.record.counts]
    for other in range(3):
        assert not subtract_cards(int(known_cards(seen.record, other)), hands[other])


def check_round(game: DouDiZhu, seed: int, every: int) -> None:
    """Check all seats' observations at about every `every`-th action of a random round."""
    check_chance = random.Random(seed + 1)
    for state in random_playthrough(game.new_initial_state(seed=seed), random.Random(seed)):
        if check_chance.randrange(every) == 0:
            for seat in range(3):
                assert not subtract_cards(int(known_cards(state.record, seat)), int(state.record.hands[seat]))
                check_shuffle(state, seat, check_chance)
                check_determinize(state, seat, seed)


@pytest.mark.parametrize("preset", PRESETS)
def test_views_and_determinizations_under_presets(preset: str) -> None:
    for seed in range(6):
        check_round(DouDiZhu(rules=preset), seed, every=5)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.data(), st.integers(0, 2**32))
def test_views_and_determinizations_under_any_rules(data: st.DataObject, seed: int) -> None:
    check_round(DouDiZhu(rules=choose_rules(lambda values: data.draw(st.sampled_from(values)))), seed, every=10)


@pytest.mark.parametrize("bottom", [None, "34A", "2BR"])
def test_views_and_determinizations_of_set_up_positions(bottom: str | None) -> None:
    for seed in range(15):
        chance = random.Random(seed)
        hands = [chance.choice([None, chance.randrange(4, 18)]) for _ in range(3)]
        state = DouDiZhu().position(hands=hands, landlord=chance.randrange(3), bottom=bottom, seed=seed)
        check_shuffle(state, chance.randrange(3), chance)
        for seat in range(3):
            check_determinize(state, seat, seed)


def deals(record: Any, first: int, second: int) -> dict[int, int]:
    """Return every possible hand of the first of two hidden seats -> number of deals in which it has that hand."""
    hidden = [int(record.hands[seat]) for seat in (first, second)]
    known_hand = [int(known_cards(record, seat)) for seat in (first, second)]
    free = [
        rank for hand, known in zip(hidden, known_hand, strict=True) for rank in ranks_of(subtract_cards(hand, known))
    ]
    size = len(ranks_of(hidden[0])) - len(ranks_of(known_hand[0]))
    hand_counts = {}
    for choice in set(itertools.combinations(sorted(free), size)):
        hand = known_hand[0] + hand_of_ranks(list(choice))
        ways = 1
        for rank in range(NUM_RANKS):
            bottom = copies_of_rank(int(record.bottom), rank)
            first_copies = copies_of_rank(hand, rank) + copies_of_rank(int(record.played[first]), rank)
            second_copies = copies_of_rank(sum(hidden) - hand, rank) + copies_of_rank(int(record.played[second]), rank)
            first_copies -= bottom if first == record.landlord else 0
            second_copies -= bottom if second == record.landlord else 0
            assert 0 <= first_copies <= DECK_COPIES[rank] and second_copies >= 0
            ways *= math.comb(first_copies + second_copies, first_copies)
        hand_counts[hand] = ways
    return hand_counts


@pytest.mark.parametrize("viewer", [0, 1, 2])
@pytest.mark.parametrize("bottom", ["44A", "67J", None])
def test_determinize_is_uniform_over_deals(viewer: int, bottom: str | None) -> None:
    """Chi-square test over the hidden hands of an endgame; a correct sampler fails about once in 10,000 seeds."""
    state = DouDiZhu().position(hands=["4457", "4566", "4577"], landlord=0, bottom=bottom, seed=5)
    seen, guess, stream = state.observation(viewer), np.zeros(1, STATE)[0], rng.stream(7)
    first, second = (viewer + 1) % 3, (viewer + 2) % 3
    ways = deals(state.record, first, second)
    hand_counts: collections.Counter[int] = collections.Counter()
    n = 20_000
    for _ in range(n):
        ops.determinize(state.game.kernel_rules, seen.record, stream, guess)
        hand_counts[int(guess.hands[first])] += 1
    assert set(hand_counts) <= set(ways) and len(ways) >= 5
    total = sum(ways.values())
    assert max(ways.values()) > min(ways.values()), "the test needs hands that are not equally likely"
    expected_counts = {hand: n * count / total for hand, count in ways.items()}
    chi2 = sum((hand_counts[hand] - expected) ** 2 / expected for hand, expected in expected_counts.items())
    freedom = len(ways) - 1
    assert chi2 < freedom + 4 * math.sqrt(2 * freedom) + 6


def test_determinize_in_auction_is_uniform_over_unseen_cards() -> None:
    state = DouDiZhu().new_initial_state(seed=4)
    seen, guess, stream = state.observation(1), np.zeros(1, STATE)[0], rng.stream(3)
    held = collections.Counter[int]()
    for _ in range(3000):
        ops.determinize(state.game.kernel_rules, seen.record, stream, guess)
        held.update({seat: copies_of_rank(int(guess.hands[seat]), 14) for seat in (0, 2)})
        held[3] += copies_of_rank(int(guess.bottom), 14)
    if "R" in hand_to_text(int(state.record.hands[1])):
        assert not held.total()
    else:
        assert [round(held[place] / 3000, 1) for place in (0, 2, 3)] == [0.5, 0.5, 0.1]


def test_bottom_is_hidden_until_there_is_a_landlord() -> None:
    state = DouDiZhu().new_initial_state(seed=1, dealer=0)
    assert state.observation(0).to_dict()["bottom"] == ""
    state.apply_action(3)
    seen = state.observation(2).to_dict()
    assert len(seen["bottom"]) == 3 and seen["known"] == [seen["bottom"], "", ""]
    assert seen["history"][-2:] == ["seat 0 is the landlord", f"seat 0 takes up {seen['bottom']}"]


def test_known_cards_exclude_played_bottom_cards() -> None:
    state = DouDiZhu().position(hands=["4457", "8", "9"], landlord=0, bottom="44A")
    assert state.observation(1).to_dict()["known"] == ["44", "", ""]
    state.apply_action(state.game.parse_action("4"))
    assert state.observation(1).to_dict()["known"] == ["4", "", ""]


def test_redeal_shows_each_seat_only_its_own_hand() -> None:
    state = DouDiZhu().new_initial_state(seed=1)
    for _ in range(3):
        state.apply_action(0)
    for seat in range(3):
        seen = state.observation(seat)
        dealt = [row for row in seen.events.tolist() if row[0] == 1]
        assert [row[1] for row in dealt] == [seat] * 34
        assert hand_of_ranks([row[2] for row in dealt[17:]]) == int(state.record.hands[seat])


def test_state_record_has_no_padding() -> None:
    """Observations are compared by their bytes, and padding bytes are undefined."""
    assert STATE.itemsize == sum(STATE.fields[name][0].itemsize for name in STATE.names or ())  # type: ignore[index]


def test_hands_stay_hidden_after_the_round() -> None:
    *_, state = random_playthrough(DouDiZhu(rules="rlcard").new_initial_state(seed=3), random.Random(0))
    assert state.is_terminal() and any(state.record.hands)
    assert not any(state.observation(0).record.hands[seat] for seat in (1, 2))
