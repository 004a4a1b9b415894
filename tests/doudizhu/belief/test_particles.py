"""The particle filter on Dou Di Zhu: particles go along with the round, and explain all that was seen."""

import collections
import math
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.core.epsilon_mixture import mixture_likelihood
from cardgames.core.policy import NO_WEIGHTS
from cardgames.core.state import State
from cardgames.doudizhu.cards import DECK, hand_to_text
from cardgames.doudizhu.game import DouDiZhu
from cardgames.doudizhu.policies.policy_dispatch import POLICIES, RANDOM
from cardgames.doudizhu.state import STATE
from cardgames.kernels import rng
from cardgames.search.particle_filter import run_particle_filter
from tests.doudizhu.hand_helpers import PRESETS
from tests.doudizhu.rounds import after

MISTRUST = 0.5


def carried(state: State, seat: int, seed: int, policy_id: int = -1) -> tuple[Any, float]:
    """A particle drawn at the beginning of the round and carried to where it stands now, and its weight."""
    seen, stream, particle = state.observation(seat), rng.stream(seed), np.zeros(1, STATE)[0]
    rules = state.game.kernel_rules
    ops.determinize(rules, seen.origin, stream, particle)
    weight = 1.0
    for row in range(seen.first, len(seen.events)):
        if seen.events[row, 0] in state.game.belief.reset_events:
            weight = 1.0
        weight *= ops.advance_particle(rules, particle, seen.events, row, seat, MISTRUST, policy_id, NO_WEIGHTS, stream)
    return particle, weight


def look(state: State, record: Any, seat: int) -> bytes:
    """What a seat would see of a record."""
    out = np.zeros(1, STATE)[0]
    ops.observe(state.game.kernel_rules, record, seat, out)
    return bytes(out.tobytes())


def check_carried(state: State, seat: int, seed: int) -> None:
    """A particle is a state in which the seat sees what it sees, before it is aligned and after."""
    particle, weight = carried(state, seat, seed)
    seen = state.observation(seat)
    assert look(state, particle, seat) == seen.record.tobytes()
    assert 0 < weight <= 1
    aligned = np.zeros(1, STATE)[0]
    ops.project_particle(state.game.kernel_rules, seen.record, particle, rng.stream(1), aligned)
    assert (aligned.hands == particle.hands).all()
    assert look(state, aligned, seat) == seen.record.tobytes()


@pytest.mark.parametrize("preset", PRESETS)
def test_particles_go_along(preset: str) -> None:
    game = DouDiZhu(rules=preset)
    for seed in range(12):
        for decisions in (0, 1, 3, 5, 12, 30, 500):
            state = after(game, seed, decisions)
            for seat in range(3):
                check_carried(state, seat, seed)


def test_particles_go_along_when_the_cards_are_dealt_again() -> None:
    for preset in ("classic", "online"):
        state = DouDiZhu(rules=preset).new_initial_state(seed=3)
        for _ in range(7):
            state.apply_action(0)
        assert state.record.redeals == 2
        state.apply_action(state.legal_actions()[1])
        for seat in range(3):
            check_carried(state, seat, 5)


def test_a_particle_that_lacks_what_was_played_is_mistrusted_and_mended() -> None:
    state = DouDiZhu().position(hands=["37", "48", "59"], landlord=0, seed=1)
    for text in ("3", "4"):
        state.apply_action(state.game.parse_action(text))
    for seed in range(20):
        particle, weight = carried(state, 0, seed)
        assert hand_to_text(particle.hands[0]) == "7"
        assert hand_to_text(particle.played[1]).count("4") >= 1
        assert weight in (1.0, MISTRUST)
        assert sorted(hand_to_text(particle.hands[1]) + hand_to_text(particle.hands[2])) == [*"589"]


def test_an_aligned_particle_that_does_not_fit_is_drawn_anew() -> None:
    state = DouDiZhu(rules="rlcard").new_initial_state(seed=1)
    seen, other, out = (
        state.observation(0),
        DouDiZhu(rules="rlcard").new_initial_state(seed=2).record,
        np.zeros(1, STATE)[0],
    )
    ops.project_particle(state.game.kernel_rules, seen.record, other, rng.stream(1), out)
    assert look(state, out, 0) == seen.record.tobytes()


def test_choices_weigh_by_how_likely_they_were() -> None:
    """With one 4 to answer the 3 a pass was chosen by chance, one of two; with none it was all there was to do."""
    state = DouDiZhu().position(hands=["37", "48", "59"], landlord=0, seed=1)
    for text in ("3", "pass"):
        state.apply_action(state.game.parse_action(text))
    weights = set()
    for seed in range(40):
        particle, weight = carried(state, 0, seed, policy_id=0)
        weights.add((len(set(hand_to_text(particle.hands[1]))), round(weight, 6)))
    assert weights == {(2, round(1 / 3, 6))}


@pytest.mark.parametrize("preset", ["classic", "rlcard"])
def test_the_filter_believes_in_as_many_cards_as_there_are(preset: str) -> None:
    state = after(DouDiZhu(rules=preset), 1, 20)
    seat = state.current_player()
    found = run_particle_filter(state.observation(), 60, 0.9, rng.stream(1))
    assert found.weights.sum() == pytest.approx(1.0)
    assert found.belief.sum(axis=1) == pytest.approx(state.record.counts)
    held = [hand_to_text(state.record.hands[seat]).count(card) for card in state.game.belief.card_kinds]
    assert found.belief[seat] == pytest.approx(held)
    for particle in found.states:
        assert look(state, particle, seat) == state.observation().record.tobytes()


def test_no_hand_is_likelier_for_what_lies_at_the_bottom() -> None:
    state = DouDiZhu().new_initial_state(seed=3, dealer=0)
    state.apply_action(3)
    counts, n = np.zeros(3), 1500
    for seed in range(n):
        particle, weight = carried(state, 1, seed)
        assert weight == 1.0 and int(particle.bottom) == int(state.record.bottom)
        counts += [hand_to_text(hand).count("R") + hand_to_text(hand).count("B") for hand in particle.hands]
    left = [
        card for card in "BR" if card not in hand_to_text(state.record.hands[1]) + hand_to_text(state.record.bottom)
    ]
    at_bottom = sum(card in "BR" for card in hand_to_text(state.record.bottom))
    expected = n * len(left) / 2
    assert counts[2] == pytest.approx(expected, abs=4 * math.sqrt(n * len(left)) / 2 + 1e-9)
    assert counts[0] == pytest.approx(n * at_bottom + expected, abs=4 * math.sqrt(n * len(left)) / 2 + 1e-9)


def chances_of_bid(before: State, bid: int, records: Any) -> Any:
    """How likely seat 0, who mostly follows `frugal`, makes a bid with what he was dealt in each of the records."""
    rules, spoken = before.game.kernel_rules, before.record.copy()
    chances = np.zeros(len(records))
    for i, record in enumerate(records):
        spoken.hands[0] = record.hands[0] - record.bottom
        chances[i] = mixture_likelihood(rules, spoken, bid, RANDOM, POLICIES["frugal"], NO_WEIGHTS)
    return chances


@pytest.mark.parametrize("bottom", ["2BR", "34Q"])
def test_what_was_bid_tells_of_the_hand_without_the_bottom(bottom: str) -> None:
    """Against the share of hands with which `frugal` bids 3, among deals around the bottom weighed by the bid."""
    game = DouDiZhu()
    own = "33445566778899TTJ"
    rest = collections.Counter(hand_to_text(DECK)) - collections.Counter(own + bottom)
    others = "".join(rest.elements())
    before = game.new_initial_state(seed=1, deck=others[:17] + own + others[17:] + bottom, dealer=0)
    state = before.clone()
    state.apply_action(3)
    dealt, stream = np.zeros(4000, STATE), rng.stream(9)
    for record in dealt:
        ops.determinize(game.kernel_rules, state.observation(1).record, stream, record)
    chances = chances_of_bid(before, 3, dealt)
    expected = chances[chances > 0.5].sum() / chances.sum()
    found = [carried(state, 1, seed, POLICIES["frugal"]) for seed in range(4000)]
    weights = np.array([weight for _, weight in found])
    likely = chances_of_bid(before, 3, [particle for particle, _ in found]) > 0.5
    assert weights[likely].sum() / weights.sum() == pytest.approx(expected, abs=0.05)


def test_cards_dealt_again_are_all_as_likely() -> None:
    game = DouDiZhu()
    state = game.new_initial_state(seed=1, dealer=0)
    for _ in range(3):
        state.apply_action(0)
    found = run_particle_filter(state.observation(), 300, 0.9, rng.stream(1), game.policy("frugal", "choices"))
    assert found.effective_sample_size == pytest.approx(300) and found.weights == pytest.approx(1 / 300)


@pytest.mark.parametrize("name", ["mcts:simulations=40", "mcts-dbm:simulations=40,particles=20,belief_policy=random"])
def test_searches_play_whole_rounds(name: str) -> None:
    game = cardgames.make("doudizhu", rules="online")
    agents = [cardgames.agent(name, game, seed=seat) for seat in range(3)]
    state = game.new_initial_state(seed=2)
    while not state.is_terminal():
        decision = agents[state.current_player()].act(state.observation())
        assert decision.action in state.legal_actions()
        state.apply_action(decision.action)
    assert len(state.winners()) in (1, 2)


def test_a_search_finds_the_move_that_wins() -> None:
    state = DouDiZhu().position(hands=["34567A", "88", "99"], landlord=0)
    agent = cardgames.agent("mcts:simulations=600", state.game, seed=1)
    assert state.action_to_string(agent.act(state.observation()).action) in ("34567", "A")


def test_a_landlord_is_left_the_cards_of_the_bottom_when_a_particle_is_mended() -> None:
    state = DouDiZhu().position(hands=["35KKA", "48", "59"], landlord=0, bottom="KKA", seed=1)
    state.apply_action(state.game.parse_action("3"))
    for seed in range(30):
        particle, _ = carried(state, 1, seed)
        assert hand_to_text(particle.hands[0]).endswith("KKA")


def test_a_mended_particle_is_mistrusted_where_choices_weigh_too() -> None:
    """With a 4 and any other card to answer the 3 each of three answers was as likely."""
    state = DouDiZhu().position(hands=["37", "48", "59"], landlord=0, seed=1)
    for text in ("3", "4"):
        state.apply_action(state.game.parse_action(text))
    weights = {round(carried(state, 0, seed, policy_id=RANDOM)[1], 6) for seed in range(20)}
    assert weights == {round(1 / 3, 6), round(MISTRUST / 3, 6)}
